"""The record of one retrieval: what was considered, what was admitted, and why not the rest.

JSON-stable; holds no query text, no document text and no vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from atlas_rag.hits.score import ScoreKind
from atlas_rag.quick_init import quick_init

Rejection = Literal[
    "over-limit", "below-threshold", "below-min-score", "unscored", "rerank-dropped", "over-budget", "skipped"
]
EmptyReason = Literal[
    "search_skipped",
    "corpus_empty",
    "index_missing",
    "index_building",
    "store_filter_matched_nothing",
    "filter_matched_nothing",
    "all_below_threshold",
    "no_candidates",
]


@quick_init
@dataclass(frozen=True, slots=True)
class Candidate:
    """One document that was considered: admitted, or rejected for exactly one reason.

    Args:
        id: its `_id` as text. rank: 1-based place in the final order. score: final, None where unscored.
        ranks: per input pipeline of a fusion; None where it did not return the document.
    """

    id: str
    rank: int
    score: float | None
    admitted: bool
    reason: Rejection | None = None
    ranks: Mapping[str, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.admitted == (self.reason is not None):
            raise ValueError("a candidate is admitted, or has one reason")


class Evidence(BaseModel):
    """What one retrieval did.

    Args:
        requested_mode, executed_mode, mode_reason: what was asked for, what ran, why.
        weights, depth, num_candidates, limit, skip: as executed; num_candidates None for an exact scan.
        filter_fingerprint, store_filter_fingerprint: equal for equal filters; None for no filter.
        query_hash: FNV-1a of the question; query_hmac: HMAC-SHA256 with the retriever's key, or None.
        thresholds: the score that final scores had to reach, by kind.
        candidates: every document that came back, in final order, each admitted xor rejected for one reason.
        candidates_complete: whether every document that could match is among them; else the reason is given.
        stage_ms: milliseconds per stage that ran.
        notes: what went otherwise than asked, such as a failed input pipeline that was left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    retriever_id: str
    requested_mode: str
    executed_mode: str
    mode_reason: str
    route: str
    route_reason: str
    score_kind: ScoreKind | None
    inputs: tuple[str, ...] = ()
    weights: Mapping[str, float] = {}
    depth: int = 0
    num_candidates: int | None = None
    limit: int
    skip: int
    filter_fingerprint: str | None = None
    store_filter_fingerprint: str | None = None
    query_hash: str
    query_hmac: str | None = None
    embedder_id: str | None = None
    dimensions: int | None = None
    reranker_id: str | None = None
    thresholds: Mapping[ScoreKind, float] = {}
    candidates: tuple[Candidate, ...] = ()
    candidates_complete: bool = False
    incomplete_reason: str | None = None
    empty_reason: EmptyReason | None = None
    stage_ms: Mapping[str, float] = {}
    notes: tuple[str, ...] = ()

    @property
    def considered_count(self) -> int:
        """Documents that came back."""
        return len(self.candidates)

    @property
    def admitted_count(self) -> int:
        """Documents that became hits."""
        return sum(candidate.admitted for candidate in self.candidates)


def query_hash(text: str) -> str:
    """FNV-1a, 32 bit, over the UTF-16 code units of the trimmed text, in unpadded lowercase hex.

    Low-entropy text can be guessed from it: it joins records, it does not hide.

    >>> query_hash("How long do refunds take?")
    '6abf645'
    """
    digest = 2166136261
    encoded = text.strip().encode("utf-16-le", "surrogatepass")
    for start in range(0, len(encoded), 2):
        unit = encoded[start] | encoded[start + 1] << 8
        digest = (digest ^ unit) * 16777619 & 0xFFFFFFFF
    return f"{digest:x}"


def shown_id(identity: Any) -> str:
    """An `_id` as text, for records."""
    return str(identity)
