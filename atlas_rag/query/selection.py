"""How the final order comes about where a reranker has a say."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Normalizer = Literal["minmax", "rank", "raw"]
Missing = Literal["zero", "exclude", "renormalise"]
DEFAULT_RETRIEVAL_WEIGHT = 0.65


class FinalSelection(BaseModel):
    """How the final order comes about.

    Args:
        mode: "reranker_only" or "weighted_blend".
        retrieval_weight: share of the retrieval score in a blend, 0…1; default .65.
        normalizer: puts both sides on one scale: minmax (default), rank (1 for the best … 0 for the worst),
            or raw (as they are; only meaningful where both already share a scale).
        missing: a hit that the reranker left out: counts as 0 there, is excluded, or is judged by its
            retrieval score alone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    mode: Literal["reranker_only", "weighted_blend"] = "reranker_only"
    retrieval_weight: float = Field(default=DEFAULT_RETRIEVAL_WEIGHT, ge=0, le=1)
    normalizer: Normalizer = "minmax"
    missing: Missing = "renormalise"
