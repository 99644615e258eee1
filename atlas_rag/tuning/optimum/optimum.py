"""The best weights for any number of input pipelines, by the strongest method there is for it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.optimum.ascent import ascend
from atlas_rag.tuning.optimum.certificate import Certificate, certify
from atlas_rag.tuning.optimum.grid import simplex_grid
from atlas_rag.tuning.optimum.sweep import sweep
from atlas_rag.tuning.problem.problem import FusionProblem

STEPS = {3: 20, 4: 10}
GRID = {2: 100, 3: 20, 4: 10}
STARTS = 4


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best weighting on the judged queries; on others it need not be best, see `selection`.

    Args:
        weights: of sum 1, in the middle of the best plateau.
        value: mean of the measure.
        exact: whether this is proved to be the best (to the gap of the certificate where there is one).
        method: how it was found, in words.
    """

    weights: Floats
    value: float
    exact: bool
    method: str
    certificate: Certificate | None = None


def optimum(
    problem: FusionProblem, *, certified: bool = True, gap: float = 0.0, seconds: float = 30.0, seed: int = 0
) -> Optimum:
    """Two pipelines: all plateaus. Three and more: edges and line searches; three also get a certificate.

    A fusion that is not linear in its weights is evaluated on a grid.

    Args:
        certified: whether to prove the result for three pipelines.
        gap, seconds: of the certificate, see `certify`.
        seed: of the random lines.
    """
    size = len(problem.pipelines)
    if not problem.fusion.linear:
        return _best_of_grid(problem)
    weights, value = _best_of_corners_and_edges(problem)
    if size <= 2:
        return Optimum(weights, value, True, "all plateaus")
    for start in _starts(problem, seed):
        point, reached = ascend(problem, start, seed=seed)
        if reached > value:
            weights, value = point, reached
    if size > 3 or not certified:
        return Optimum(weights, value, False, "line searches")
    inner = weights if (weights > 0).all() else np.full(size, 1.0 / size)
    proof = certify(problem, inner, gap=gap, seconds=seconds)
    if proof.value > value:
        weights, value = proof.weights, proof.value
    return Optimum(weights, value, proof.closed, "line searches and branch and bound", proof)


def _best_of_grid(problem: FusionProblem) -> Optimum:
    grid = simplex_grid(len(problem.pipelines), GRID.get(len(problem.pipelines), 5))
    values = problem.mean(grid)
    best = int(values.argmax())
    return Optimum(grid[best], float(values[best]), False, f"a grid of {len(grid)} weightings")


def _best_of_corners_and_edges(problem: FusionProblem) -> tuple[Floats, float]:
    """The best single pipeline or pair of them, and equal weights (a point of many exact ties)."""
    size = len(problem.pipelines)
    points = [*np.eye(size), np.full(size, 1.0 / size)]
    for one, other in combinations(range(size), 2):
        line = sweep(problem, np.eye(size)[other], np.eye(size)[one])
        points.append(line.weights(line.best()[0]))
    values = problem.mean(np.array(points))
    best = int(values.argmax())
    return points[best], float(values[best])


def _starts(problem: FusionProblem, seed: int) -> list[Floats]:
    """Equal weights and the best inner points of a grid, or of a random draw where a grid is too large."""
    size = len(problem.pipelines)
    if size in STEPS:
        points = simplex_grid(size, STEPS[size])
        points = points[(points > 0).all(axis=1)]
    else:
        points = np.random.default_rng(seed).dirichlet(np.ones(size), 300)
    best = np.argsort(-problem.mean(points), kind="stable")[:STARTS]
    return [np.full(size, 1.0 / size), *points[best]]
