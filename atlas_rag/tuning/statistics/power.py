"""How small a difference a number of queries can show, and how many a difference needs."""

from __future__ import annotations

import math

Z = 1.96 + 0.84
"""Two-sided 5 % error and 80 % power of a normal test."""


def detectable_difference(deviation: float, queries: int) -> float:
    """The mean difference that `queries` queries show with 80 % power.

    Formula: (1.96 + .84) · deviation / √queries.
    Args:
        deviation: standard deviation of the per-query differences, ≥ 0.
        queries: ≥ 1.
    """
    return Z * deviation / math.sqrt(queries)


def queries_needed(deviation: float, difference: float) -> int:
    """How many queries show a mean difference (> 0) with 80 % power.

    Formula: ((1.96 + .84) · deviation / difference)², rounded up.
    """
    return math.ceil((Z * deviation / difference) ** 2)


GAINS = (0.005, 0.01, 0.02, 0.05)
"""Gains of a mean between which people tell."""


def power_table(deviation: float) -> list[tuple[float, int]]:
    """(gain, judged queries that show it with 80 % power) on data of this deviation; empty for 0."""
    return [(wanted, queries_needed(deviation, wanted)) for wanted in GAINS] if deviation > 0 else []
