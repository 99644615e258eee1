"""Evaluations that need the ranking itself, not only its grades: functions of one's own, and reranking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from atlas_rag.tuning.data.runs import DocumentId, Floats
from atlas_rag.tuning.measures.base import Ideal
from atlas_rag.tuning.problem.problem import FusionProblem, Weights

Documents: TypeAlias = Sequence[DocumentId]

RankingMeasure: TypeAlias = Callable[[str, Documents], float]
"""(query id; document ids, best first) → value."""


def ranking_values(
    problem: FusionProblem, weights: Weights, function: RankingMeasure, *, limit: int | None = None
) -> Floats:
    """Any function of the fused ranking, for each query (first axis) at each weighting (second axis).

    Args:
        limit: documents of each ranking that the function sees; None for all.
    """
    rows = problem.weights(weights)
    values = np.empty((len(problem.queries), len(rows)))
    for column, row in enumerate(rows):
        fused = problem.ranking(row, limit)
        for place, query in enumerate(problem.queries):
            values[place, column] = function(query, [document for document, _ in fused[query]])
    return values


def reranked_values(
    problem: FusionProblem, weights: Weights, scores: Mapping[str, Mapping[str, float]], *, top: int
) -> Floats:
    """The problem's measure when the first `top` fused documents are put in the order of a reranker.

    Reranker scores do not depend on weights: score the pool once, and every weighting can be tried offline.
    Documents beyond `top` follow in fused order; equal reranker scores keep it.

    Args:
        scores: query → text of the document id → reranker score, higher is better. Documents without a
            score come last among the first `top`.
        top: documents that are reranked, ≥ 1.
    """

    def value(query: str, documents: Documents) -> float:
        own = scores.get(query, {})
        first = sorted(documents[:top], key=lambda document: -own.get(str(document), -np.inf))
        return _measured(problem, query, [*first, *documents[top:]])

    return ranking_values(problem, weights, value, limit=max(top, problem.measure.cutoff))


def _measured(problem: FusionProblem, query: str, documents: Documents) -> float:
    """The problem's measure of one ranking."""
    grades = problem.judgments.relevant(query)
    table = np.zeros((problem.measure.cutoff, 1), dtype=np.int16)
    shown = [grades.get(str(document), 0) for document in documents[: problem.measure.cutoff]]
    table[: len(shown), 0] = shown
    ideal = Ideal(
        np.array([float(len(grades))]), np.array([problem.measure.ideal_gain(list(grades.values()))])
    )
    return float(problem.measure.values(table, ideal)[0])
