"""Resampling queries with replacement."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from atlas_rag.tuning.data.runs import Floats

ROUNDS = 9999


def bootstrap_counts(queries: int, rounds: int, draw: np.random.Generator) -> NDArray[np.int64]:
    """How often each query (second axis) occurs in each of `rounds` resamples of the same size."""
    return draw.multinomial(queries, np.full(queries, 1.0 / queries), size=rounds)


def bootstrap_interval(
    values: Floats, *, level: float = 0.95, rounds: int = ROUNDS, seed: int = 0
) -> tuple[float, float]:
    """Percentile interval of the mean of one value per query; level 0…1."""
    counts = bootstrap_counts(len(values), rounds, np.random.default_rng(seed))
    means = counts @ values / len(values)
    tail = (1.0 - level) / 2
    low, high = np.quantile(means, [tail, 1.0 - tail])
    return float(low), float(high)


def sign_flips(queries: int, rounds: int, draw: np.random.Generator) -> Floats:
    """Random signs for each query (second axis) in each of `rounds` (first axis)."""
    return draw.choice(np.array([-1.0, 1.0]), size=(rounds, queries))
