"""Reciprocal rank of the first relevant document (its mean over queries is MRR)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.measures.base import Floats, GradeTable, Ideal


@dataclass(frozen=True, slots=True)
class ReciprocalRank:
    """1 / rank of the first relevant document within the cutoff, else 0.

    Args:
        uncut: whether the whole ranking counts; a problem then puts the length of its longest in `cutoff`.
    """

    cutoff: int = 10
    uncut: bool = False

    def __str__(self) -> str:
        return "RR" if self.uncut else f"RR@{self.cutoff}"

    def ideal_gain(self, grades: Sequence[int]) -> float:
        return 0.0

    def values(self, table: GradeTable, ideal: Ideal) -> Floats:
        relevant = table > 0
        first = relevant.argmax(axis=0) + 1
        return np.where(relevant.any(axis=0), 1.0 / first, 0.0)
