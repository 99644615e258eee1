"""Creates what is missing and waits until it can be queried; running it again changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.capability import SearchIndex
from atlas_rag.capability.probe import read_indexes
from atlas_rag.errors import Code, SearchIndexError
from atlas_rag.indexes.wanted import WantedIndex
from atlas_rag.wire import Clock, Command, Pause, Protocol
from atlas_rag.wire.pump import SYSTEM_CLOCK

DEFAULT_TIMEOUT = 300.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a waiting call sees: states by index name, and the seconds it has waited."""

    states: tuple[tuple[str, str], ...]
    seconds: float


Progress = Callable[[Waiting], None]


def ensure_indexes(
    namespace: str,
    wanted: Sequence[WantedIndex],
    *,
    timeout: float = DEFAULT_TIMEOUT,
    progress: Progress | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> Protocol[tuple[SearchIndex, ...]]:
    """Creates the missing indexes and waits until all are queryable.

    Args:
        timeout: seconds to wait at most; default 300.
        progress: told of every look.

    Raises:
        SearchIndexError: INDEX_CONFLICT if one exists with another type; INDEX_FAILED as soon as one fails;
            INDEX_NOT_READY after the time limit, with the last states.
    """
    collection = namespace.partition(".")[2]
    present = {index.name: index for index in (yield from list_indexes(collection))}
    for want in wanted:
        found = present.get(want.name)
        if found is not None and found.type != want.type:
            raise SearchIndexError(
                f"The index {want.name!r} on {namespace} is of type {found.type}",
                expected=f"type {want.type}",
                next_step="choose another name, or drop the index first",
                code=Code.INDEX_CONFLICT,
            )
    missing = [want.to_dict() for want in wanted if want.name not in present]
    if missing:
        yield Command({"createSearchIndexes": collection, "indexes": missing})
    return (yield from _wait(namespace, [want.name for want in wanted], timeout, progress, clock))


def list_indexes(collection: str) -> Generator[Any, Any, tuple[SearchIndex, ...]]:
    """Every search index of a collection."""
    reply = yield Command.aggregate(collection, [{"$listSearchIndexes": {}}])
    return read_indexes(reply.documents)


def _wait(
    namespace: str, names: list[str], timeout: float, progress: Progress | None, clock: Clock
) -> Protocol[tuple[SearchIndex, ...]]:
    start, pause = clock.time(), FIRST_PAUSE
    while True:
        found = {index.name: index for index in (yield from list_indexes(namespace.partition(".")[2]))}
        states = tuple((name, found[name].status if name in found else "DOES_NOT_EXIST") for name in names)
        waited = clock.time() - start
        if progress is not None:
            progress(Waiting(states, waited))
        if all(name in found and found[name].queryable for name in names):
            return tuple(found[name] for name in names)
        failed = next((name for name, state in states if state == "FAILED"), None)
        if failed is not None:
            raise SearchIndexError(
                f"The index {failed!r} on {namespace} has failed",
                next_step="read its status message, correct the definition and build it again",
                code=Code.INDEX_FAILED,
            )
        if waited >= timeout:
            raise SearchIndexError(
                f"After {waited:.0f} s the indexes on {namespace} are {dict(states)}",
                expected="every one queryable",
                next_step="wait longer, or look at the deployment",
                code=Code.INDEX_NOT_READY,
            )
        yield Pause(min(pause, timeout - waited))
        pause = min(pause * 2, LONGEST_PAUSE)
