"""Input pipelines of a fusion that brought nothing, and whether their index is still as it was."""

from __future__ import annotations

from collections.abc import Sequence

from atlas_rag.capability import CapabilityReport
from atlas_rag.capability.listing import read_indexes
from atlas_rag.hits import Hit
from atlas_rag.plan import Cause, Note, Plan, Route
from atlas_rag.retriever.empty import Indexes
from atlas_rag.wire import Command, Flow, Reply, gather


def silent_inputs(plan: Plan, hits: Sequence[Hit]) -> list[Note]:
    """A note on each input pipeline that has a weight and that none of the hits came from.

    Only a fusion that reports ranks tells; beside a reranker of the deployment nothing is known.
    """
    if not hits or not hits[0].contributions:
        return []
    said = [hit.contributions for hit in hits]
    silent = [
        name
        for name in plan.inputs
        if plan.weights.get(name, 1.0) and not any(one[name].found for one in said if name in one)
    ]
    what = "it found nothing" if plan.route is Route.CLIENT else f"none of the {len(hits)} rows is from it"
    return [
        Note(Cause.INPUT_SILENT, f"the input pipeline {name!r} brought nothing: {what}", name)
        for name in silent
    ]


def indexes_changed(plan: Plan, report: CapabilityReport, time_limit_ms: int) -> Flow[bool]:
    """Whether an index of the plan is no longer as the report says; asked once something points to it."""
    asked = Command.aggregate(plan.collection, [{"$listSearchIndexes": {}}], time_limit_ms=time_limit_ms)
    (listing,) = yield from gather((asked,))
    if not isinstance(listing, Reply):
        return False
    return differs({index.name: index for index in read_indexes(listing.documents)}, plan, report)


def differs(now: Indexes | None, plan: Plan, report: CapabilityReport) -> bool:
    """Whether an index of the plan is not as the report says; False where either is not known."""
    if report.indexes is None or now is None:
        return False
    return any(now.get(name) != report.index(name) for name in plan.indexes)
