"""What will be sent for one request on one deployment, by which route, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.capability.report import CapabilityReport
from atlas_rag.plan import emit
from atlas_rag.plan.draft import DEFAULT_ROUTES, Draft, Reranking, Route, Setting
from atlas_rag.plan.fusion import Fusion
from atlas_rag.plan.inputs import Input, check_inputs
from atlas_rag.plan.note import Note
from atlas_rag.plan.rules import BEFORE_EMBEDDING, WHEN_INPUTS_CHANGE, check_vectors
from atlas_rag.plan.rules.thresholds import final_kind
from atlas_rag.plan.variants import with_variants
from atlas_rag.plan.window import Window
from atlas_rag.query.filter import Filter
from atlas_rag.query.mode import Mode
from atlas_rag.query.request import NativeReranker, Request
from atlas_rag.query.threshold import ScoreKind
from atlas_rag.stages import Stage
from atlas_rag.stages.pipeline import Pipeline
from atlas_rag.stages.vector import as_vector
from atlas_rag.wire.command import DEFAULT_TIME_LIMIT_MS, Command


@dataclass(frozen=True, slots=True)
class Plan:
    """The commands of one retrieval, and every decision that led to them.

    Args:
        pipelines: by input pipeline name on the client route, else one under "".
        route, route_reason: how rankings become one, and why so.
        requested_mode, mode, mode_reason: what was asked for, what runs, and why.
        fusion: how lists become one; None for one list.
        score_kind: what the scores that come back measure.
        inputs: the kind of raw score of each input pipeline that runs.
        indexes: names of the search indexes that are asked.
        weights: of the pipelines that run; empty where all are 1.
        condition: store filter and query filter, combined and simplified; None for none.
        depth: documents per input pipeline. num_candidates: neighbours visited, None for an exact scan.
        window: how many documents come back.
        thresholds: what a final score must reach, by kind. floors: what a score must reach before fusion or
            reranker, by kind.
        reranking: who gives the final order.
        notes: what goes otherwise than asked.
    """

    collection: str
    pipelines: Mapping[str, Pipeline] = field(repr=False)
    route: Route
    route_reason: str
    requested_mode: Mode
    mode: Mode
    mode_reason: str
    fusion: Fusion | None
    score_kind: ScoreKind
    inputs: Mapping[str, ScoreKind]
    indexes: tuple[str, ...]
    weights: Mapping[str, float]
    condition: Filter | None
    depth: int
    num_candidates: int | None
    window: Window
    thresholds: Mapping[ScoreKind, float]
    floors: Mapping[ScoreKind, float]
    reranking: Reranking
    notes: tuple[Note, ...] = field(repr=False)
    ranked: Mapping[str, Pipeline] = field(default_factory=dict, repr=False)
    """The ranked stages of each input pipeline, without what follows them."""

    dimensions: int | None = None
    """Of the query vector; None where no vector is asked with."""

    belt: tuple[Stage, ...] = field(default=(), repr=False)
    """The whole filter of the question as a stage; empty for none."""

    shown: tuple[Stage, ...] = field(default=(), repr=False)
    """What takes vectors, and fields that are not asked for, out of documents."""

    vectors_at: str = ""
    """Path of the stored vectors by which hits are told apart; empty where none are asked for."""

    @property
    def skip(self) -> int:
        """Documents passed over on the server."""
        return self.window.first

    @property
    def rows(self) -> int:
        """Rows that come back at most."""
        return self.window.rows

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


def begin(request: Request, setting: Setting, report: CapabilityReport) -> Draft:
    """Decides all that can be decided before a question is embedded.

    Raises:
        CallError, RetrievalError, SearchIndexError.
    """
    draft = Draft(*with_variants(request, setting), report)
    for rule in BEFORE_EMBEDDING:
        rule(draft)
    return draft


def finish(draft: Draft, vectors: Mapping[str, Any] | None = None) -> Plan:
    """Checks the query vectors and spells the pipelines.

    Args:
        vectors: by input pipeline name, as `as_vector` makes them; default the request's own for each.

    Raises:
        CallError: INVALID_VECTOR.
    """
    vectors = own_vectors(draft) if vectors is None else vectors
    if draft.route is not Route.NONE:
        chosen = draft.chosen
        check_vectors(draft, vectors)
        if draft.chosen != chosen:
            for rule in WHEN_INPUTS_CHANGE:
                rule(draft)
    collection = draft.report.namespace.partition(".")[2]
    ranked = {} if draft.route is Route.NONE else emit.ranked(draft, vectors)
    return Plan(
        collection=collection,
        pipelines=_pipelines(draft, collection, ranked),
        route=draft.route,
        route_reason=draft.route_reason,
        requested_mode=draft.request.options.search_mode,
        mode=draft.mode,
        mode_reason=draft.mode_reason,
        fusion=draft.setting.fusion if draft.fuses else None,
        score_kind=final_kind(draft) if draft.reranking.by == "deployment" else draft.retrieval_kind,
        inputs={one.name: one.kind for one in draft.chosen},
        indexes=tuple(one.index for one in draft.chosen),
        weights=draft.weights or {},
        condition=None if isinstance(draft.belt, str) else draft.belt,
        depth=draft.depth,
        num_candidates=draft.num_candidates if any(one.approximate for one in draft.chosen) else None,
        window=draft.window,
        thresholds=draft.thresholds,
        floors=draft.floors,
        reranking=draft.reranking,
        notes=tuple(draft.notes),
        dimensions=next((vector.dimensions for vector in vectors.values()), None),
        ranked={name: Pipeline(stages) for name, stages in ranked.items()},
        belt=tuple(emit.belt(draft)),
        shown=tuple(emit.shown(draft)),
        vectors_at=draft.vectors_at,
    )


def own_vectors(draft: Draft) -> dict[str, Any]:
    """The request's own vector for each input that needs one; a text goes to an input's own embedder."""
    request = draft.request
    if request.vector is None:
        return {}
    vector = as_vector(request.vector)
    return {
        one.name: vector
        for one in draft.chosen
        if one.needs_vector and one.wording is None and (one.own_embedder is None or request.text is None)
    }


def make_plan(
    request: Request,
    inputs: tuple[Input, ...],
    report: CapabilityReport,
    routes: tuple[Route, ...] = DEFAULT_ROUTES,
    *,
    fusion: Fusion | None = None,
    reranker: NativeReranker | None = None,
) -> Plan:
    """Plans one request: a pure function of its arguments.

    Args:
        routes: allowed ways to fuse, in order of preference.
        fusion: how lists become one; default by ranks. reranker: the deployment's own, if it is to rerank.

    Raises:
        CallError, RetrievalError, SearchIndexError: before anything is sent.
    """
    reranking = Reranking() if reranker is None else Reranking("deployment", reranker.id, native=reranker)
    setting = Setting(check_inputs(inputs), routes, fusion or Fusion(), reranking)
    return finish(begin(request, setting, report))


def _pipelines(draft: Draft, collection: str, ranked: emit.Ranked) -> Mapping[str, Pipeline]:
    match draft.route:
        case Route.SINGLE:
            return {"": emit.single(draft, ranked)}
        case Route.NATIVE:
            return {"": emit.native(draft, ranked)}
        case Route.EMULATED:
            return {"": emit.emulated(draft, ranked, collection)}
        case Route.CLIENT:
            return emit.client(draft, ranked)
        case Route.NONE:
            return {}
