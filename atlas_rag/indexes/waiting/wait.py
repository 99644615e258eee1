"""Waits for what can be seen: indexes that answer with the definition asked for."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.errors import Code, SearchIndexError, ServerError
from atlas_rag.indexes.changes.compare import differences
from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.indexes.state import TERMINAL, IndexState, list_states
from atlas_rag.indexes.waiting.patience import Patience
from atlas_rag.wire import Clock, Flow
from atlas_rag.wire.pump import SYSTEM_CLOCK

DEFAULT_TIMEOUT = 300.0
GRACE = 5.0
"""Seconds in which a listing may lag behind a change that was accepted."""

PASSING = frozenset(
    {
        Code.CONNECTION_LOST,
        Code.SERVER_TIMEOUT,
        Code.SERVER_UNREACHABLE,
        Code.SEARCH_ENGINE_DOWN,
        Code.OVERLOADED,
    }
)
"""Errors of a look that the next look may not meet."""


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
) -> Flow[tuple[IndexState, ...]]:
    """Waits until every index can be queried with the definition asked for.

    An index whose old definition still serves is not ready: the status alone says READY too early. A look
    that the network prevents is repeated like any other.

    Args:
        timeout: seconds, default 300. progress: told of every look.

    Raises:
        SearchIndexError: INDEX_FAILED at once for FAILED, with the deployment's reason; INDEX_MISSING at
            once for one that is being deleted, and after a short grace for one that does not exist;
            INDEX_NOT_READY after the time limit, with the last states.
        ServerError: NOT_AUTHORIZED and others that waiting does not cure.
    """
    patience = Patience(timeout, clock)
    while True:
        present = yield from _look(namespace, patience)
        waited = patience.waited
        states = tuple((index.name, _status(index, present.get(index.name))) for index in wanted)
        if progress is not None:
            progress(Waiting(states, waited))
        _check_terminal(namespace, wanted, present, waited)
        if all(status == "ready" for _, status in states):
            return tuple(present[index.name] for index in wanted)
        if patience.over:
            raise SearchIndexError(
                f"After {waited:.0f} s the indexes on {namespace} are {dict(states)}",
                expected="every one queryable with the definition asked for",
                next_step="wait longer, or look at the deployment",
                code=Code.INDEX_NOT_READY,
            )
        yield patience.pause()


def _look(namespace: str, patience: Patience) -> Generator[Any, Any, dict[str, IndexState]]:
    """The states, once the deployment answers. Raises what a last look meets after the time limit."""
    while True:
        try:
            return (yield from list_states(namespace.partition(".")[2]))
        except ServerError as error:
            if error.code not in PASSING or patience.over:
                raise
        yield patience.pause()


def _status(index: WantedIndex, state: IndexState | None) -> str:
    if state is None:
        return "DOES_NOT_EXIST"
    if not state.queryable:
        return f"{state.status}, not queryable" if state.status in ("READY", "STALE") else state.status
    if differences(index.type, state.definition, index.to_dict()["definition"]):
        return f"{state.status} with another definition"
    return "ready" if state.serves_latest else f"{state.status}, the old definition serves"


def _check_terminal(
    namespace: str, wanted: Sequence[WantedIndex], present: Mapping[str, IndexState], waited: float
) -> None:
    """Raises for an index that no waiting makes ready.

    What a listing shows may be a moment old: within the grace an index may be missing, and a failure counts
    only if it is that of the definition asked for.
    """
    for index in wanted:
        state = present.get(index.name)
        if state is None:
            if waited >= GRACE:
                raise _gone(namespace, index.name, "does not exist")
        elif state.status == "FAILED":
            definition = index.to_dict()["definition"]
            if waited >= GRACE or not differences(index.type, state.definition, definition):
                raise SearchIndexError(
                    f"The index {index.name!r} on {namespace} has failed: {state.message or 'no message'}",
                    next_step="correct the definition and apply it again",
                    code=Code.INDEX_FAILED,
                )
        elif state.status in TERMINAL:
            raise _gone(namespace, index.name, f"is {state.status}")


def _gone(namespace: str, name: str, state: str) -> SearchIndexError:
    return SearchIndexError(
        f"The index {name!r} on {namespace} {state}",
        expected="an index that is being built",
        next_step="apply the definition (again)",
        code=Code.INDEX_MISSING,
    )
