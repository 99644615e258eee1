"""How ranked lists become one: a value that planning, execution and tuning read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from atlas_rag.query.threshold import ScoreKind

Method = Literal["rank"]


@dataclass(frozen=True, slots=True)
class Fusion:
    """Reciprocal rank fusion, as `$rankFusion` computes it.

    Formula: score(d) = Σ over input pipelines of weight · 1/(60 + rank), competition ranks ("1, 1, 3").
    """

    method: Method = "rank"

    @classmethod
    def rank(cls) -> Fusion:
        """Fusion by ranks; what a score meant in its input pipeline does not matter."""
        return cls("rank")

    @property
    def kind(self) -> ScoreKind:
        """What a fused score measures."""
        return ScoreKind.RANK_FUSION

    def __str__(self) -> str:
        return self.method
