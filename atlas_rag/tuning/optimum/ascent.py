"""Better weights for three and more input pipelines, by exact searches along lines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.optimum.sweep import sweep
from atlas_rag.tuning.problem.problem import FusionProblem, Weights

RISE = 1e-12


def ascend(problem: FusionProblem, start: Weights, *, lines: int = 12, seed: int = 0) -> tuple[Floats, float]:
    """(weights, value) that no exact line search improves, starting from `start`.

    The lines through a point are: towards each single pipeline, between each two, and `lines` random ones.
    Each takes the best plateau on its whole length, so that narrow peaks are not missed.

    Args:
        start: all weights > 0; scaled to sum 1.
        lines: random lines tried before giving up, ≥ 0.
    """
    (point,) = problem.weights(start)
    point = point / point.sum()
    value = float(problem.mean(point)[0])
    draw = np.random.default_rng(seed)
    improved = True
    while improved:
        improved = False
        for direction in _directions(point, lines, draw):
            low, high = _chord(point, direction)
            line = sweep(problem, low, high)
            place, best = line.best()
            if best > value + RISE:
                point, value, improved = line.weights(place), best, True
    return point, value


def _directions(point: Floats, lines: int, draw: np.random.Generator) -> Iterator[Floats]:
    size = len(point)
    for one in range(size):
        yield np.eye(size)[one] - point
    for one in range(size):
        for other in range(one + 1, size):
            yield np.eye(size)[one] - np.eye(size)[other]
    for _ in range(lines):
        random = draw.standard_normal(size)
        yield random - random.mean()


def _chord(point: Floats, direction: Floats) -> tuple[Floats, Floats]:
    """Where the line through an inner point leaves the simplex, on both sides."""
    with np.errstate(divide="ignore"):
        reach = -point / direction
    forward = np.min(reach[direction < 0])
    backward = np.max(reach[direction > 0])
    ends = point + backward * direction, point + forward * direction
    low, high = (np.where(end < 1e-15, 0.0, end) for end in ends)
    return low / low.sum(), high / high.sum()
