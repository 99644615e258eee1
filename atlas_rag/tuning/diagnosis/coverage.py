"""How much of what is shown was judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.problem.problem import FusionProblem, Weights
from atlas_rag.tuning.problem.ranks import dense_ranks


@dataclass(frozen=True, slots=True)
class Coverage:
    """Judgments among the first documents of a ranking.

    Args:
        cutoff: how many documents of each query are looked at.
        judged: mean share of them that has a judgment, 0…1. The rest counts as irrelevant, which can
            hide a better ranking: judge what several weightings show before comparing them.
        without_relevant: queries for which no document was judged relevant.
        nothing_found: queries for which no input pipeline returned a relevant document.
    """

    cutoff: int
    judged: float
    without_relevant: tuple[str, ...]
    nothing_found: tuple[str, ...]


def coverage(problem: FusionProblem, weights: Weights, cutoff: int = 10) -> Coverage:
    """Judged@cutoff of the ranking at these weights, and the queries that weights cannot help."""
    (row,) = problem.weights(weights)
    pool = problem.pool
    shown = dense_ranks(problem.fused_scores(row), pool.start) <= cutoff
    queries = len(problem.queries)
    judged = np.bincount(pool.query[shown & (problem.grades >= 0)], minlength=queries)
    total = np.bincount(pool.query[shown], minlength=queries)
    found = np.bincount(problem.relevant_query, minlength=queries)
    wanted = problem.ideal.relevant
    share = judged[total > 0] / total[total > 0]
    return Coverage(
        cutoff,
        float(share.mean()) if len(share) else 0.0,
        tuple(query for query, count in zip(problem.queries, wanted, strict=True) if count == 0),
        tuple(
            query
            for query, count, some in zip(problem.queries, wanted, found, strict=True)
            if count > 0 and some == 0
        ),
    )
