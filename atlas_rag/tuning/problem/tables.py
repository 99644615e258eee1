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
    """Grades by rank (first axis) of each query at each weighting (second axis, query-major).

    Args:
        ranks: rank of each relevant document (first axis) at each weighting (second axis).
        query, grades: of each relevant document.
    """
    weightings = ranks.shape[1]
    table = np.zeros((cutoff, queries * weightings), dtype=np.int16)
    document, weighting = np.nonzero(ranks <= cutoff)
    places = query[document] * weightings + weighting
    table[ranks[document, weighting] - 1, places] = grades[document]
    return table
