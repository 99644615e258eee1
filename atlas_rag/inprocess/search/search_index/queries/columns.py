"""Queries over number columns: ranges and nearness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from atlas_rag.inprocess.search.search_index.fields.numeric import MAX_LONG, DateField, NumberField
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import (
    NOTHING,
    ONE,
    Explanation,
    Matches,
    Query,
    Weight,
    double_text,
)
from atlas_rag.inprocess.search.search_index.queries.leaves import EqualScores
from atlas_rag.inprocess.search.search_index.queries.rendering import range_text, set_text, sortable_bits
from atlas_rag.inprocess.search.search_index.storage.columns import to_sortable
from atlas_rag.inprocess.search.search_index.storage.runs import Ints


@dataclass(frozen=True, slots=True)
class NumberRange(Query):
    """Documents with a number (or date) in a range; bounds are included.

    Args:
        field: what is asked; its name is the column's.
        doubles: bounds in columns of doubles.
        longs: bounds in columns of whole numbers.
    """

    is_group: ClassVar[bool] = True
    field: NumberField | DateField
    doubles: tuple[float, float]
    longs: tuple[int, int]

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        column = partition.numbers.get(self.field.name)
        if column is None:
            return EqualScores(self, partition, NOTHING.docs, boost)
        low, high = self.longs if column.whole else self.doubles
        docs = column.view.between(low, high)
        return EqualScores(self, partition, docs, boost)

    def __str__(self) -> str:
        scope, path = self.field.scope, self.field.path
        if isinstance(self.field, DateField):
            return range_text(scope, path, "date", self.longs)
        bits = sortable_bits(self.doubles[0]), sortable_bits(self.doubles[1])
        return f"{range_text(scope, path, 'int64', self.longs)} {range_text(scope, path, 'double', bits)}"


@dataclass(frozen=True, slots=True)
class NumberSet(Query):
    """Documents with one of some numbers (or dates).

    Args:
        field: what is asked; its name is the column's.
        doubles: the numbers in columns of doubles.
        longs: the numbers in columns of whole numbers.
    """

    is_group: ClassVar[bool] = True
    field: NumberField | DateField
    doubles: tuple[float, ...]
    longs: tuple[int, ...]

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        column = partition.numbers.get(self.field.name)
        if column is None:
            return EqualScores(self, partition, NOTHING.docs, boost)
        cells = column.view.cells
        wanted = np.array(self.longs if column.whole else self.doubles, cells.values.dtype)
        found = np.isin(cells.values, wanted)
        if not column.whole and np.isnan(wanted).any():  # equal to itself here, as its bits are
            found |= np.isnan(cells.values)
        return EqualScores(self, partition, np.unique(cells.docs[found]), boost)

    def __str__(self) -> str:
        scope, path = self.field.scope, self.field.path
        if isinstance(self.field, DateField):
            return set_text(scope, path, "date", self.longs)
        bits = {sortable_bits(number) for number in self.doubles}
        return f"{set_text(scope, path, 'int64', self.longs)} {set_text(scope, path, 'double', bits)}"


@dataclass(frozen=True, slots=True)
class SingleRange(Query):
    """Documents whose only number stands alone and has sortable bits in a range."""

    column: str
    field: str
    low: int
    high: int

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        column = partition.numbers.get(self.column)
        if column is None or column.whole:
            return EqualScores(self, partition, NOTHING.docs, boost)
        docs, values = column.view.singles
        bits = to_sortable(values)
        docs = docs[(bits >= self.low) & (bits <= self.high)]
        return EqualScores(self, partition, docs, boost)

    def __str__(self) -> str:
        return f"{self.field}:[{self.low} TO {self.high}]"


@dataclass(frozen=True, slots=True)
class WholeNear(Query):
    """Scores pivot / (pivot + |value - origin|) over whole numbers that stand alone."""

    column: str
    origin: int
    pivot: int

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _WholeNearWeight(self, partition, boost)

    def __str__(self) -> str:
        return f"LongDistanceFeatureQuery(field=,origin={self.origin},pivotDistance={self.pivot})"


class _WholeNearWeight(Weight):
    query: WholeNear

    def _singles(self) -> tuple[Ints, NDArray[Any]]:
        column = self.partition.numbers.get(self.query.column)
        if column is None or not column.whole:
            return NOTHING.docs, np.zeros(0, np.int64)
        return column.view.singles

    def compute(self) -> Matches:
        docs, values = self._singles()
        closeness = self.query.pivot / (self.query.pivot + _distances(values, self.query.origin))
        return Matches(docs, (float(self.boost) * closeness).astype(np.float32))

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        docs, values = self._singles()
        named = (
            (self.boost, "weight"),
            (self.query.pivot, "pivotDistance"),
            (self.query.origin, "origin"),
            (values[docs.searchsorted(doc)], "current value"),
        )
        return Explanation(
            score,
            "Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - origin)) "
            "from:",
            tuple(Explanation(value, name) for value, name in named),
        )


def _distances(values: NDArray[Any], origin: int) -> NDArray[np.float64]:
    """How far whole numbers are from the origin, counted in whole numbers up to the largest of 64 bits."""
    far = np.maximum(values, origin) - np.minimum(values, origin)
    distances: NDArray[np.float64] = np.where(far < 0, MAX_LONG, far).astype(np.float64)
    return distances


@dataclass(frozen=True, slots=True)
class DoubleNear(Query):
    """Scores pivot / (pivot + |origin - value|), in double, over numbers that stand alone.

    Args:
        bits: origin and pivot as sortable bits, for Lucene's rendering.
    """

    column: str
    field: str
    origin: float
    pivot: float
    bits: tuple[int, int]

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _DoubleNearWeight(self, partition, boost)

    def __str__(self) -> str:
        inner = f"LongDistanceFeatureQuery(field=,origin={self.bits[0]},pivotDistance={self.bits[1]})"
        return f"FunctionScoreQuery({inner}, scored by expr(pivot / (pivot + abs(origin - value))))"


class _DoubleNearWeight(Weight):
    query: DoubleNear

    def _singles(self) -> tuple[Ints, NDArray[np.float64]]:
        column = self.partition.numbers.get(self.query.column)
        if column is None or column.whole:
            return NOTHING.docs, np.zeros(0)
        return column.view.singles

    def compute(self) -> Matches:
        docs, values = self._singles()
        origin, pivot = self.query.origin, self.query.pivot
        closeness = pivot / (pivot + np.abs(origin - values))
        closeness = np.where(np.isnan(closeness), 0.0, closeness)
        return Matches(docs, (float(self.boost) * closeness).astype(np.float32))

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        docs, values = self._singles()
        value = np.float32(values[docs.searchsorted(doc)])
        query, bare = self.query, np.float32(score / self.boost) if self.boost else np.float32(0)
        parts = (
            Explanation(np.float32(query.pivot), f"constant({double_text(query.pivot)})"),
            Explanation(np.float32(query.origin), f"constant({double_text(query.origin)})"),
            Explanation(value, f"double({query.field})"),
        )
        inner = Explanation(bare, "pivot / (pivot + abs(origin - value)), computed from:", parts)
        return weighted(str(query), score, self.boost, inner)


def weighted(text: str, score: np.float32, boost: np.float32, inner: Explanation) -> Explanation:
    """Explains a function score: what was computed, and the boost if there is one."""
    if boost == 1:
        return Explanation(score, f"weight({text}), result of:", (inner,))
    return Explanation(score, f"weight({text}), product of:", (Explanation(boost, "boost"), inner))
