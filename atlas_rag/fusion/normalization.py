"""The score normalisations of `$scoreFusion` and `$score`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

NORMALIZATIONS = ("none", "sigmoid", "minMaxScaler")


def sigmoid(value: float) -> float:
    """1 / (1 + e^-value), in (0, 1); never overflows.

    >>> sigmoid(0.0)
    0.5
    """
    try:
        return 1.0 / (1.0 + math.exp(-value))
    except OverflowError:  # e^-value is beyond a double: the server divides by infinity
        return 0.0


def min_max(values: Sequence[float]) -> list[float]:
    """Values moved to [0, 1] by the smallest and largest among them; all 0.0 when these are equal.

    >>> min_max([2.0, 4.0, 3.0])
    [0.0, 1.0, 0.5]
    """
    if not values:
        return []
    low, high = min(values), max(values)
    if low == high:
        return [0.0] * len(values)
    span = high - low
    return [(value - low) / span for value in values]


def normalize(scores: Iterable[float], how: str, weight: float = 1.0) -> list[float]:
    """The weighted, normalised scores of one input pipeline, as `$scoreFusion` computes them.

    Formula: none: w·s;  sigmoid: w·σ(s);  minMaxScaler: the scaler over all w·s. The scaler runs *after*
    the weight and so undoes it: a weight other than 0 changes nothing there.
    Source: the server's own order of operations, kept on purpose.

    Raises:
        ValueError: `how` is not one of `NORMALIZATIONS`.
    """
    if how == "none":
        return [weight * score for score in scores]
    if how == "sigmoid":
        return [weight * sigmoid(score) for score in scores]
    if how == "minMaxScaler":
        return min_max([weight * score for score in scores])
    raise ValueError(f"normalization {how!r} is not one of {', '.join(NORMALIZATIONS)}")
