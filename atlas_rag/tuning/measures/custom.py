"""A measure of one's own, from the grades of a ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.measures.base import Floats, GradeTable, Ideal

Grade = Callable[[Sequence[int], int], float]
"""(grades by rank, number of relevant documents) → value."""


@dataclass(frozen=True, slots=True)
class CustomMeasure:
    """Any function of the grades within the cutoff; computed once for each distinct list of grades.

    Sweeps, selection and reports work as for other measures. A certificate holds only if the function never
    falls when a relevant document moves up.

    Args:
        name: for reports.
        function: such as `lambda grades, relevant: float(sum(grades[:3]) > 4)`.
    """

    name: str
    function: Grade
    cutoff: int = 10

    def __str__(self) -> str:
        return self.name

    def ideal_gain(self, grades: Sequence[int]) -> float:
        return 0.0

    def values(self, table: GradeTable, ideal: Ideal) -> Floats:
        keys = np.concatenate((table, ideal.relevant[None].astype(np.int16)), axis=0)
        distinct, which = np.unique(keys, axis=1, return_inverse=True)
        values = [self.function([int(grade) for grade in key[:-1]], int(key[-1])) for key in distinct.T]
        return np.array(values, dtype=np.float64)[which.ravel()]
