"""Evenly spaced weightings."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from atlas_rag.tuning.data.runs import Floats


def simplex_grid(pipelines: int, steps: int) -> Floats:
    """All weightings i/steps of sum 1, from whole numbers (sums of floats would miss points).

    Args:
        pipelines: number of weights, ≥ 1.
        steps: ≥ 1; 100 for steps of .01.
    Returns:
        One weighting a row, the first weight rising slowest: C(steps + pipelines - 1, pipelines - 1) rows.

    >>> simplex_grid(2, 2).tolist()
    [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
    """
    places, count = steps + pipelines - 1, pipelines - 1
    bars = np.array(list(combinations(range(places), count)), dtype=np.int64).reshape(
        comb(places, count), count
    )
    outer = np.full((len(bars), 1), places)
    edges = np.concatenate((np.full((len(bars), 1), -1), bars, outer), axis=1)
    grid: Floats = (np.diff(edges, axis=1) - 1) / steps
    return grid
