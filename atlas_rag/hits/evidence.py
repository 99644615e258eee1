"""The record of one retrieval: what was considered, what was admitted, and why not the rest.

JSON-stable; holds no query text, no document text and no vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, model_validator

from atlas_rag.hits.score import ScoreKind

Rejection = Literal["over-limit", "below-threshold", "unscored"]
EmptyReason = Literal["filter_matches_nothing", "no_candidates", "all_below_threshold"]


class Candidate(BaseModel):
    """One document that was considered: admitted, or rejected for exactly one reason."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    rank: int
    score: float | None
    admitted: bool
    reason: Rejection | None = None
    ranks: Mapping[str, int | None] = {}

    @model_validator(mode="after")
    def _admitted_xor_reason(self) -> Candidate:
        if self.admitted == (self.reason is not None):
            raise ValueError("a candidate is admitted, or has one reason")
        return self


class Evidence(BaseModel):
    """What one retrieval did."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    retriever_id: str
    requested_mode: str
    executed_mode: str
    mode_reason: str
    route: str
    route_reason: str
    score_kind: ScoreKind
    inputs: tuple[str, ...]
    weights: Mapping[str, float]
    depth: int
    num_candidates: int
    limit: int
    skip: int
    filter_fingerprint: str | None
    query_hash: str
    candidates: tuple[Candidate, ...]
    candidates_complete: bool
    empty_reason: EmptyReason | None = None

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
