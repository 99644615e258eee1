"""The best few of many scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array


def largest(values: Array, count: int) -> Any:
    """The value that `count` of them reach. `count` 1 to all."""
    ranked = values.copy()
    ranked.partition(len(values) - count)
    return ranked[len(values) - count]


def reached_by(values: Array, count: int) -> Any:
    """A value that at least `count` of them reach, and mostly few more. `count` 1 to all.

    Where few are asked for, the largest of each eight are ranked, instead of all.
    """
    if count > len(values) // 32:
        return largest(values, count)
    eighth = len(values) // 8
    return largest(np.maximum.reduce(values[: 8 * eighth].reshape(8, eighth)), count)


def contenders(values: Array, count: int, error: float) -> Array:
    """Ascending positions of all that may be among the `count` largest, each value off by ≤ `error`."""
    if count >= len(values):
        return np.arange(len(values))
    positions: Array = (values >= largest(values, count) - 2 * error).nonzero()[0]
    return positions


def best(scores: Array, count: int, places: Array | None = None) -> Array:
    """Positions of the `count` largest scores, best first; ties by ascending place, else by position."""
    falling = -scores
    order: Array = falling.argsort(kind="stable") if places is None else np.lexsort((places, falling))
    return order[:count]
