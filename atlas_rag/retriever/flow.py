"""The whole line as one flow: rewrite, know, choose, embed, do, rerank, select, record."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from atlas_rag.capability import CapabilityReport, Feature
from atlas_rag.errors import CallError, Code, RetrievalError, ServerError
from atlas_rag.hits import Hit, ScoreKind
from atlas_rag.hits.evidence import EmptyReason
from atlas_rag.plan import Plan, finish, needs_vector
from atlas_rag.query.keywords import has_keywords
from atlas_rag.query.request import Mode, NativeReranker, Request
from atlas_rag.retriever.empty import diagnose
from atlas_rag.retriever.execute import execute
from atlas_rag.retriever.options import RetrievalOptions, certain_threshold
from atlas_rag.retriever.progress import Stage, StageEvent, logger
from atlas_rag.retriever.record import record, skipped
from atlas_rag.retriever.reranking import rerank
from atlas_rag.retriever.result import Result
from atlas_rag.retriever.selecting import Verdict, judge
from atlas_rag.retriever.setup import Question, Setup
from atlas_rag.stages import as_vector
from atlas_rag.wire import Call, Flow

STALE = (Code.STAGE_UNKNOWN, Code.SEARCH_NOT_ENABLED)


@dataclass(slots=True)
class Trace:
    """What one call has done so far: milliseconds per stage, and notes."""

    stage_ms: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    embedded: bool = False
    thresholds: Mapping[ScoreKind, float] = field(default_factory=dict)


def retrieve(report: CapabilityReport, question: Question, setup: Setup) -> Flow[Result]:
    """One retrieval on the deployment of a report.

    Raises:
        CallError, RetrievalError, SearchIndexError: before any search is sent.
        ServerError: whatever the deployment answers.
    """
    trace = Trace()
    started = time.perf_counter()
    asked = yield from _rewritten(question, setup, trace)
    if asked is None:
        return Result((), None, partial(skipped, question, setup, trace.stage_ms), question.options)
    if asked.options.score_threshold is not None:
        trace.thresholds = certain_threshold(asked.options, possible_kinds(asked, setup))
    plan = yield from _planned(asked, setup, report, trace, started)
    _check_kind(plan, asked, setup, trace)
    hits = yield from _found(plan, setup, asked, trace)
    verdicts = yield from _judged(hits, plan, asked, setup, trace)
    admitted = tuple([hit for hit, reason in verdicts if reason is None])
    empty: EmptyReason | None = None
    if not admitted:
        empty = yield from _emptiness(plan, verdicts, asked, setup)
    rejected = tuple([hit for hit, reason in verdicts if reason is not None])
    recorded = partial(record, plan, verdicts, asked, setup, trace, empty)
    return Result(admitted, plan, recorded, asked.options, rejected)


def possible_kinds(question: Question, setup: Setup) -> tuple[ScoreKind, ...]:
    """Every kind that the final scores of this call could have."""
    options = question.options
    retrieval = {
        Mode.VECTOR: (ScoreKind.VECTOR_SIMILARITY,),
        Mode.KEYWORD: (ScoreKind.TEXT_RELEVANCE,),
        Mode.HYBRID: (ScoreKind.RANK_FUSION, ScoreKind.VECTOR_SIMILARITY),
    }[options.search_mode]
    if not _reranks(options.search_mode, setup):
        return retrieval
    final = _final_kind(options)
    return (final,) if options.on_reranker_failure == "refuse" else (final, *retrieval)


def _reranks(mode: Mode, setup: Setup) -> bool:
    return setup.reranker is not None and mode is not Mode.KEYWORD


def _final_kind(options: RetrievalOptions) -> ScoreKind:
    return ScoreKind.RERANK if options.final_selection.mode == "reranker_only" else ScoreKind.BLEND


def _check_kind(plan: Plan, question: Question, setup: Setup, trace: Trace) -> None:
    """Refuses a threshold that is of another kind than the scores this plan will give."""
    ours = _reranks(plan.mode, setup) and not isinstance(setup.reranker, NativeReranker)
    kind = _final_kind(question.options) if ours else plan.score_kind
    if trace.thresholds and kind not in trace.thresholds:
        raise CallError(
            f"score_threshold is for {', '.join(trace.thresholds)}, but {plan.mode_reason}",
            expected=f"a threshold for {kind.value}, which this call gives",
            next_step="pass one threshold per kind: {kind: value, …}",
            code=Code.SCORE_KIND_MISMATCH,
        )


def _rewritten(question: Question, setup: Setup, trace: Trace) -> Flow[Question | None]:
    if setup.rewriter is None or question.text is None:
        return question
    started = time.perf_counter()
    rewrite = partial(setup.rewriter.rewrite, question.text, question.history)
    decision = yield Call(rewrite, blocking=setup.rewriter.blocking)
    yield from ended(Stage.QUERY_REWRITE, started, None, setup, trace)
    if not decision.search:
        return None
    options = question.options
    if decision.keywords is not None:
        options = options.override({"keywords": decision.keywords})
    return replace(question, text=decision.query or question.text, options=options)


def _planned(
    question: Question, setup: Setup, report: CapabilityReport, trace: Trace, started: float
) -> Flow[Plan]:
    request = as_request(question, setup)
    if request.rerank is not None and not _may_rerank(request.rerank, question, report, trace):
        request = replace(request, rerank=None)
    draft = setup.planner.begin(request, question.options, report)
    if question.options.weights and len(draft.chosen) == 1:
        trace.notes.append(f"weights did not act: {draft.mode_reason}")
    yield from ended(Stage.FILTERING, started, None, setup, trace)
    if needs_vector(draft) and setup.embedder is not None:
        started = time.perf_counter()
        embed = partial(setup.embedder.embed_query, question.text or "")
        vector = yield Call(embed, blocking=setup.embedder.blocking)
        draft.request = replace(draft.request, vector=as_vector(vector))
        trace.embedded = True
        yield from ended(Stage.EMBEDDING, started, 1, setup, trace)
    return finish(draft)


def _may_rerank(reranker: NativeReranker, question: Question, report: CapabilityReport, trace: Trace) -> bool:
    """Whether the deployment can rerank; if not, it is refused or left out by policy."""
    if question.options.final_selection.mode != "reranker_only":
        raise CallError(
            "A blend needs retrieval scores, which $rerank replaces",
            expected="final_selection of mode reranker_only",
            next_step="use a reranker of this library for blends",
        )
    if report.can(Feature.RERANK):
        return True
    if question.options.on_reranker_failure == "refuse":
        report.require(Feature.RERANK)
    trace.notes.append(f"{reranker.id} was left out: {report.explain(Feature.RERANK)}")
    return False


def as_request(question: Question, setup: Setup) -> Request:
    """The request of one question: options resolved, candidates derived where a reranker follows."""
    options = question.options
    hits = options.limit + options.skip
    window = options.candidate_limit
    if window is None and _reranks(options.search_mode, setup):
        window = hits * options.top_k_multiplier
    if window is not None and window < hits:
        raise CallError(f"candidate_limit is {window}", expected=f"at least limit + skip = {hits}")
    return Request(
        text=question.text,
        vector=question.vector,
        keywords=_keywords(question),
        mode=options.search_mode,
        filter=options.filter,
        store_filter=options.store_filter,
        limit=options.limit,
        skip=options.skip,
        depth=options.depth,
        num_candidates=options.num_candidates,
        reject_window=options.reject_window,
        window=window,
        postfilter=options.postfilter,
        rerank=setup.reranker
        if isinstance(setup.reranker, NativeReranker) and options.search_mode is not Mode.KEYWORD
        else None,
        weights=options.weights,
        ignore_idle_weights=options.weights_policy == "ignore",
        prefer_hybrid_search=options.prefer_hybrid_search,
        require_hybrid_search=options.require_hybrid_search,
        max_candidates=options.max_candidates,
    )


def _keywords(question: Question) -> tuple[str, ...] | None:
    """None keeps the whole question as the keyword query; a hybrid question of stop words has none."""
    options = question.options
    if options.keywords is not None or options.search_mode is not Mode.HYBRID:
        return options.keywords
    return None if has_keywords(question.text or "") else ()


def _found(plan: Plan, setup: Setup, question: Question, trace: Trace) -> Flow[list[Hit]]:
    started = time.perf_counter()
    try:
        hits = yield from execute(plan, setup.time_limit_ms, question.options.on_input_failure, trace.notes)
    except ServerError as error:
        if error.code in STALE:
            setup.capabilities.forget()
        raise
    yield from ended(Stage.RETRIEVAL, started, len(hits), setup, trace)
    wanted = question.options.limit
    if question.options.postfilter is not None and len(hits) < wanted:
        trace.notes.append(f"the postfilter left {len(hits)} of {wanted} hits; a larger depth may find more")
    return hits


def _judged(
    hits: list[Hit], plan: Plan, question: Question, setup: Setup, trace: Trace
) -> Flow[list[Verdict]]:
    options, thresholds = question.options, trace.thresholds
    if plan.score_kind is ScoreKind.RERANK or isinstance(setup.reranker, NativeReranker):
        return judge(hits, options, thresholds, first_skip=options.skip - plan.skip)
    if setup.reranker is None or plan.mode is Mode.KEYWORD or not hits:
        if setup.reranker is not None and plan.mode is Mode.KEYWORD:
            trace.notes.append("keyword search is not reranked")
        return judge(hits, options, thresholds, first_skip=options.skip - plan.skip)
    started = time.perf_counter()
    try:
        verdicts = yield from rerank(hits, question, setup, thresholds, trace.notes)
    except Exception as error:
        if options.on_reranker_failure == "refuse":
            raise RetrievalError(
                f"The reranker {setup.reranker.id!r} failed ({type(error).__name__})",
                next_step="try again, or set on_reranker_failure='continue'",
                code=Code.PROVIDER_FAILED,
            ) from error
        trace.notes.append(f"the reranker failed ({type(error).__name__}); retrieval order kept")
        if thresholds and plan.score_kind not in thresholds:
            trace.notes.append(f"score_threshold has no value for {plan.score_kind.value} and did not act")
        return judge(hits, options, thresholds, first_skip=options.skip)
    yield from ended(Stage.RERANKING, started, len(hits), setup, trace)
    return verdicts


def _emptiness(plan: Plan, verdicts: list[Verdict], question: Question, setup: Setup) -> Flow[EmptyReason]:
    if any(reason in ("below-threshold", "below-min-score") for _, reason in verdicts):
        return "all_below_threshold"
    if verdicts or plan.skip:
        return "no_candidates"
    store = question.options.store_filter
    return (yield from diagnose(plan, store, plan.condition, setup.time_limit_ms))


def ended(
    stage: Stage, started: float, count: int | None, setup: Setup, trace: Trace
) -> Generator[Any, Any, None]:
    """Notes how long a stage took and tells the progress callback, whose failure is only logged."""
    seconds = time.perf_counter() - started
    trace.stage_ms[stage.value] = seconds * 1e3
    if setup.progress is None:
        return
    try:
        yield Call(partial(setup.progress, StageEvent(stage, seconds, count)))
    except Exception as error:  # a callback is the caller's; the query is not its to break
        logger.warning("a progress callback failed: %s", type(error).__name__)
