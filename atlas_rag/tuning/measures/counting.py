"""Measures that count relevant documents within the cutoff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.measures.base import Floats, GradeTable, Ideal, share


@dataclass(frozen=True, slots=True)
class Recall:
    """Share of the judged-relevant documents found within the cutoff."""

    cutoff: int = 100

    def __str__(self) -> str:
        return f"R@{self.cutoff}"

    def ideal_gain(self, grades: Sequence[int]) -> float:
        return 0.0

    def values(self, table: GradeTable, ideal: Ideal) -> Floats:
        return share((table > 0).sum(axis=0).astype(np.float64), ideal.relevant)


@dataclass(frozen=True, slots=True)
class Precision:
    """Relevant documents within the cutoff, divided by the cutoff (not by what was found)."""

    cutoff: int = 10

    def __str__(self) -> str:
        return f"P@{self.cutoff}"

    def ideal_gain(self, grades: Sequence[int]) -> float:
        return 0.0

    def values(self, table: GradeTable, ideal: Ideal) -> Floats:
        found: Floats = (table > 0).sum(axis=0) / self.cutoff
        return found


@dataclass(frozen=True, slots=True)
class Hit:
    """1 if any relevant document is within the cutoff, else 0 (success)."""

    cutoff: int = 10

    def __str__(self) -> str:
        return f"Hit@{self.cutoff}"

    def ideal_gain(self, grades: Sequence[int]) -> float:
        return 0.0

    def values(self, table: GradeTable, ideal: Ideal) -> Floats:
        return np.where((table > 0).any(axis=0), 1.0, 0.0)
