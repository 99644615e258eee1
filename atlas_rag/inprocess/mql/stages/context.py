"""What a pipeline needs from the outside: collections, search indexes, the release, the clock."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol, runtime_checkable

from bson import Timestamp

from atlas_rag.inprocess.index import Index
from atlas_rag.inprocess.models import Models
from atlas_rag.inprocess.mql.expressions.scope import Release
from atlas_rag.inprocess.mql.values import Document


class Collection(Protocol):
    """A collection as the executor reads it. Documents are shared: the executor never changes them."""

    def documents(self) -> Iterable[Document]:
        """Yields all documents in natural order."""
        ...

    def document(self, key: int) -> Document | None:
        """Returns the document of a search hit, None if it is gone."""
        ...

    def search_index(self, name: str) -> Index | None:
        """Returns a queryable index, None if there is none of this name. Raises `EngineRefusal`."""
        ...

    def search_index_type(self, name: str) -> str | None:
        """Returns `search` or `vectorSearch`, None if there is no index of this name."""
        ...

    def search_indexes(self) -> Sequence[Document]:
        """Returns the entries of `$listSearchIndexes`."""
        ...


@runtime_checkable
class GeoIndexed(Protocol):
    """A collection that knows which of its fields have a geographic index."""

    def geo_fields(self) -> Sequence[str]:
        """Returns the paths with a `2dsphere` index, in the order of their creation."""
        ...


@runtime_checkable
class Measured(Protocol):
    """A collection that knows figures of itself."""

    def figures(self, scale: int) -> Document:
        """Returns `storageStats`; bytes divided by the scale."""
        ...

    def index_figures(self) -> Sequence[Document]:
        """Returns the entries of `$indexStats`."""
        ...


class Target(Protocol):
    """A collection as `$merge` writes to it."""

    def unique_keys(self) -> Iterable[frozenset[str]]:
        """Yields the field sets of the unique indexes; `_id` is always one."""
        ...

    def find_one(self, fields: Mapping[str, Any]) -> Document | None:
        """Returns the document whose fields equal the values given."""
        ...

    def insert(self, document: Document) -> None: ...

    def replace(self, document: Document) -> None:
        """Puts a document in the place of the one with its `_id`."""
        ...


class Database(Protocol):
    """Where collections come from, by name; `database` None is the one the command runs on."""

    def collection(self, name: str, database: str | None = None) -> Collection | None:
        """Returns a collection, None if it does not exist."""
        ...

    def target(self, name: str, database: str | None = None) -> Target:
        """Returns a collection to write to; it comes into being by its first document."""
        ...

    def replace_collection(
        self, name: str, documents: Sequence[Document], database: str | None = None
    ) -> None:
        """Makes a collection hold exactly these documents, or fails and leaves it as it was (`$out`)."""
        ...


def _now() -> datetime:
    """Returns the moment as BSON keeps it: in UTC without zone, to the millisecond."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000, tzinfo=None)


@dataclass(frozen=True)
class Context:
    """Everything around one aggregation.

    Args:
        release: the server release that is played, as (major, minor).
        has_search: a search engine stands behind the server; without it the search stages are refused.
        models: what `$rerank` asks.
        variables: the command's `let`, already evaluated.
    """

    database: Database
    release: Release = (8, 2)
    has_search: bool = True
    models: Models = field(default_factory=Models)
    variables: Mapping[str, Any] = field(default_factory=dict)
    now: datetime = field(default_factory=_now)

    def system_variables(self) -> dict[str, Any]:
        """Returns the run-time variables every pipeline starts with."""
        cluster_time = Timestamp(int(time.time()), 1)
        return {"NOW": self.now, "CLUSTER_TIME": cluster_time, **self.variables}
