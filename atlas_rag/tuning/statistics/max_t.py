"""The best of many: a p-value that knows how many were tried."""

from __future__ import annotations

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.statistics.resampling import ROUNDS, sign_flips

BLOCK = 500


def best_of_many(
    matrix: Floats, baseline: Floats, *, rounds: int = ROUNDS, seed: int = 0
) -> tuple[int, float]:
    """(column with the highest mean, p-value of its being better than the baseline).

    Signs of whole rows of differences are flipped together, and the greatest t of all columns is kept: the
    p-value allows for the choice among the columns, that of a plain test does not.

    Source: Westfall and Young (1993), max-T.
    Args:
        matrix: value of each query (first axis) for each alternative (second axis).
        baseline: value of each query.
    """
    differences = matrix - baseline[:, None]
    queries = len(differences)
    squares = (differences**2).mean(axis=0)
    observed = float(_t(differences.mean(axis=0), squares, queries).max(initial=-np.inf))
    draw = np.random.default_rng(seed)
    exceeding = 0
    for begin in range(0, rounds, BLOCK):
        signs = sign_flips(queries, min(BLOCK, rounds - begin), draw)
        greatest = _t(signs @ differences / queries, squares, queries).max(axis=1)
        exceeding += int((greatest >= observed - 1e-12).sum())
    return int(matrix.mean(axis=0).argmax()), (1 + exceeding) / (rounds + 1)


def _t(mean: Floats, squares: Floats, queries: int) -> Floats:
    """t of a column with this mean and mean square; 0 where all differences are 0."""
    variance = np.maximum(squares - mean**2, 0.0) / max(queries - 1, 1)
    deviation = np.sqrt(variance)
    return np.divide(mean, deviation, out=np.where(mean > 0, np.inf, 0.0), where=deviation > 0)
