"""The range of weights with the same result, and the shortest number inside it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.optimum.sweep import sweep
from atlas_rag.tuning.problem.problem import FusionProblem

MOST_DECIMALS = 12


@dataclass(frozen=True, slots=True)
class Plateau:
    """An open interval of the first weight (of sum 1) on which no value of the measure changes."""

    low: float
    high: float

    @property
    def shortest(self) -> float:
        """The decimal number with the fewest digits inside, the nearest to the middle of these."""
        return shortest_decimal(self.low, self.high)


def shortest_decimal(low: float, high: float) -> float:
    """The number with the fewest decimals strictly between two others.

    >>> shortest_decimal(0.55538, 0.55561)
    0.5555
    """
    middle = (low + high) / 2
    for digits in range(MOST_DECIMALS + 1):
        scale: int = 10**digits
        first, last = math.floor(low * scale) + 1, math.ceil(high * scale) - 1
        if first <= last:
            return float(np.clip(round(middle * scale), first, last)) / scale
    return middle


def plateau_of(problem: FusionProblem, weights: Floats) -> Plateau | None:
    """The plateau around two weights > 0 under a linear fusion; None for anything else."""
    if len(weights) != 2 or not problem.fusion.linear or not (weights > 0).all():
        return None
    line = sweep(problem, [0, 1], [1, 0])
    return Plateau(*line.plateau(float(weights[0] / weights.sum())))


def shortest_decimals(problem: FusionProblem, weights: Floats) -> Floats:
    """Weights of sum 1 with few decimals that give every query the same value as these.

    Of two weights the shortest inside their plateau; of more, these weights rounded as far as possible. Both
    are checked by evaluation, query by query; the weights themselves are returned if nothing shorter does.
    """
    share: Floats = weights / weights.sum()
    target = problem.per_query(share)[:, 0]
    for shorter in _candidates(problem, share):
        if ((shorter > 0) == (share > 0)).all() and (problem.per_query(shorter)[:, 0] == target).all():
            return shorter
    return share


def _candidates(problem: FusionProblem, share: Floats) -> Iterator[Floats]:
    if plateau := plateau_of(problem, share):
        yield np.array([plateau.shortest, round(1.0 - plateau.shortest, MOST_DECIMALS)])
    for digits in range(1, MOST_DECIMALS):
        scale: int = 10**digits
        yield _rounded(share, scale)


def _rounded(share: Floats, scale: int) -> Floats:
    """The nearest multiples of 1/scale of sum 1 (largest remainders rounded up)."""
    floor: Floats = np.floor(share * scale)
    missing = round(scale - floor.sum())
    floor[np.argsort(floor - share * scale, kind="stable")[:missing]] += 1
    return floor / scale
