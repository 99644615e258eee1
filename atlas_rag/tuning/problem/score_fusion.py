"""Re-fusing by score, as `$scoreFusion` does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from atlas_rag.errors import ExperimentError
from atlas_rag.fusion import sigmoid
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.problem.fusion import weighted_sum
from atlas_rag.tuning.problem.pool import Pool

Normalization: TypeAlias = Literal["none", "sigmoid", "minMaxScaler"]

Combine: TypeAlias = Callable[[Floats, Floats], Floats]
"""(normalised scores, one row per input pipeline; weights) → fused score of each column."""


@dataclass(frozen=True, slots=True)
class ScoreFusion:
    """A fusion that is linear in its weights: method "avg", or the expression `$add` of `$multiply`.

    Formula: avg: compensated sum of weight · score in name order, divided by the number of input pipelines;
        sum: plain sum of weight · score in name order. Absent documents count 0, as does a negative score
        of a document that another input pipeline also found.
    Args:
        normalization: of each list's scores.
        combination: "avg", or "sum" for `{$add: [{$multiply: ["$$a", w]}, …]}`.
    Raises:
        ExperimentError: "minMaxScaler" with "avg": the server scales after weighting, so that weights have no
            effect and there is nothing to tune (7602).
    """

    normalization: Normalization = "sigmoid"
    combination: Literal["avg", "sum"] = "avg"
    linear: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if (self.normalization, self.combination) == ("minMaxScaler", "avg"):
            raise ExperimentError(
                "weights of $scoreFusion have no effect with minMaxScaler and avg",
                expected="another normalization, or the combination 'sum'",
                next_step="use combination='sum' and the expression that it stands for",
            )

    def features(self, pool: Pool) -> Floats:
        return normalized_scores(pool, self.normalization)

    def scores(self, features: Floats, weights: Floats) -> Floats:
        if self.combination == "sum":
            return weighted_sum(features, weights)
        return compensated_sum(features * weights[:, None]) / len(weights)


@dataclass(frozen=True, slots=True)
class ExpressionFusion:
    """Any other combination of normalised scores; evaluated by sorting, so slower than a linear one.

    Args:
        combine: for instance `compile_expression(…)`, or a function of one's own on arrays.
        normalization: of each list's scores.
    """

    combine: Combine
    normalization: Normalization = "none"
    linear: ClassVar[bool] = False

    def features(self, pool: Pool) -> Floats:
        return normalized_scores(pool, self.normalization)

    def scores(self, features: Floats, weights: Floats) -> Floats:
        return self.combine(features, weights)


def normalized_scores(pool: Pool, normalization: Normalization) -> Floats:
    """Normalised score of each pool row (second axis) in each input pipeline (first axis), 0 where absent."""
    raw = np.ascontiguousarray(pool.scores.T)
    found = ~np.isnan(raw)
    values = np.where(found, raw, 0.0)
    if normalization == "sigmoid":
        values[found] = [sigmoid(score) for score in raw[found].tolist()]
    elif normalization == "minMaxScaler":
        values = np.array([_min_max(row, pool.query, len(pool.start) - 1) for row in raw]).reshape(raw.shape)
    # the server keeps the largest of what each row holds for a pipeline, and other pipelines' rows hold 0
    return np.where(found.sum(axis=0) > 1, np.maximum(values, 0.0), values)


def compensated_sum(rows: Floats) -> Floats:
    """Sum over the first axis as the server's `$avg` adds: see `fusion.compensated_sum`."""
    total = np.zeros(rows.shape[1])
    leftover = np.zeros(rows.shape[1])
    for row in rows:
        head, tail = _two_sum(row, leftover)
        total, head = _two_sum(total, head)
        leftover = head + tail
    return total


def _two_sum(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """The rounded sum and what rounding left over. Source: Knuth, TAOCP 2, 4.2.2."""
    total = left + right
    shift = total - left
    return total, (left - (total - shift)) + (right - shift)


def _min_max(raw: Floats, query: NDArray[np.int32], queries: int) -> Floats:
    """(score - min) / (max - min) within each query's list; 0 where all are equal and where absent."""
    found = ~np.isnan(raw)
    low, high = np.full(queries, np.inf), np.full(queries, -np.inf)
    np.minimum.at(low, query[found], raw[found])
    np.maximum.at(high, query[found], raw[found])
    span = (high - low)[query]
    scaled: Floats = np.divide(raw - low[query], span, out=np.zeros_like(raw), where=found & (span > 0))
    return scaled
