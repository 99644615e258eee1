"""How one fused score is made: what each input pipeline offers (a feature) and how the server adds it up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from atlas_rag.fusion import RANK_CONSTANT
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.problem.pool import Pool


class Fusion(Protocol):
    """A way to fuse; `linear` says whether its score is a weighted sum of the features, up to rounding."""

    @property
    def linear(self) -> bool: ...

    def features(self, pool: Pool) -> Floats:
        """What the weights apply to: one row per input pipeline, one column per pool row."""
        ...

    def scores(self, features: Floats, weights: Floats) -> Floats:
        """The server's own scores of some columns, with its order of operations, to the last bit."""
        ...


@dataclass(frozen=True, slots=True)
class ReciprocalRankFusion:
    """`$rankFusion`.

    Formula: Σ in name order of fl(fl(1 / (rank constant + rank)) · weight); 0 where absent.
    Args:
        rank_constant: ≥ 1; the server's is 60 and fixed, others exist to see what it costs.
    """

    rank_constant: int = RANK_CONSTANT
    linear: ClassVar[bool] = True

    def features(self, pool: Pool) -> Floats:
        ranks = np.ascontiguousarray(pool.ranks.T)
        return np.divide(1.0, self.rank_constant + ranks, out=np.zeros(ranks.shape), where=ranks > 0)

    def scores(self, features: Floats, weights: Floats) -> Floats:
        return weighted_sum(features, weights)


def weighted_sum(features: Floats, weights: Floats) -> Floats:
    """fl(feature · weight), added from the first input pipeline to the last."""
    total = np.zeros(features.shape[1])
    for feature, weight in zip(features, weights, strict=True):
        total += feature * weight
    return total
