"""The evidence of one retrieval, from its plan and what became of each candidate."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import asdict

from bson.binary import UuidRepresentation
from bson.json_util import CANONICAL_JSON_OPTIONS, dumps

from atlas_rag.hits import Candidate, Evidence, Hit, query_hash
from atlas_rag.hits.evidence import WORDS, EmptyReason, Rejection, counts, shown_id
from atlas_rag.plan import Plan
from atlas_rag.query.filter import Filter
from atlas_rag.query.request import Request
from atlas_rag.query.threshold import FINAL_KINDS
from atlas_rag.retriever.selecting import Verdict
from atlas_rag.retriever.setup import Setup
from atlas_rag.retriever.trace import Trace

FINGERPRINT_OPTIONS = CANONICAL_JSON_OPTIONS.with_options(uuid_representation=UuidRepresentation.STANDARD)


def record(
    plan: Plan,
    verdicts: list[Verdict],
    request: Request,
    setup: Setup,
    trace: Trace,
    empty: EmptyReason | None,
) -> Evidence:
    """Everything a later reader needs, and nothing of the question's or a document's text."""
    options = request.options
    first = next((hit.score for hit, _ in verdicts if hit.score is not None), None)
    kind = plan.score_kind if first is None else first.kind
    incomplete = _incomplete(plan, len(verdicts))
    reranked = kind in FINAL_KINDS
    candidates = tuple(_candidate(hit, reason) for hit, reason in verdicts)
    return Evidence(
        retriever_id=setup.retriever_id,
        namespace=setup.namespace,
        requested_mode=plan.requested_mode.value,
        executed_mode=plan.mode.value,
        mode_reason=plan.mode_reason,
        route=plan.route.value,
        route_reason=plan.route_reason,
        fusion=None if plan.fusion is None else str(plan.fusion),
        score_kind=kind,
        inputs=tuple(plan.inputs),
        weights={name: plan.weights.get(name, 1.0) for name in plan.inputs},
        depth=plan.depth,
        num_candidates=plan.num_candidates,
        limit=options.limit,
        skip=options.skip,
        filter_fingerprint=fingerprint(options.filter),
        store_filter_fingerprint=fingerprint(options.store_filter),
        query_hash=query_hash(request.text or ""),
        query_hmac=keyed_hash(request.text or "", setup.evidence_key),
        embedder_id=", ".join(trace.embedders) or None,
        dimensions=plan.dimensions,
        reranker_id=setup.reranker.id if reranked and setup.reranker is not None else None,
        final_selection=options.final_selection.mode if reranked else None,
        collapse=None if options.collapse is None else str(options.collapse),
        boost=None if options.boost is None else str(options.boost),
        recency=None if options.recency is None else str(options.recency),
        diversify=None if options.diversify is None else f"{options.diversify}, vectors at {plan.vectors_at}",
        thresholds={one: value for one, value in plan.thresholds.items() if one is kind},
        min_scores=plan.floors,
        candidates=candidates,
        **counts(candidates),
        candidates_complete=incomplete is None,
        incomplete_reason=incomplete,
        empty_reason=empty,
        stage_ms=trace.stage_ms,
        usage=asdict(trace.usage),
        notes=tuple(note.text for note in trace.notes),
    )


def unsearched(
    request: Request, setup: Setup, stage_ms: Mapping[str, float], reason: EmptyReason
) -> Evidence:
    """The evidence of a question that was not searched for."""
    options = request.options
    return Evidence(
        retriever_id=setup.retriever_id,
        namespace=setup.namespace,
        requested_mode=options.search_mode.value,
        executed_mode="none",
        mode_reason=WORDS[reason],
        route="none",
        route_reason="no search",
        score_kind=None,
        limit=options.limit,
        skip=options.skip,
        filter_fingerprint=fingerprint(options.filter),
        store_filter_fingerprint=fingerprint(options.store_filter),
        query_hash=query_hash(request.text or ""),
        query_hmac=keyed_hash(request.text or "", setup.evidence_key),
        candidates_complete=True,
        empty_reason=reason,
        stage_ms=stage_ms,
    )


def fingerprint(condition: Filter | None) -> str | None:
    """16 hex digits, equal for equal filters. Formula: SHA-256 of the canonical Extended JSON dict form."""
    if condition is None:
        return None
    text = dumps(condition.to_dict(), json_options=FINGERPRINT_OPTIONS)
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
        returned=reason is None,
    )


def _incomplete(plan: Plan, considered: int) -> str | None:
    if considered >= plan.rows:
        return "more candidates may follow: as many came back as were asked for"
    if plan.num_candidates is not None:
        return "an approximate search visits num_candidates neighbours only"
    if plan.fusion is not None and any(kind in plan.floors for kind in plan.inputs.values()):
        return "candidates below min_score were left out on the server"
    if plan.skip:
        return "skipped candidates were left out on the server"
    return None
