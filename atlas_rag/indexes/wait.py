"""Waits for what can be seen: an index with the definition asked for; documents that are found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.errors import CallError, Code, SearchIndexError
from atlas_rag.indexes.compare import differences
from atlas_rag.indexes.state import TERMINAL, IndexState, list_states
from atlas_rag.indexes.wanted import WantedIndex
from atlas_rag.wire import Clock, Command, Pause, Protocol
from atlas_rag.wire.pump import SYSTEM_CLOCK

DEFAULT_TIMEOUT = 300.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
GRACE = 5.0
"""Seconds in which an index that was just created may not be listed yet."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What one look saw: states by index name, and the seconds since the start."""

    states: tuple[tuple[str, str], ...]
    seconds: float


Progress = Callable[[Waiting], None]


def wait_for_indexes(
    namespace: str,
    wanted: Sequence[WantedIndex],
    *,
    timeout: float = DEFAULT_TIMEOUT,
    progress: Progress | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> Protocol[tuple[IndexState, ...]]:
    """Waits until every index can be queried with the definition asked for.

    An index whose old definition still serves is not ready: the status alone says READY too early.

    Args:
        timeout: seconds, default 300. progress: told of every look.

    Raises:
        SearchIndexError: INDEX_FAILED at once for FAILED, with the deployment's reason; INDEX_MISSING at
            once for one that is being deleted, and after a short grace for one that does not exist;
            INDEX_NOT_READY after the time limit, with the last states.
    """
    if not timeout >= 0:
        raise CallError(f"timeout is {timeout}", expected="seconds, 0 or more")
    start, pause = clock.time(), FIRST_PAUSE
    while True:
        present = yield from list_states(namespace.partition(".")[2])
        waited = clock.time() - start
        states = tuple((index.name, _status(index, present.get(index.name))) for index in wanted)
        if progress is not None:
            progress(Waiting(states, waited))
        _check_terminal(namespace, wanted, present, waited)
        if all(status == "ready" for _, status in states):
            return tuple(present[index.name] for index in wanted)
        if waited >= timeout:
            raise SearchIndexError(
                f"After {waited:.0f} s the indexes on {namespace} are {dict(states)}",
                expected="every one queryable with the definition asked for",
                next_step="wait longer, or look at the deployment",
                code=Code.INDEX_NOT_READY,
            )
        yield Pause(min(pause, max(timeout - waited, 0.01)))
        pause = min(pause * 2, LONGEST_PAUSE)


def _status(index: WantedIndex, state: IndexState | None) -> str:
    if state is None:
        return "DOES_NOT_EXIST"
    if not state.queryable:
        return state.status
    if differences(index.type, state.definition, index.to_dict()["definition"]):
        return f"{state.status} with another definition"
    return "ready" if state.status in ("READY", "STALE") else f"{state.status}, the old definition serves"


def _check_terminal(
    namespace: str, wanted: Sequence[WantedIndex], present: Mapping[str, IndexState], waited: float
) -> None:
    for index in wanted:
        state = present.get(index.name)
        if state is None and waited < GRACE:
            continue
        status = "DOES_NOT_EXIST" if state is None else state.status
        if status not in TERMINAL:
            continue
        if status == "FAILED":
            raise SearchIndexError(
                f"The index {index.name!r} on {namespace} has failed: {state.message if state else ''}",
                next_step="correct the definition and apply it again",
                code=Code.INDEX_FAILED,
            )
        raise SearchIndexError(
            f"The index {index.name!r} on {namespace} is {status}",
            expected="an index that is being built",
            next_step="apply the definition (again)",
            code=Code.INDEX_MISSING,
        )


def wait_until_searchable(
    namespace: str,
    index: WantedIndex,
    *,
    count: int | None = None,
    ids: Sequence[Any] = (),
    timeout: float = 60.0,
    clock: Clock = SYSTEM_CLOCK,
) -> Protocol[int]:
    """Waits until written documents are found: a ready index follows writes with a delay.

    Args:
        index: a search index that maps `_id` or is dynamic, or a vectorSearch index with a vector.
        count: how many documents must be found in all. ids: `_id`s that must be among them (search indexes
            whose mapping covers `_id`).

    Returns:
        how many documents are found.

    Raises:
        SearchIndexError: INDEX_NOT_READY after the time limit.
    """
    if count is None and not ids:
        raise CallError("There is nothing to wait for", expected="count or ids")
    collection = namespace.partition(".")[2]
    start, pause = clock.time(), FIRST_PAUSE
    while True:
        reply = yield Command.aggregate(collection, _counting(index, ids))
        found = int(reply.documents[0]["n"]) if reply.documents else 0
        if found >= (len(ids) if count is None else count):
            return found
        waited = clock.time() - start
        if waited >= timeout:
            raise SearchIndexError(
                f"After {waited:.0f} s {found} documents are found in {index.name!r}",
                expected=f"{len(ids) if count is None else count}",
                next_step="wait longer, or run check-documents: some may never be found",
                code=Code.INDEX_NOT_READY,
            )
        yield Pause(pause)
        pause = min(pause * 2, LONGEST_PAUSE)


def _counting(index: WantedIndex, ids: Sequence[Any]) -> list[dict[str, Any]]:
    if index.type == "search":
        operator = {"in": {"path": "_id", "value": list(ids)}} if ids else {"exists": {"path": "_id"}}
        return [{"$search": {"index": index.name, **operator}}, {"$count": "n"}]
    definition = index.to_dict()["definition"]
    field = next(one for one in definition["fields"] if one.get("type") == "vector")
    vector = [1.0] + [0.0] * (int(field["numDimensions"]) - 1)
    body = {
        "index": index.name,
        "path": field["path"],
        "queryVector": vector,
        "exact": True,
        "limit": 1_000_000,
    }
    matched = [{"$match": {"_id": {"$in": list(ids)}}}] if ids else []
    return [{"$vectorSearch": body}, {"$project": {"_id": 1}}, *matched, {"$count": "n"}]
