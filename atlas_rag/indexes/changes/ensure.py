"""Plan, apply and wait in one: what a service or a script wants when it starts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from atlas_rag.indexes.changes.apply import apply_plan
from atlas_rag.indexes.changes.limits import Tier
from atlas_rag.indexes.changes.plan import plan_indexes
from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.indexes.state import IndexState
from atlas_rag.indexes.waiting.wait import DEFAULT_TIMEOUT, Progress, wait_for_indexes
from atlas_rag.wire import Clock, Flow, public_flow
from atlas_rag.wire.pump import SYSTEM_CLOCK


@public_flow
def ensure_indexes(
    namespace: str,
    wanted: Sequence[WantedIndex],
    *,
    allow: Collection[str] = (),
    limits: Tier | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    progress: Progress | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> Flow[tuple[IndexState, ...]]:
    """Creates what is missing, updates what differs, and waits until all of it can be queried.

    Running it again changes nothing.

    Args:
        allow: names of indexes whose dangerous change is wanted. timeout: seconds to wait, default 300.

    Raises:
        SearchIndexError: INDEX_CHANGE_REFUSED, INDEX_QUOTA, INDEX_FAILED, INDEX_MISSING, INDEX_NOT_READY.
        ServerError: whatever the deployment answers to a change.
    """
    plan = yield from plan_indexes(namespace, wanted, limits=limits)
    applied = yield from apply_plan(plan, allow=allow, clock=clock)
    if applied.error is not None:
        raise applied.error
    return (yield from wait_for_indexes(namespace, wanted, timeout=timeout, progress=progress, clock=clock))
