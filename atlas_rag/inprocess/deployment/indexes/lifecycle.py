"""One search index from creation on: building, serving, rebuilding beside the one that serves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bson import Int64

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.index import Index

Definition = Mapping[str, Any]
HOST = "localhost"

_STATES = {"PENDING": "NOT_STARTED", "BUILDING": "INITIAL_SYNC", "FAILED": "FAILED"}


class Readiness:
    """When an index that is being built becomes queryable.

    Args:
        delay: seconds, ≥ 0, that each build takes; `math.inf` until `finish` is called.
        clock: monotonic seconds.
    """

    def __init__(self, delay: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        if not delay >= 0:
            raise ValueError(f"index_delay is {delay}; expected seconds, 0 or more")
        self.delay = delay
        self.clock = clock
        self._finished = -1.0

    def finish(self) -> None:
        """Ends all builds under way; builds that begin later take their time again."""
        self._finished = self.clock()

    def phase(self, begun: float) -> str:
        """Returns PENDING, BUILDING or READY for a build that began then."""
        elapsed = self.clock() - begun
        if elapsed >= self.delay or begun <= self._finished:
            return "READY"
        return "PENDING" if elapsed < self.delay / 4 and elapsed < 1 else "BUILDING"


@dataclass
class Build:
    """One version of an index."""

    definition: Definition
    version: int
    created_at: datetime
    begun: float
    index: Index
    failure: str = ""


@dataclass
class SearchIndex:
    """A named search or vector index of one collection.

    Attributes:
        kind: "search" or "vectorSearch".
        main: the build that serves, or will.
        staged: the build of a newer definition, until it takes over.
    """

    identifier: str
    name: str
    kind: str
    main: Build
    readiness: Readiness
    staged: Build | None = field(default=None)

    @property
    def latest(self) -> Build:
        """The build of the newest definition."""
        return self.staged or self.main

    def builds(self) -> Iterator[Build]:
        """All builds that must see writes."""
        yield self.main
        if self.staged:
            yield self.staged

    def put(self, key: int, document: Mapping[str, Any]) -> None:
        """A document was written."""
        for build in self.builds():
            build.index.put(key, document)

    def remove(self, key: int) -> None:
        """A document was deleted."""
        for build in self.builds():
            build.index.remove(key)

    def update(self, build: Build) -> None:
        """Begins to replace the definition; the old one serves until the new one is ready."""
        self._settle()
        if self.readiness.phase(build.begun) == "READY" or not self.queryable:
            self.main, self.staged = build, None
        else:
            self.staged = build

    def serving(self) -> Index:
        """Returns the index that answers now. Raises `EngineRefusal` while the first build is under way."""
        self._settle()
        status = self._status_of(self.main)
        if status != "READY":
            what = "vector index" if self.kind == "vectorSearch" else "search index"
            raise EngineRefusal(f"cannot query {what} {self.name} while in state {_STATES[status]}")
        return self.main.index

    @property
    def queryable(self) -> bool:
        """Whether a query is answered now."""
        return self._status_of(self.main) == "READY"

    @property
    def status(self) -> str:
        """PENDING, BUILDING, READY or FAILED: of the newest definition."""
        self._settle()
        return self._status_of(self.latest)

    def describe(self, documents: int) -> dict[str, Any]:
        """Returns the entry of `$listSearchIndexes`."""
        status, latest = self.status, self.latest
        host: dict[str, Any] = {"hostname": HOST, "status": status, "queryable": self.queryable}
        host["mainIndex"] = self._describe_build(self.main)
        if self.staged:
            host["stagedIndex"] = self._describe_build(self.staged)
        return {
            "id": self.identifier,
            "name": self.name,
            "type": self.kind,
            "status": status,
            "queryable": self.queryable,
            "latestVersion": latest.version,
            "latestDefinitionVersion": {"version": Int64(latest.version), "createdAt": latest.created_at},
            "latestDefinition": dict(latest.definition),
            "statusDetail": [host],
            "numDocs": Int64(documents if self.queryable else 0),
        }

    def _describe_build(self, build: Build) -> dict[str, Any]:
        status = self._status_of(build)
        entry = {
            "status": status,
            "queryable": status == "READY",
            "definitionVersion": {"version": Int64(build.version), "createdAt": build.created_at},
            "definition": dict(build.definition),
        }
        return entry | ({"message": build.failure} if build.failure else {})

    def _status_of(self, build: Build) -> str:
        return "FAILED" if build.failure else self.readiness.phase(build.begun)

    def _settle(self) -> None:
        """Lets a finished newer build take over."""
        if self.staged and self._status_of(self.staged) == "READY":
            self.main, self.staged = self.staged, None


def same_definition(kind: str, one: Definition, other: Definition) -> bool:
    """Whether creating an index again is a repetition. Vector indexes compare fields and partitions only."""
    if kind == "vectorSearch":
        return one.get("fields") == other.get("fields") and one.get("numPartitions", 1) == other.get(
            "numPartitions", 1
        )
    return one == other


def fill(index: Index, rows: Iterable[tuple[int, Mapping[str, Any]]]) -> Index:
    """Puts all documents of a collection into a fresh index."""
    for key, document in rows:
        index.put(key, document)
    return index
