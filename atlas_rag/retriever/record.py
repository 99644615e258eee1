"""The evidence of one retrieval, from its plan and what came back."""

from __future__ import annotations

import hashlib

from bson.json_util import CANONICAL_JSON_OPTIONS, dumps

from atlas_rag.hits import Candidate, Evidence, Hit, query_hash
from atlas_rag.hits.evidence import EmptyReason, shown_id
from atlas_rag.plan import Plan, Route
from atlas_rag.query.filter import Filter


def record(
    plan: Plan, admitted: tuple[Hit, ...], rejected: tuple[Hit, ...], text: str, retriever_id: str
) -> Evidence:
    """Everything a later reader needs, and nothing of the question's or a document's text."""
    considered = len(admitted) + len(rejected)
    return Evidence(
        retriever_id=retriever_id,
        requested_mode=plan.requested_mode.value,
        executed_mode=plan.mode.value,
        mode_reason=plan.mode_reason,
        route=plan.route.value,
        route_reason=plan.route_reason,
        score_kind=plan.score_kind,
        inputs=tuple(plan.inputs),
        weights=dict(plan.weights),
        depth=plan.depth,
        num_candidates=plan.num_candidates,
        limit=plan.limit,
        skip=plan.skip,
        filter_fingerprint=fingerprint(plan.condition) if plan.condition is not None else None,
        query_hash=query_hash(text),
        candidates=(
            *(_candidate(hit, admitted=True) for hit in admitted),
            *(_candidate(hit, admitted=False) for hit in rejected),
        ),
        candidates_complete=considered < plan.limit + plan.reject_window,
        empty_reason=None if admitted else _empty(plan),
    )


def fingerprint(condition: Filter) -> str:
    """16 hex digits that are equal for equal filters. Formula: SHA-256 of the canonical dict form."""
    text = dumps(condition.to_dict(), json_options=CANONICAL_JSON_OPTIONS)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _candidate(hit: Hit, *, admitted: bool) -> Candidate:
    return Candidate(
        id=shown_id(hit.id),
        rank=hit.rank,
        score=hit.score.value if hit.score is not None else None,
        admitted=admitted,
        reason=None if admitted else "over-limit",
        ranks={name: contribution.rank for name, contribution in hit.contributions.items()},
    )


def _empty(plan: Plan) -> EmptyReason:
    return "filter_matches_nothing" if plan.route is Route.NONE else "no_candidates"
