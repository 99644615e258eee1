"""The measure of every query at every weighting of a grid: all that selection needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.optimum.grid import simplex_grid
from atlas_rag.tuning.problem.problem import FusionProblem

Evaluate: TypeAlias = Callable[[Floats], Floats]

STEPS = {1: 1, 2: 100, 3: 20, 4: 10}
DRAWN = 500


@dataclass(frozen=True)
class Surface:
    """Per-query values on a grid of weightings.

    Args:
        weights: one weighting of sum 1 a row; equal weights and the single pipelines are among them.
        values: of each query (first axis) at each weighting (second axis).
        evaluate: how weightings outside the grid are evaluated.
    """

    problem: FusionProblem
    weights: Floats
    values: Floats
    evaluate: Evaluate

    @classmethod
    def of(
        cls,
        problem: FusionProblem,
        *,
        steps: int | None = None,
        evaluate: Evaluate | None = None,
        seed: int = 0,
    ) -> Surface:
        """Evaluates the grid i/steps (100, 20 and 10 for two, three and four pipelines), or a random draw.

        Args:
            evaluate: weightings → value of each query (first axis) at each; the problem's measure by default.
        """
        size = len(problem.pipelines)
        if steps or size in STEPS:
            grid = simplex_grid(size, steps or STEPS[size])
        else:
            grid = np.concatenate((np.random.default_rng(seed).dirichlet(np.ones(size), DRAWN), np.eye(size)))
        equal = np.full((1, size), 1.0 / size)
        if not (np.abs(grid - equal) < 1e-12).all(axis=1).any():
            grid = np.concatenate((grid, equal))
        evaluate = evaluate or problem.per_query
        return cls(problem, grid, evaluate(grid), evaluate)

    @cached_property
    def equal(self) -> int:
        """The column of equal weights."""
        return int(self.distance.argmin())

    @cached_property
    def distance(self) -> Floats:
        """How far each weighting is from equal weights."""
        away = self.weights - 1.0 / self.weights.shape[1]
        distance: Floats = np.sqrt((away**2).sum(axis=1))
        return distance

    @property
    def singles(self) -> dict[str, int]:
        """The column in which only one input pipeline has a weight, by its name."""
        return {
            name: int(self.weights[:, place].argmax()) for place, name in enumerate(self.problem.pipelines)
        }
