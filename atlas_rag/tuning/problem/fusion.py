"""How one fused score is made: what each input pipeline offers (a feature) and how the server adds it up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.problem.pool import Pool, reciprocal_ranks


class Fusion(Protocol):
    """A fused score that is linear in the weights."""

    def features(self, pool: Pool) -> Floats:
        """What is multiplied by the weights: one row per input pipeline, one column per pool row."""
        ...

    def scores(self, features: Floats, weights: Floats) -> Floats:
        """The server's own scores of some columns, with its order of operations, to the last bit."""
        ...


@dataclass(frozen=True, slots=True)
class ReciprocalRankFusion:
    """`$rankFusion`.

    Formula: Σ in name order of fl(fl(1 / (rank constant + rank)) · weight).
    Args:
        rank_constant: ≥ 1; the server's is 60, others exist only for comparison.
    """

    rank_constant: int = 60

    def features(self, pool: Pool) -> Floats:
        return np.ascontiguousarray(reciprocal_ranks(pool, self.rank_constant).T)

    def scores(self, features: Floats, weights: Floats) -> Floats:
        return weighted_sum(features, weights)


@dataclass(frozen=True, slots=True)
class ScoreFusion:
    """`$scoreFusion` with method "avg", or the expression Σ weight · score that users write for weights that work.

    Formula: sigmoid is 1 / (1 + e^-score), minMaxScaler is (score - min) / (max - min) over one list; absent
        documents count 0. "avg" divides the weighted sum by the number of input pipelines.
    Args:
        normalization: "none", "sigmoid" or "minMaxScaler".
        combination: "avg", or "sum" for `{$add: [{$multiply: [w, "$$a"]}, …]}`.
    Raises:
        ExperimentError: "minMaxScaler" with "avg": the server scales after weighting, so that weights have no
            effect and there is nothing to tune (7602).
    """

    normalization: Literal["none", "sigmoid", "minMaxScaler"] = "sigmoid"
    combination: Literal["avg", "sum"] = "avg"

    def __post_init__(self) -> None:
        if (self.normalization, self.combination) == ("minMaxScaler", "avg"):
            raise ExperimentError(
                "weights of $scoreFusion have no effect with minMaxScaler and avg",
                expected="another normalization, or the combination 'sum'",
                next_step="use combination='sum' and the expression that it stands for",
            )

    def features(self, pool: Pool) -> Floats:
        columns = [self._normalized(pool, column) for column in range(pool.scores.shape[1])]
        return np.array(columns).reshape(pool.scores.shape[1], len(pool.document))

    def scores(self, features: Floats, weights: Floats) -> Floats:
        total = weighted_sum(features, weights)
        return total / len(weights) if self.combination == "avg" else total

    def _normalized(self, pool: Pool, column: int) -> Floats:
        raw = pool.scores[:, column]
        found = ~np.isnan(raw)
        values = np.where(found, raw, 0.0)
        if self.normalization == "sigmoid":
            values = np.where(found, 1.0 / (1.0 + np.exp(-values)), 0.0)
        elif self.normalization == "minMaxScaler":
            values = np.where(found, _min_max(raw, pool.start), 0.0)
        return values


def weighted_sum(features: Floats, weights: Floats) -> Floats:
    """fl(feature · weight), added from the first input pipeline to the last."""
    total = np.zeros(features.shape[1])
    for feature, weight in zip(features, weights, strict=True):
        total += feature * weight
    return total


def _min_max(raw: Floats, start: np.typing.NDArray[np.int32]) -> Floats:
    """(score - min) / (max - min) within each query; 0 where they are equal, as the server's `$minMaxScaler`."""
    query = np.repeat(np.arange(len(start) - 1), np.diff(start))
    low = np.full(len(start) - 1, np.inf)
    high = np.full(len(start) - 1, -np.inf)
    found = ~np.isnan(raw)
    np.minimum.at(low, query[found], raw[found])
    np.maximum.at(high, query[found], raw[found])
    span = (high - low)[query]
    return np.divide(raw - low[query], span, out=np.zeros_like(raw), where=found & (span > 0))
