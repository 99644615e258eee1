"""Values that an experiment file promises, against what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.runs import Runs
from atlas_rag.tuning.experiment.definition import Expected
from atlas_rag.tuning.optimum import optimum
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.selection import CrossValidation, Surface, cross_validate


@dataclass(frozen=True, slots=True)
class Checked:
    """One expectation and the value that was found."""

    expected: Expected
    found: float

    @property
    def holds(self) -> bool:
        """Whether the value is within the tolerance."""
        return abs(self.found - self.expected.value) <= self.expected.tolerance

    def __str__(self) -> str:
        what = f"{self.expected.choice}{' (cross-validated)' if self.expected.cross_validated else ''}"
        sign = "as expected" if self.holds else "NOT as expected"
        wanted = f"{self.expected.value:.4f} ± {self.expected.tolerance:.2g}"
        return f"{what}: {self.found:.4f}, {sign} ({wanted})"


class Checker:
    """Evaluates expectations over all judged queries of the runs; nothing is computed twice."""

    def __init__(
        self,
        runs: Runs,
        judgments: Judgments,
        measure: str,
        *,
        folds: int = 5,
        repeats: int = 20,
        seed: int = 0,
    ) -> None:
        self._runs, self._judgments, self._measure = runs, judgments, measure
        self._folds, self._repeats, self._seed = folds, repeats, seed
        self._validations: dict[str, CrossValidation] = {}

    def check(self, expected: Sequence[Expected]) -> list[Checked]:
        """Raises ExperimentError for a choice that does not exist (7602)."""
        return [Checked(one, self._found(one)) for one in expected]

    def _found(self, expected: Expected) -> float:
        measure = expected.measure or self._measure
        problem = FusionProblem(self._runs, self._judgments, measure)
        if expected.cross_validated:
            return self._validation(problem, measure).mean(expected.choice)
        size = len(problem.pipelines)
        points = dict(zip((f"{name} alone" for name in problem.pipelines), np.eye(size), strict=True))
        points["equal"] = np.full(size, 1.0 / size)
        if expected.choice == "optimum":
            return optimum(problem, seed=self._seed).value
        if expected.choice not in points:
            raise ExperimentError(
                f"nothing is called {expected.choice!r} here", expected=f"one of {[*points, 'optimum']}"
            )
        return float(problem.mean(points[expected.choice])[0])

    def _validation(self, problem: FusionProblem, measure: str) -> CrossValidation:
        if measure not in self._validations:
            self._validations[measure] = cross_validate(
                Surface.of(problem), folds=self._folds, repeats=self._repeats, seed=self._seed
            )
        return self._validations[measure]
