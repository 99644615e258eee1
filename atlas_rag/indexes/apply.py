"""Carries a plan out, reports every change, and takes it back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.errors import AtlasRagError, Code, SearchIndexError, ServerError
from atlas_rag.indexes.plan import Action, Change, IndexPlan
from atlas_rag.indexes.state import IndexState, list_states
from atlas_rag.indexes.wanted import WantedIndex
from atlas_rag.wire import Clock, Command, Pause, Protocol
from atlas_rag.wire.pump import SYSTEM_CLOCK

GONE_TIMEOUT = 120.0
POLL = 0.5
SAME_NAME = frozenset({68, 20})
"""Codes for a name that is taken: somebody else was quicker, or the old index is still going."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a plan: changes made, the one that failed with its error, and those not begun.

    `previous` holds every definition that was there before, by name; `rollback` goes back to it.
    """

    namespace: str
    done: tuple[Change, ...]
    failed: Change | None = None
    error: AtlasRagError | None = None
    left: tuple[Change, ...] = ()
    previous: dict[str, IndexState | None] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every change was made."""
        return self.error is None

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "namespace": self.namespace,
            "done": [change.to_dict() for change in self.done],
            "failed": None if self.failed is None else self.failed.to_dict(),
            "error": None if self.error is None else str(self.error),
            "left": [change.name for change in self.left],
        }


def apply_plan(
    plan: IndexPlan, *, allow: Collection[str] = (), clock: Clock = SYSTEM_CLOCK
) -> Protocol[Applied]:
    """Makes the changes of a plan, one after the other; stops at the first that fails and says where.

    Running it again is harmless: an equal index is left alone, and one that somebody else has made meanwhile
    counts as made if it means the same. Nothing is waited for but the end of a dropped index; see
    `wait_for_indexes`.

    Args:
        allow: names of indexes whose dangerous change is wanted.

    Raises:
        SearchIndexError: INDEX_CHANGE_REFUSED before anything is sent, if a dangerous change is not allowed.
    """
    for change in plan.pending:
        if change.danger and change.name not in allow:
            raise SearchIndexError(
                f"Index {change.name!r}: {change.danger}",
                expected=f"allow={[change.name]!r}",
                next_step="build a new index beside it, or allow the change by name; nothing was changed",
                code=Code.INDEX_CHANGE_REFUSED,
            )
    previous = {change.name: change.before for change in plan.pending}
    done: list[Change] = []
    for position, change in enumerate(plan.pending):
        try:
            yield from STEPS[change.action](plan, change, clock)
        except AtlasRagError as error:
            left = plan.pending[position + 1 :]
            return Applied(plan.namespace, tuple(done), change, error, left, previous)
        done.append(change)
    return Applied(plan.namespace, tuple(done), previous=previous)


def rollback(applied: Applied, *, clock: Clock = SYSTEM_CLOCK) -> Protocol[tuple[str, ...]]:
    """Brings back what was there before the changes that were made, the last one first.

    Returns:
        what was done, one line per index.
    """
    lines: list[str] = []
    plan = IndexPlan(applied.namespace, ())
    begun = (*applied.done, *((applied.failed,) if applied.failed is not None else ()))
    for change in reversed(begun):
        before = applied.previous.get(change.name)
        present = (yield from list_states(plan.collection)).get(change.name)
        if before is None:
            if present is not None and present.status != "DELETING":
                yield from _drop(plan, change, clock)
                lines.append(f"dropped {change.name}")
            continue
        old = WantedIndex(before.name, before.type, before.definition)
        if present is None or present.status == "DELETING":
            yield from _create(plan, Change(Action.CREATE, old.name, wanted=old), clock)
            lines.append(f"created {change.name} again")
        elif present.type != before.type:
            yield from _replace(plan, Change(Action.REPLACE, old.name, before=present, wanted=old), clock)
            lines.append(f"replaced {change.name} with what was there")
        elif dict(present.definition) != dict(before.definition):
            yield from _update(plan, Change(Action.UPDATE, old.name, wanted=old), clock)
            lines.append(f"updated {change.name} to what was there")
    return tuple(lines)


def _create(plan: IndexPlan, change: Change, clock: Clock) -> Protocol[None]:
    assert change.wanted is not None  # noqa: S101 - a plan's creations have it
    yield from _until_gone(plan, change.name, clock)
    body = {"createSearchIndexes": plan.collection, "indexes": [change.wanted.to_dict()]}
    try:
        yield Command(body)
    except ServerError as error:
        if error.server_code not in SAME_NAME or not (yield from _is_there(plan, change.wanted)):
            raise


def _update(plan: IndexPlan, change: Change, clock: Clock) -> Protocol[None]:
    assert change.wanted is not None  # noqa: S101 - a plan's updates have it
    definition = change.wanted.to_dict()["definition"]
    yield Command({"updateSearchIndex": plan.collection, "name": change.name, "definition": definition})


def _replace(plan: IndexPlan, change: Change, clock: Clock) -> Protocol[None]:
    yield from _drop(plan, change, clock)
    yield from _create(plan, change, clock)


def _drop(plan: IndexPlan, change: Change, clock: Clock) -> Protocol[None]:
    try:
        yield Command({"dropSearchIndex": plan.collection, "name": change.name})
    except ServerError as error:
        if error.server_code not in (27, 20):
            raise


def _until_gone(plan: IndexPlan, name: str, clock: Clock) -> Protocol[None]:
    """Waits for an old index of this name to end: a new one would be confused with it."""
    start = clock.time()
    while True:
        state = (yield from list_states(plan.collection)).get(name)
        if state is None or state.status != "DELETING":
            return
        if clock.time() - start >= GONE_TIMEOUT:
            raise SearchIndexError(
                f"The old index {name!r} on {plan.namespace} is still being deleted",
                expected=f"gone within {GONE_TIMEOUT:.0f} s",
                next_step="run this again later, or choose another name",
                code=Code.INDEX_NOT_READY,
            )
        yield Pause(POLL)


def _is_there(plan: IndexPlan, wanted: WantedIndex) -> Generator[Any, Any, bool]:
    from atlas_rag.indexes.compare import differences

    state = (yield from list_states(plan.collection)).get(wanted.name)
    if state is None or state.type != wanted.type:
        return False
    return not differences(wanted.type, state.definition, wanted.to_dict()["definition"])


Step = Callable[[IndexPlan, Change, Clock], Protocol[None]]
STEPS: dict[Action, Step] = {
    Action.CREATE: _create,
    Action.UPDATE: _update,
    Action.REPLACE: _replace,
    Action.DROP: _drop,
}
