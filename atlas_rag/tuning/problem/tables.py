"""From ranks of relevant documents to the table of grades that measures read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from atlas_rag.tuning.measures.base import GradeTable


def grade_table(
    ranks: NDArray[np.int16],
    query: NDArray[np.integer],
    grades: NDArray[np.int16],
    *,
    queries: int,
    cutoff: int,
) -> GradeTable:
    """Grades by rank (first axis) of each query at each weighting (second axis, weighting-major).

    Args:
        ranks: rank of each relevant document (second axis) at each weighting (first axis).
        query, grades: of each relevant document.
    """
    table = np.zeros((cutoff, len(ranks) * queries), dtype=np.int16)
    weighting, document = np.nonzero(ranks <= cutoff)
    places = weighting * queries + query[document]
    table[ranks[weighting, document] - 1, places] = grades[document]
    return table
