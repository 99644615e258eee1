"""What will be sent for one request on one deployment, by which route, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from atlas_rag.capability.report import CapabilityReport
from atlas_rag.hits.score import ScoreKind
from atlas_rag.plan import emit
from atlas_rag.plan.draft import Draft, Route
from atlas_rag.plan.inputs import Input, VectorInput
from atlas_rag.plan.rules import AFTER_EMBEDDING, BEFORE_EMBEDDING, check_sizes
from atlas_rag.query.filter import Filter
from atlas_rag.query.request import Mode, Request
from atlas_rag.quick_init import quick_init
from atlas_rag.stages.pipeline import Pipeline
from atlas_rag.wire.command import DEFAULT_TIME_LIMIT_MS, Command

DEFAULT_ROUTES = (Route.NATIVE, Route.EMULATED, Route.CLIENT)


@quick_init
@dataclass(frozen=True, slots=True)
class Plan:
    """The commands of one retrieval, and every decision that led to them.

    Args:
        pipelines: by input pipeline name on the client route, else one under "".
        route, route_reason: how rankings become one, and why so.
        requested_mode, mode, mode_reason: what was asked for, what runs, and why.
        score_kind: what the result's scores measure.
        inputs: the kind of raw score of each input pipeline that runs.
        indexes: names of the search indexes that are asked.
        weights: of the pipelines that run; empty where all are 1.
        condition: store filter and query filter, combined and simplified; None for none.
        depth: documents per input pipeline. num_candidates: neighbours visited, None for an exact scan.
        skip: documents passed over on the server.
        rows: rows that come back at most.
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
    indexes: tuple[str, ...]
    weights: Mapping[str, float]
    condition: Filter | None
    depth: int
    num_candidates: int | None
    skip: int
    rows: int

    def commands(self, time_limit_ms: int = DEFAULT_TIME_LIMIT_MS) -> tuple[Command, ...]:
        """The requests, in input pipeline order; none where nothing can match."""
        rows = self.depth if self.route is Route.CLIENT else self.rows
        return tuple(
            Command.aggregate(self.collection, pipeline.to_list(), max_rows=rows, time_limit_ms=time_limit_ms)
            for pipeline in self.pipelines.values()
        )

    @property
    def raw(self) -> tuple[str, ...]:
        """Names of what the pipelines pass through unread: syntax newer than this library."""
        return tuple(name for pipeline in self.pipelines.values() for name in pipeline.raw)


def begin(
    request: Request,
    inputs: tuple[Input, ...],
    report: CapabilityReport,
    routes: tuple[Route, ...] = DEFAULT_ROUTES,
) -> Draft:
    """Decides all that can be decided before a question is embedded, of a request whose sizes are sound.

    Raises:
        CallError, RetrievalError, SearchIndexError.
    """
    draft = Draft(request=request, inputs=inputs, report=report, routes=routes)
    for rule in BEFORE_EMBEDDING:
        rule(draft)
    return draft


def needs_vector(draft: Draft) -> bool:
    """Whether a vector pipeline will run that still lacks its query vector."""
    if draft.request.vector is not None or draft.route is Route.NONE:
        return False
    return any(one.mode is Mode.VECTOR for one in draft.chosen)


def finish(draft: Draft) -> Plan:
    """Checks the query vector and spells the pipelines.

    Raises:
        CallError: INVALID_VECTOR.
    """
    if draft.route is not Route.NONE:
        for rule in AFTER_EMBEDDING:
            rule(draft)
    request, chosen = draft.request, draft.chosen
    collection = draft.report.namespace.partition(".")[2]
    approximate = any(isinstance(one, VectorInput) and not one.exact for one in chosen)
    return Plan(
        collection=collection,
        pipelines=_pipelines(draft, collection),
        route=draft.route,
        route_reason=draft.route_reason,
        requested_mode=request.mode,
        mode=draft.mode,
        mode_reason=draft.mode_reason,
        score_kind=_score_kind(draft),
        inputs={one.name: one.kind for one in chosen},
        indexes=tuple(one.index for one in chosen),
        weights=draft.weights or {},
        condition=None if isinstance(draft.condition, str) else draft.condition,
        depth=draft.depth,
        num_candidates=draft.num_candidates if approximate else None,
        skip=0 if request.window is not None else request.skip,
        rows=request.window if request.window is not None else request.limit + request.reject_window,
    )


def _score_kind(draft: Draft) -> ScoreKind:
    if draft.request.rerank is not None:
        return ScoreKind.RERANK
    return draft.chosen[0].kind if len(draft.chosen) == 1 else ScoreKind.RANK_FUSION


def make_plan(
    request: Request,
    inputs: tuple[Input, ...],
    report: CapabilityReport,
    routes: tuple[Route, ...] = DEFAULT_ROUTES,
) -> Plan:
    """Plans one request: a pure function of its arguments.

    Args:
        routes: allowed ways to fuse, in order of preference.

    Raises:
        CallError, RetrievalError, SearchIndexError: before anything is sent.
    """
    check_sizes(request)
    return finish(begin(request, inputs, report, routes))


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
