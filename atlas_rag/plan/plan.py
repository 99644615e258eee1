"""What will be sent for one request on one deployment, by which route, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from atlas_rag.capability.report import CapabilityReport
from atlas_rag.hits.score import ScoreKind
from atlas_rag.plan import emit
from atlas_rag.plan.draft import Draft, Route
from atlas_rag.plan.inputs import Input
from atlas_rag.plan.rules import RULES
from atlas_rag.query.filter import Filter
from atlas_rag.query.request import Mode, Request
from atlas_rag.stages.pipeline import Pipeline
from atlas_rag.wire.command import DEFAULT_TIME_LIMIT_MS, Command


@dataclass(frozen=True, slots=True)
class Plan:
    """The commands of one retrieval, and every decision that led to them.

    Args:
        pipelines: by input pipeline name on the client route, else one under "".
        route, route_reason: how rankings become one, and why so.
        requested_mode, mode, mode_reason: what was asked for, what runs, and why.
        score_kind: what the result's scores measure.
        inputs: the kind of raw score of each input pipeline that runs.
        weights: of the pipelines that run; empty where all are 1.
        condition: store filter and query filter, combined and simplified; None for none.
        depth: documents per input pipeline. num_candidates: neighbours visited.
        limit, skip, reject_window: the window of the result, and what is fetched beyond it.
    """

    collection: str
    pipelines: Mapping[str, Pipeline] = field(repr=False)
    route: Route
    route_reason: str
    requested_mode: Mode
    mode: Mode
    mode_reason: str
    score_kind: ScoreKind
    inputs: Mapping[str, ScoreKind]
    weights: Mapping[str, float]
    condition: Filter | None
    depth: int
    num_candidates: int
    limit: int
    skip: int
    reject_window: int

    def commands(self, time_limit_ms: int = DEFAULT_TIME_LIMIT_MS) -> tuple[Command, ...]:
        """The requests, in input pipeline order; none where nothing can match."""
        rows = self.depth if self.route is Route.CLIENT else self.limit + self.reject_window
        return tuple(
            Command.aggregate(self.collection, pipeline.to_list(), max_rows=rows, time_limit_ms=time_limit_ms)
            for pipeline in self.pipelines.values()
        )


def make_plan(
    request: Request,
    inputs: tuple[Input, ...],
    report: CapabilityReport,
    routes: tuple[Route, ...] = (Route.NATIVE, Route.EMULATED, Route.CLIENT),
) -> Plan:
    """Plans one request: a pure function of its arguments.

    Args:
        routes: allowed ways to fuse, in order of preference.

    Raises:
        CallError, RetrievalError, SearchIndexError: before anything is sent.
    """
    draft = Draft(request=request, inputs=inputs, report=report, routes=routes)
    for rule in RULES:
        rule(draft)
    collection = report.namespace.partition(".")[2]
    return Plan(
        collection=collection,
        pipelines=_pipelines(draft, collection),
        route=draft.route,
        route_reason=draft.route_reason,
        requested_mode=request.mode,
        mode=draft.mode,
        mode_reason=draft.mode_reason,
        score_kind=draft.chosen[0].kind if len(draft.chosen) == 1 else ScoreKind.RANK_FUSION,
        inputs={one.name: one.kind for one in sorted(draft.chosen, key=lambda one: one.name)},
        weights=draft.weights or {},
        condition=None if isinstance(draft.condition, str) else draft.condition,
        depth=draft.depth,
        num_candidates=draft.num_candidates,
        limit=request.limit,
        skip=request.skip,
        reject_window=request.reject_window,
    )


def _pipelines(draft: Draft, collection: str) -> Mapping[str, Pipeline]:
    match draft.route:
        case Route.SINGLE:
            return {"": emit.single(draft)}
        case Route.NATIVE:
            return {"": emit.native(draft)}
        case Route.EMULATED:
            return {"": emit.emulated(draft, collection)}
        case Route.CLIENT:
            return emit.client(draft)
        case Route.NONE:
            return {}
