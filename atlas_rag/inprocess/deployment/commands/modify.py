"""What all commands share that change documents: which documents, and how each of them changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.deployment.queries import execution
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import check
from atlas_rag.inprocess.mql.update import Occasion, Update, compile_update, refuse_expressions, seed
from atlas_rag.inprocess.mql.update.compile import PipelineUpdate, Replacement
from atlas_rag.inprocess.mql.update.position import position_finder
from atlas_rag.inprocess.mql.values.collation import Collation
from atlas_rag.inprocess.store.rows import with_identifier

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]


@dataclass
class Selection:
    """The documents of one collection that a query matches, read while they are being changed.

    Attributes:
        bypass: whether the collection's validator is not asked.
        found: whether `rows` has yielded anything.
    """

    deployment: Deployment
    database: str
    name: str
    query: Mapping[str, Any]
    sort: Mapping[str, Any] | None = None
    variables: Mapping[str, Any] | None = None
    bypass: bool = False
    collation: Collation | None = None
    found: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.deployment.databases.refuse_view(self.database, self.name)
        self._compiled = execution.CompiledQuery(
            self.deployment, self.query, self.sort, self.variables, self.collation
        )

    @cached_property
    def namespace(self) -> Namespace:
        """The collection; made when something is to be written into it."""
        return self.deployment.collection(self.database, self.name)

    def check(self, document: Document, before: Document | None = None) -> None:
        """Refuses a document that the collection's validator does not take. Raises 121."""
        if not self.bypass:
            self.namespace.validator.check(document, before)

    def check_hint(self, hint: Any) -> None:
        """Refuses a hint that names no index. Raises 2."""
        execution.check_hint(self.deployment.existing(self.database, self.name), hint)

    def rows(self, *, first_only: bool = False) -> Iterator[tuple[int, Document]]:
        """Yields (key, document): all that match now, or the first in order."""
        for key, document in self._free_rows(first_only):
            check()
            self.found = True
            yield key, document

    def _free_rows(self, first_only: bool) -> list[tuple[int, Document]]:
        """Returns what matches when no open transaction has changed any of it; waits until then."""
        while True:
            existing = self.deployment.existing(self.database, self.name)
            if existing is None:
                return []
            matching = list(islice(self._compiled.rows(existing), 1 if first_only else None))
            if existing.rows.held.isdisjoint(key for key, _ in matching):
                return matching
            self.deployment.transactions.wait()

    @cached_property
    def matched_position(self) -> Any:
        """Finds the array element that the query matched in a document."""
        return position_finder(self.query)


@dataclass(frozen=True)
class UpdateStatement:
    """One update as sent."""

    query: Mapping[str, Any]
    update: Any
    multi: bool = False
    upsert: bool = False
    array_filters: Sequence[Any] = ()
    variables: Mapping[str, Any] | None = None

    def compile(self, deployment: Deployment) -> Changes:
        """Compiles the update. Raises `CommandError`."""
        if self.upsert:
            refuse_expressions(self.query)
        compiled = compile_update(
            self.update,
            array_filters=self.array_filters,
            multi=self.multi,
            pipeline=lambda stages: execution.compile_update_pipeline(deployment, stages, self.variables),
        )
        return Changes(compiled, uses_position="$" in _components(self.update), now=_now())


@dataclass(frozen=True)
class Changes:
    """A compiled update with the time of its command; `uses_position` where a path has `$`."""

    update: Update
    uses_position: bool
    now: datetime


def _components(update: Any) -> set[str]:
    if not isinstance(update, Mapping):
        return set()
    return {
        component
        for fields in update.values()
        if isinstance(fields, Mapping)
        for path in fields
        for component in path.split(".")
    }


def _now() -> datetime:
    """The time in UTC, in whole milliseconds and without zone, as BSON keeps it."""
    now = datetime.now(timezone.utc).replace(tzinfo=None)  # noqa: UP017
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def apply_update(selection: Selection, changes: Changes, key: int, document: Document) -> bool:
    """Changes one stored document; returns whether anything changed."""
    matched = selection.matched_position(document) if changes.uses_position else None
    new = changes.update.apply(Occasion(document, changes.now, matched=matched))
    if new is document:
        return False
    selection.check(new, document)
    selection.namespace.replace(key, new)
    return True


def insert_upserted(selection: Selection, changes: Changes) -> Document:
    """Inserts the document that the query and the update describe together; returns it as stored."""
    replaces = isinstance(changes.update, Replacement)
    seeded = seed(selection.query, only_identifier=replaces)
    document = changes.update.apply(Occasion(seeded, changes.now, inserting=True))
    if isinstance(changes.update, PipelineUpdate) and "_id" not in document and "_id" in seeded:
        raise CommandError(66, "the _id of an upserted document cannot be removed")
    document = with_identifier(document)
    selection.check(document)
    return selection.namespace.insert(document)[1]
