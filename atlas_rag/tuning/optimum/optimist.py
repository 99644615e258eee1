"""The best value a measure could have when ranks are known only from below."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from atlas_rag.tuning.problem.problem import FusionProblem


class Optimist:
    """Bounds the mean of the problem's measure from above.

    Two documents cannot share a rank. Filling the ranks from the top, each with the highest grade among the
    documents that can be there, is the best arrangement for every measure of this library (an exchange of two
    documents never gains), so the bound holds, and is exact where the ranks are exact.
    """

    def __init__(self, problem: FusionProblem) -> None:
        self._measure, self._ideal = problem.measure, problem.ideal
        self._queries = len(problem.queries)
        grades = problem.grades[problem.relevant]
        self._order = np.lexsort((-grades, problem.relevant_query))  # within a query the highest grade first
        self._query = problem.relevant_query[self._order]
        self._grades = grades[self._order]

    def bound(self, ahead: NDArray[np.integer]) -> float:
        """The bound when at least so many documents are ahead of each relevant one."""
        ahead = ahead[self._order]
        rows = np.flatnonzero(ahead < self._measure.cutoff)
        query = self._query[rows]
        slot = np.arange(len(rows)) - np.searchsorted(query, query)
        width = int(slot.max(initial=0)) + 1
        earliest = np.full((self._queries, width), self._measure.cutoff, dtype=np.int32)
        earliest[query, slot] = ahead[rows]
        grades = np.zeros((self._queries, width), dtype=np.int16)
        grades[query, slot] = self._grades[rows]
        table = np.zeros((self._measure.cutoff, self._queries), dtype=np.int16)
        everyone = np.arange(self._queries)
        for rank in range(self._measure.cutoff):
            able = earliest <= rank
            chosen = able.argmax(axis=1)
            some = able[everyone, chosen]
            table[rank, some] = grades[everyone[some], chosen[some]]
            earliest[everyone[some], chosen[some]] = self._measure.cutoff  # placed
        return float(self._measure.values(table, self._ideal).mean())
