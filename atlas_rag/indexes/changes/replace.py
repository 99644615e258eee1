"""Zero-downtime replacement: build beside, wait, switch the name that retrievers use, drop the old one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from atlas_rag.indexes.changes.apply import apply_plan
from atlas_rag.indexes.changes.plan import plan_indexes
from atlas_rag.indexes.desired.naming import named_by_content
from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.indexes.waiting.wait import DEFAULT_TIMEOUT, Progress, wait_for_indexes
from atlas_rag.wire import Call, Clock, Flow, public_flow
from atlas_rag.wire.pump import SYSTEM_CLOCK

Switch = Callable[[str, str], Awaitable[None] | None]
"""Told (old name, new name); makes every retriever use the new one before it returns."""


@public_flow
def replace_index(
    namespace: str,
    old: str,
    wanted: WantedIndex,
    switch: Switch,
    *,
    keep_old: bool = False,
    timeout: float = DEFAULT_TIMEOUT,
    progress: Progress | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> Flow[str]:
    """Builds the wanted definition beside the old index and changes over without a gap.

    The old index serves until `switch` has returned; if anything fails before, it is untouched and the new
    one stays to be looked at.

    Args:
        old: name of the index in use. wanted: its name is only the stem of the new one.
        keep_old: leave the old index for a quick way back.

    Returns:
        the name of the new index: the stem and a digest of the definition.

    Raises:
        SearchIndexError, ServerError: what applying and waiting raise; and whatever `switch` raises.
    """
    beside = named_by_content(wanted)
    plan = yield from plan_indexes(namespace, [beside])
    applied = yield from apply_plan(plan, clock=clock)
    if applied.error is not None:
        raise applied.error
    yield from wait_for_indexes(namespace, [beside], timeout=timeout, progress=progress, clock=clock)
    yield Call(partial(switch, old, beside.name))
    if not keep_old and old != beside.name:
        drop = yield from plan_indexes(namespace, [], drop=[old])
        dropped = yield from apply_plan(drop, allow=[old], clock=clock)
        if dropped.error is not None:
            raise dropped.error
    return beside.name
