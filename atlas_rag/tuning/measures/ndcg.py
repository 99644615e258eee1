"""Normalised discounted cumulative gain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from atlas_rag.tuning.measures.base import Floats, GradeTable, Ideal, share


@dataclass(frozen=True, slots=True)
class NDCG:
    """nDCG at a cutoff.

    Formula: Σ gain(grade at rank i) / log2(i + 1), divided by the same sum of the ideal ranking;
        gain is the grade (linear, as trec_eval) or 2^grade - 1 (exp).
    Args:
        cutoff: ranks that count, ≥ 1.
        gain: "linear" or "exp".
    """

    cutoff: int = 10
    gain: Literal["linear", "exp"] = "linear"

    def __str__(self) -> str:
        return f"nDCG@{self.cutoff}" if self.gain == "linear" else f"nDCG(exp)@{self.cutoff}"

    def ideal_gain(self, grades: Sequence[int]) -> float:
        best = sorted(grades, reverse=True)[: self.cutoff]
        total = 0.0
        for rank, grade in enumerate(best, start=1):
            total += self._gain(grade) / math.log2(rank + 1)
        return total

    def values(self, table: GradeTable, ideal: Ideal) -> Floats:
        gains = [self._gain(grade) for grade in range(int(table.max(initial=0)) + 1)]
        total = np.zeros(table.shape[1])
        for rank, grades in enumerate(table, start=1):
            discount = math.log2(rank + 1)
            total += np.array([gain / discount for gain in gains]).take(grades)
        return share(total, ideal.gain)

    def _gain(self, grade: int) -> float:
        return float(grade) if self.gain == "linear" else 2.0**grade - 1.0
