"""What every measure is given and returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

GradeTable: TypeAlias = NDArray[np.int16]
"""Grade of the document at each rank (first axis) of each ranking (second axis); 0 where irrelevant."""

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ideal:
    """What could have been found, ranking by ranking.

    Args:
        relevant: number of relevant documents judged for the query of each ranking.
        gain: discounted gain of the ideal ranking of that query, as the measure defines it; 0 where unused.
    """

    relevant: Floats
    gain: Floats

    def take(self, queries: NDArray[np.integer]) -> Ideal:
        """The values of rankings that belong to these queries."""
        return Ideal(self.relevant[queries], self.gain[queries])


class Measure(Protocol):
    """A value 0…1 per ranking that depends on the grades of its first `cutoff` documents only.

    `values` adds in rank order, as trec_eval does, so that results are the same to the last bit. A query
    without relevant documents has the value 0. No measure falls when a relevant document moves up.
    """

    @property
    def cutoff(self) -> int: ...
    def ideal_gain(self, grades: Sequence[int]) -> float:
        """Gain of the best ranking of documents with these positive grades; 0 for measures without gain."""
        ...

    def values(self, table: GradeTable, ideal: Ideal) -> Floats: ...


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole, 0 where whole is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
