"""Average precision (its mean over queries is MAP)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.measures.base import Floats, GradeTable, Ideal, share


@dataclass(frozen=True, slots=True)
class AveragePrecision:
    """Precision at the rank of each relevant document within the cutoff, over all relevant documents.

    Formula: Σ over ranks i of relevant documents of (relevant documents at or above i) / i, divided by the
        number of documents judged relevant.
    Args:
        uncut: whether the whole ranking counts; a problem then puts the length of its longest in `cutoff`.
    """

    cutoff: int = 100
    uncut: bool = False

    def __str__(self) -> str:
        return "AP" if self.uncut else f"AP@{self.cutoff}"

    def ideal_gain(self, grades: Sequence[int]) -> float:
        return 0.0

    def values(self, table: GradeTable, ideal: Ideal) -> Floats:
        found = np.zeros(table.shape[1])
        total = np.zeros(table.shape[1])
        for rank, relevant in enumerate(table > 0, start=1):
            found += relevant
            total += np.where(relevant, found / rank, 0.0)
        return share(total, ideal.relevant)
