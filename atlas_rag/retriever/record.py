"""The evidence of one retrieval, from its plan and what became of each candidate."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bson.binary import UuidRepresentation
from bson.json_util import CANONICAL_JSON_OPTIONS, dumps

from atlas_rag.hits import Candidate, Evidence, Hit, ScoreKind, query_hash
from atlas_rag.hits.evidence import EmptyReason, Rejection, shown_id
from atlas_rag.plan import Plan
from atlas_rag.query.filter import Filter
from atlas_rag.retriever.selecting import Verdict
from atlas_rag.retriever.setup import Question, Setup

if TYPE_CHECKING:
    from atlas_rag.retriever.flow import Trace

_FINGERPRINTED = CANONICAL_JSON_OPTIONS.with_options(uuid_representation=UuidRepresentation.STANDARD)


def record(
    plan: Plan,
    verdicts: list[Verdict],
    question: Question,
    setup: Setup,
    trace: Trace,
    empty: EmptyReason | None,
) -> Evidence:
    """Everything a later reader needs, and nothing of the question's or a document's text."""
    options = question.options
    first = next((hit.score for hit, _ in verdicts if hit.score is not None), None)
    kind = plan.score_kind if first is None else first.kind
    incomplete = _incomplete(plan, len(verdicts))
    reranked = kind in (ScoreKind.RERANK, ScoreKind.BLEND)
    return Evidence(
        retriever_id=setup.retriever_id,
        requested_mode=plan.requested_mode.value,
        executed_mode=plan.mode.value,
        mode_reason=plan.mode_reason,
        route=plan.route.value,
        route_reason=plan.route_reason,
        score_kind=kind,
        inputs=tuple(plan.inputs),
        weights={name: plan.weights.get(name, 1.0) for name in plan.inputs},
        depth=plan.depth,
        num_candidates=plan.num_candidates,
        limit=options.limit,
        skip=options.skip,
        filter_fingerprint=fingerprint(options.filter),
        store_filter_fingerprint=fingerprint(options.store_filter),
        query_hash=query_hash(question.text or ""),
        query_hmac=keyed_hash(question.text or "", setup.evidence_key),
        embedder_id=setup.embedder.id if trace.embedded and setup.embedder is not None else None,
        dimensions=setup.embedder.dimensions if trace.embedded and setup.embedder is not None else None,
        reranker_id=setup.reranker.id if reranked and setup.reranker is not None else None,
        thresholds={one: value for one, value in trace.thresholds.items() if one is kind},
        candidates=tuple(_candidate(hit, reason) for hit, reason in verdicts),
        candidates_complete=incomplete is None,
        incomplete_reason=incomplete,
        empty_reason=empty,
        stage_ms=trace.stage_ms,
        notes=tuple(trace.notes),
    )


def skipped(question: Question, setup: Setup, stage_ms: Mapping[str, float]) -> Evidence:
    """The evidence of a question that the rewriter chose not to search for."""
    options = question.options
    return Evidence(
        retriever_id=setup.retriever_id,
        requested_mode=options.search_mode.value,
        executed_mode="none",
        mode_reason="the query rewriter decided that nothing is to be searched",
        route="none",
        route_reason="no search",
        score_kind=None,
        limit=options.limit,
        skip=options.skip,
        query_hash=query_hash(question.text or ""),
        query_hmac=keyed_hash(question.text or "", setup.evidence_key),
        empty_reason="search_skipped",
        stage_ms=stage_ms,
    )


def fingerprint(condition: Filter | None) -> str | None:
    """16 hex digits, equal for equal filters. Formula: SHA-256 of the canonical Extended JSON dict form."""
    if condition is None:
        return None
    text = dumps(condition.to_dict(), json_options=_FINGERPRINTED)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def keyed_hash(text: str, key: bytes | None) -> str | None:
    """HMAC-SHA256 of the trimmed text: joins records for who has the key, tells nobody else anything."""
    if key is None:
        return None
    return hmac.new(key, text.strip().encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _candidate(hit: Hit, reason: Rejection | None) -> Candidate:
    return Candidate(
        id=shown_id(hit.id),
        rank=hit.rank,
        score=hit.score.value if hit.score is not None else None,
        admitted=reason is None,
        reason=reason,
        ranks=hit.ranks,
    )


def _incomplete(plan: Plan, considered: int) -> str | None:
    if considered >= plan.rows:
        return "more candidates may follow: as many came back as were asked for"
    if plan.num_candidates is not None:
        return "an approximate search visits num_candidates neighbours only"
    if plan.skip:
        return "skipped candidates were left out on the server"
    return None
