"""Runs flows on the collection that a command names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from atlas_rag.cli import places
from atlas_rag.cli.running import NOT_WELL
from atlas_rag.errors import SearchIndexError

if TYPE_CHECKING:
    from atlas_rag.wire import Engine, Flow

__all__ = ["NOT_WELL", "Session", "session"]
Result = TypeVar("Result")


class Session:
    """One open deployment and one collection of it."""

    def __init__(self, collection: Any, as_json: bool) -> None:
        from atlas_rag.drivers.choose import engine_for

        self._collection, self.as_json = collection, as_json
        self._engine: Engine = engine_for(collection)
        self.namespace = self._engine.namespace

    def run(self, flow: Flow[Result]) -> Result:
        """The result of a flow."""
        from atlas_rag.wire import drive

        return drive(flow, self._engine)

    def exists(self) -> bool:
        """Whether the collection is there; True where that cannot be told: the next command tells more."""
        from pymongo.errors import PyMongoError

        name = self._collection.name
        try:
            return name in self._collection.database.list_collection_names(filter={"name": name})
        except PyMongoError:
            return True

    def need_collection(self, next_step: str) -> None:
        """Refuses a collection that is not there.

        Raises:
            SearchIndexError: INDEX_MISSING.
        """
        if not self.exists():
            raise SearchIndexError(
                f"There is no collection {self.namespace}",
                expected="a collection with documents",
                next_step=next_step,
            )

    def show(self, document: Any, text: str) -> None:
        """Prints one JSON document, or lines."""
        typer.echo(json.dumps(document, default=str) if self.as_json else text)


@contextmanager
def session(
    namespace: str, uri: str | None, uri_file: Path | None, local: Path | None, as_json: bool
) -> Iterator[Session]:
    """Opens the deployment and the collection."""
    with places.collection(namespace, uri, local, uri_file) as collection:
        yield Session(collection, as_json)
