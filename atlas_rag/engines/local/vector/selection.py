"""The best few of many scores."""

from __future__ import annotations

import numpy as np

from atlas_rag.engines.local.vector.growing import Array


def contenders(values: Array, count: int, error: float) -> Array:
    """Ascending positions of all that may be among the `count` largest, each value off by ≤ `error`."""
    if count >= len(values):
        return np.arange(len(values))
    bar = np.partition(values, len(values) - count)[len(values) - count]
    return np.flatnonzero(values >= bar - 2 * error)


def best(scores: Array, count: int, places: Array | None = None) -> Array:
    """Positions of the `count` largest scores, best first; ties by ascending place, else by position."""
    order = np.argsort(-scores, kind="stable") if places is None else np.lexsort((places, -scores))
    return order[:count]
