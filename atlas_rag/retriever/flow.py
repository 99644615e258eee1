"""The whole line as one flow: rewrite, plan, embed, search, rerank, select, record."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from atlas_rag.capability import CapabilityReport, probe
from atlas_rag.errors import AtlasRagError, Code, RetrievalError, SearchIndexError, ServerError
from atlas_rag.hits import Hit
from atlas_rag.hits.evidence import EmptyReason
from atlas_rag.plan import Cause, Plan, Route, begin, finish
from atlas_rag.query.request import Request
from atlas_rag.retriever.beside import NOTHING, Beside, asked_beside, beside
from atlas_rag.retriever.embedding import Wording, embedded
from atlas_rag.retriever.empty import Indexes, diagnose
from atlas_rag.retriever.execute import execute
from atlas_rag.retriever.lifts import by_lifts
from atlas_rag.retriever.multi_query import varied
from atlas_rag.retriever.progress import Stage
from atlas_rag.retriever.record import record, unsearched
from atlas_rag.retriever.result import Result
from atlas_rag.retriever.rewrite import RewriteDecision
from atlas_rag.retriever.selecting import Arrange, Verdict, judge
from atlas_rag.retriever.setup import Setup
from atlas_rag.retriever.silent import differs, indexes_changed, silent_inputs
from atlas_rag.retriever.trace import Trace
from atlas_rag.stages import Vector
from atlas_rag.wire import Call, Flow

SIGNS = frozenset(
    {
        Code.STAGE_UNKNOWN,
        Code.SEARCH_NOT_ENABLED,
        Code.REQUEST_REFUSED,
        Code.FEATURE_UNAVAILABLE,
        Code.RAG_COLLECTION_NOT_SEARCHABLE,
        Code.UNSUPPORTED_FILTER,
        Code.INDEX_MISSING,
        Code.INDEX_NOT_READY,
        Code.INDEX_FAILED,
        Code.INDEX_CONFLICT,
    }
)
"""Errors that a capability report from before may be to blame for."""


def retrieve(
    report: CapabilityReport, request: Request, setup: Setup, *, cached: bool = False
) -> Flow[Result]:
    """One retrieval on the deployment of a report.

    Args:
        cached: whether the report is from before this call; at the first sign that the deployment has changed
            since, it is made anew and the call goes once more through all of it.

    Raises:
        CallError, RetrievalError, SearchIndexError: before any search is sent.
        ServerError: whatever the deployment answers.
    """
    trace = Trace(setup.progress)
    asked = yield from _rewritten(request, setup, trace)
    if asked is None:
        return _unsearched(request, setup, trace, "search_skipped")
    if asked.empty:
        return _unsearched(asked, setup, trace, "question_empty")
    asked = yield from varied(asked, setup.multi_query, trace)
    search = _Search(asked, setup, trace)
    return (yield from search.run(report, cached))


class _Search:
    """One question on its way; a second attempt starts over with a newer report and less time.

    Args:
        request: what is asked, rewritten.
    """

    def __init__(self, request: Request, setup: Setup, trace: Trace) -> None:
        self.request, self.setup, self.trace = request, setup, trace
        self.vectors: dict[Wording, Vector] = {}
        self.started: float | None = None

    def run(self, report: CapabilityReport, cached: bool) -> Flow[Result]:
        """The result; with a cached report after at most two attempts."""
        try:
            result, stale = yield from self._attempt(report, cached)
        except AtlasRagError as error:
            newer = (yield from self._newer(report)) if cached and error.code in SIGNS else None
            if newer is None:
                raise
            return (yield from self._again(newer))
        if not stale:
            return result
        newer = yield from self._newer(report)
        if newer is None:
            return result
        first = self.trace
        try:
            return (yield from self._again(newer))
        except SearchIndexError as error:
            if self.request.options.require_hybrid_search:
                raise
            first.note(Cause.REPORT_STALE, f"the deployment has changed meanwhile: {error.problem}")
            self.setup.warner.say(self.setup.namespace, first.notes)
            return result

    def _newer(self, report: CapabilityReport) -> Flow[CapabilityReport | None]:
        """What the deployment can do now, or None where nothing has changed."""
        newer = yield from probe(report.namespace)
        self.setup.capabilities.put(newer)
        return None if newer == report else newer

    def _again(self, report: CapabilityReport) -> Flow[Result]:
        self.trace = Trace(
            self.setup.progress,
            dict(self.trace.stage_ms),
            usage=self.trace.usage,
            embedders=self.trace.embedders,
        )
        text = "the deployment had changed since it was last asked what it can do; it was asked again"
        self.trace.note(Cause.REPORT_STALE, text)
        result, _ = yield from self._attempt(report, cached=False)
        return result

    @property
    def time_left_ms(self) -> int:
        """Of the call's time limit, counted from its first search on; at least 1."""
        if self.started is None:
            self.started = time.perf_counter()
        spent = int((time.perf_counter() - self.started) * 1e3)
        limit = self.request.options.time_limit_ms or self.setup.time_limit_ms
        return max(1, limit - spent)

    def _attempt(self, report: CapabilityReport, cached: bool) -> Flow[tuple[Result, bool]]:
        """The result, and whether an index is no longer as a cached report says."""
        plan = yield from self._planned(report)
        if plan is None:
            return _unsearched(self.request, self.setup, self.trace, "question_unknown"), False
        plan, hits = yield from self._found(plan, report)
        arrange = yield from self._arrangement(hits, plan)
        verdicts = yield from self._judged(hits, plan, arrange)
        self._note_shortfall(verdicts, plan)
        silent = silent_inputs(plan, hits)
        self.trace.notes += silent
        stale = bool(silent) and cached and (yield from self._indexes_changed(plan, report))
        reason: EmptyReason | None = None
        if all(rejection is not None for _, rejection in verdicts):
            reason, indexes = yield from self._emptiness(plan, verdicts)
            stale = cached and (stale or differs(indexes, plan, report))
        extras = yield from self._beside(verdicts, plan, report)
        return self._result(plan, verdicts, reason, extras), cached and (stale or extras.stale)

    def _beside(self, verdicts: list[Verdict], plan: Plan, report: CapabilityReport) -> Flow[Beside]:
        """What is asked for beside the hits."""
        options, started = self.request.options, time.perf_counter()
        if not asked_beside(options):
            return NOTHING
        hits = [hit for hit, rejection in verdicts if rejection is None]
        found = yield from beside(hits, plan, options, report, self.time_left_ms, self.trace)
        yield from self.trace.ended(Stage.BESIDE, started)
        return found

    def _indexes_changed(self, plan: Plan, report: CapabilityReport) -> Flow[bool]:
        """Whether an index is not as reported; looked at unless it just was, or much hangs on it."""
        known = self.setup.capabilities
        if known.confirmed(self.setup.namespace) and not self.request.options.require_hybrid_search:
            return False
        changed = yield from indexes_changed(plan, report, self.time_left_ms)
        if not changed:
            known.confirm(self.setup.namespace)
        return changed

    def _planned(self, report: CapabilityReport) -> Flow[Plan | None]:
        started = time.perf_counter()
        draft = begin(self.request, self.setup.setting, report)
        yield from self.trace.ended(Stage.FILTERING, started)
        vectors = yield from embedded(draft, self.setup, self.trace, self.vectors)
        return None if vectors is None else finish(draft, vectors)

    def _found(self, plan: Plan, report: CapabilityReport) -> Flow[tuple[Plan, list[Hit]]]:
        """The hits; where inputs may fail, one request each in place of a fusion that failed whole."""
        started, policy = time.perf_counter(), self.request.options.on_input_failure
        try:
            hits = yield from execute(plan, self.time_left_ms, policy, self.trace)
        except ServerError:
            apart = Route.CLIENT in self.setup.setting.routes and plan.reranking.by != "deployment"
            if policy == "refuse" or plan.fusion is None or plan.route is Route.CLIENT or not apart:
                raise
            plan = yield from self._apart(report)
            hits = yield from execute(plan, self.time_left_ms, policy, self.trace)
        yield from self.trace.ended(Stage.RETRIEVAL, started, len(hits))
        wanted = self.request.options.limit
        if self.request.options.postfilter is not None and len(hits) < wanted:
            text = f"the postfilter left {len(hits)} of {wanted} hits; a larger depth may find more"
            self.trace.note(Cause.POSTFILTER_SHORTFALL, text)
        return plan, hits

    def _apart(self, report: CapabilityReport) -> Flow[Plan]:
        setting = replace(self.setup.setting, routes=(Route.CLIENT,))
        draft = begin(self.request, setting, report)
        vectors = yield from embedded(draft, self.setup, self.trace, self.vectors)
        return finish(draft, vectors or {})

    def _arrangement(self, hits: list[Hit], plan: Plan) -> Flow[Arrange | None]:
        """How hits are put in order by their stored vectors, where that is asked for."""
        options = self.request.options
        if hits and (options.recency is not None or options.boost is not None):
            return partial(by_lifts, recency=options.recency, boost=options.boost, trace=self.trace)
        if options.diversify is None or not hits:
            return None
        from atlas_rag.retriever.diversifying import spread, stored_units  # numpy, where it is needed

        started = time.perf_counter()
        units = yield from stored_units(hits, plan, self.time_left_ms, self.trace)
        yield from self.trace.ended(Stage.STORED_VECTORS, started, len(units))
        share, wanted = options.diversify.relevance, options.skip + options.limit
        return partial(spread, units=units, share=share, wanted=wanted)

    def _judged(self, hits: list[Hit], plan: Plan, arrange: Arrange | None) -> Flow[list[Verdict]]:
        options = self.request.options
        if plan.reranking.by != "library" or not hits:
            return self._judged_as_found(hits, plan, arrange)
        from atlas_rag.retriever.reranking import rerank  # what reranks loads where something reranks

        started = time.perf_counter()
        try:
            verdicts = yield from rerank(hits, self.request, plan, self.setup, self.trace, arrange)
        except Exception as error:
            if options.on_reranker_failure == "refuse":
                raise RetrievalError(
                    f"The reranker {plan.reranking.id!r} failed ({_cause(error)})",
                    expected="a score for each text",
                    next_step="try again, or set on_reranker_failure='continue'",
                    code=Code.PROVIDER_FAILED,
                ) from error
            text = f"the reranker failed ({_cause(error)}); retrieval order kept"
            self.trace.note(Cause.RERANKER_LEFT_OUT, text, plan.reranking.id)
            if plan.thresholds and plan.score_kind not in plan.thresholds:
                idle = f"score_threshold has no value for {plan.score_kind.value} and did not act"
                self.trace.note(Cause.THRESHOLD_IDLE, idle)
            if plan.floors and not {plan.score_kind, *plan.inputs.values()} & set(plan.floors):
                idle = f"min_score has no value for {plan.score_kind.value} and did not act"
                self.trace.note(Cause.THRESHOLD_IDLE, idle)
            return self._judged_as_found(hits, plan, arrange)
        yield from self.trace.ended(Stage.RERANKING, started, len(hits))
        return verdicts

    def _note_shortfall(self, verdicts: list[Verdict], plan: Plan) -> None:
        """Says so where groups took hits away and more candidates could have filled the page."""
        reasons, limit = [reason for _, reason in verdicts], self.request.options.limit
        found = reasons.count(None)
        if "collapsed" in reasons and found < limit and len(verdicts) >= plan.rows:
            text = f"collapse left {found} of {limit} hits; a larger candidate_limit may find more"
            self.trace.note(Cause.COLLAPSE_SHORTFALL, text)

    def _judged_as_found(self, hits: list[Hit], plan: Plan, arrange: Arrange | None) -> list[Verdict]:
        """Hits in the order that they came in, judged by the scores that they have."""
        options = self.request.options
        return judge(hits, options, plan, first_skip=options.skip - plan.skip, arrange=arrange)

    def _emptiness(self, plan: Plan, verdicts: list[Verdict]) -> Flow[tuple[EmptyReason, Indexes | None]]:
        if any(reason in ("below-threshold", "below-min-score") for _, reason in verdicts):
            return "all_below_threshold", None
        if verdicts or plan.skip:
            return "no_candidates", None
        store = self.request.options.store_filter
        return (yield from diagnose(plan, store, plan.condition, self.time_left_ms))

    def _result(
        self, plan: Plan, verdicts: list[Verdict], reason: EmptyReason | None, extras: Beside
    ) -> Result:
        self.trace.notes = [*plan.notes, *self.trace.notes]
        self.setup.warner.say(self.setup.namespace, self.trace.notes)
        admitted = tuple([hit for hit, rejection in verdicts if rejection is None])
        if (kind := self.setup.document) is not None:
            from atlas_rag.retriever.typed import typed  # pydantic, where documents are made

            admitted = tuple([typed(hit, kind) for hit in admitted])
        rejected = tuple([hit for hit, rejection in verdicts if rejection is not None])
        recorded = partial(record, plan, verdicts, self.request, self.setup, self.trace, reason)
        if extras is not NOTHING:
            admitted = tuple(map(extras.dress, admitted))
        return Result(admitted, plan, recorded, self.request.options, rejected, extras.facets, extras.count)


def _rewritten(request: Request, setup: Setup, trace: Trace) -> Flow[Request | None]:
    """The question that stands alone, or None where nothing is to be searched."""
    if setup.rewriter is None or request.text is None:
        return request
    started = time.perf_counter()
    rewrite = partial(setup.rewriter.rewrite, request.text, request.history)
    try:
        decision = yield Call(rewrite, blocking=setup.rewriter.blocking)
    except AtlasRagError:
        raise
    except Exception as error:
        raise _rewriter_failed(setup, f"failed ({type(error).__name__})") from error
    if not isinstance(decision, RewriteDecision):
        raise _rewriter_failed(setup, f"answered with a {type(decision).__name__}")
    yield from trace.ended(Stage.QUERY_REWRITE, started)
    if not decision.search:
        return None
    asked = replace(request, text=decision.query or request.text)
    return asked if decision.keywords is None else asked.with_options(keywords=decision.keywords)


def _cause(error: Exception) -> str:
    """What may be said of a failure: the words of our own errors, which hold no text, else the type alone."""
    return error.problem if isinstance(error, AtlasRagError) else type(error).__name__


def _rewriter_failed(setup: Setup, how: str) -> RetrievalError:
    return RetrievalError(
        f"The query rewriter {getattr(setup.rewriter, 'id', '')!r} {how}",
        expected="a RewriteDecision",
        next_step="try again, or repair the rewriter; RewriteDecision() keeps the question",
        code=Code.PROVIDER_FAILED,
    )


def _unsearched(request: Request, setup: Setup, trace: Trace, reason: EmptyReason) -> Result:
    recorded = partial(unsearched, request, setup, trace.stage_ms, reason)
    return Result((), None, recorded, request.options)
