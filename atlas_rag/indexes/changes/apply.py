"""Carries a plan out and reports every change."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from atlas_rag.errors import AtlasRagError, Code, SearchIndexError
from atlas_rag.indexes.changes import steps
from atlas_rag.indexes.changes.plan import Action, Change, IndexPlan
from atlas_rag.indexes.changes.rollback import Previous
from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.wire import Clock, Flow, public_flow
from atlas_rag.wire.pump import SYSTEM_CLOCK


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a plan: changes made, the one that failed with its error, and those not begun."""

    namespace: str
    done: tuple[Change, ...]
    failed: Change | None = None
    error: AtlasRagError | None = None
    left: tuple[Change, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every change was made."""
        return self.error is None

    @property
    def previous(self) -> Previous:
        """What was there before the changes that were begun, for `rollback`."""
        begun = self.done if self.failed is None else (*self.done, self.failed)
        return Previous.of(self.namespace, begun)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "namespace": self.namespace,
            "done": [change.to_dict() for change in self.done],
            "failed": None if self.failed is None else self.failed.to_dict(),
            "error": None if self.error is None else str(self.error),
            "left": [change.name for change in self.left],
        }


@public_flow
def apply_plan(
    plan: IndexPlan,
    *,
    allow: Collection[str] = (),
    create_collection: bool = False,
    clock: Clock = SYSTEM_CLOCK,
) -> Flow[Applied]:
    """Makes the changes of a plan, one after the other; stops at the first that fails and says where.

    Running it again is harmless: an equal index is left alone, and one that somebody else has made meanwhile
    counts as made if it means the same. Nothing is waited for but the end of a dropped index; see
    `wait_for_indexes`.

    Args:
        allow: names of indexes whose dangerous change is wanted.
        create_collection: make the collection where it is missing; else that is an error.

    Raises:
        SearchIndexError: INDEX_CHANGE_REFUSED before anything is sent, if a dangerous change is not allowed.
    """
    _check_allowed(plan, allow)
    done: list[Change] = []
    for position, change in enumerate(plan.pending):
        try:
            if create_collection and change.action is Action.CREATE and not done:
                yield from steps.create_collection(plan.namespace, clock)
            yield from _make(plan.namespace, change, clock)
        except AtlasRagError as error:
            return Applied(plan.namespace, tuple(done), change, error, plan.pending[position + 1 :])
        done.append(change)
    return Applied(plan.namespace, tuple(done))


def _check_allowed(plan: IndexPlan, allow: Collection[str]) -> None:
    for change in plan.pending:
        if change.danger and change.name not in allow:
            raise SearchIndexError(
                f"Index {change.name!r}: {change.danger}",
                expected=f"allow={[change.name]!r}",
                next_step="build a new index beside it, or allow the change by name; nothing was changed",
                code=Code.INDEX_CHANGE_REFUSED,
            )


def _make(namespace: str, change: Change, clock: Clock) -> Flow[None]:
    if change.wanted is None:
        yield from steps.drop(namespace, change.name, clock)
    else:
        yield from STEPS[change.action](namespace, change.wanted, clock)


STEPS: dict[Action, Callable[[str, WantedIndex, Clock], Flow[None]]] = {
    Action.CREATE: steps.create,
    Action.UPDATE: steps.update,
    Action.REPLACE: steps.replace,
}
