"""Queries over number columns: ranges, exact values, nearness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atlas_rag.engines.local.text.fields.numeric import MAX_LONG, MIN_LONG
from atlas_rag.engines.local.text.partition import Partition
from atlas_rag.engines.local.text.queries.base import NOTHING, ONE, Matches, Query, Weight, boost_suffix
from atlas_rag.engines.local.text.queries.leaves import FixedWeight


@dataclass(frozen=True, slots=True)
class NumberRange(Query):
    """Documents with a number in one of the ranges; bounds are included.

    Args:
        column: the number column.
        doubles: bounds for double columns.
        longs: bounds for integer columns.
        text: Lucene's rendering of the query.
    """

    column: str
    doubles: tuple[float, float]
    longs: tuple[int, int]
    text: str

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        column = partition.numbers.get(self.column)
        if column is None:
            return FixedWeight(self, partition, NOTHING, "")
        low, high = self.longs if column.whole else self.doubles
        docs = column.view.between(low, high)
        matches = Matches(docs, np.full(len(docs), boost, np.float32))
        return FixedWeight(self, partition, matches, f"{self}{boost_suffix(boost)}")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class NumberNear(Query):
    """Scores pivot / (pivot + |value - origin|) where a document's only number stands alone."""

    column: str
    origin: float
    pivot: float
    whole_origin: int
    whole_pivot: int

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        column = partition.numbers.get(self.column)
        if column is None:
            return FixedWeight(self, partition, NOTHING, "")
        docs, values = column.view.singles
        origin, pivot = (self.whole_origin, self.whole_pivot) if column.whole else (self.origin, self.pivot)
        with np.errstate(all="ignore"):
            closeness = pivot / (pivot + np.abs(values.astype(np.float64) - origin))
        closeness = np.where(np.isnan(closeness), 0.0, closeness)
        scores = (boost * closeness.astype(np.float32)).astype(np.float32)
        return FixedWeight(self, partition, Matches(docs, scores), str(self))

    def __str__(self) -> str:
        return f"LongDistanceFeatureQuery(field=,origin={self.whole_origin},pivotDistance={self.whole_pivot})"


__all__ = ["MAX_LONG", "MIN_LONG", "NumberNear", "NumberRange"]
