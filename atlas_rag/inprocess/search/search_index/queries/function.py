"""Scores computed from other scores and from numbers of the document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import (
    ONE,
    Explanation,
    Floats,
    Matches,
    Query,
    Weight,
    double_text,
)
from atlas_rag.inprocess.search.search_index.queries.columns import weighted
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing
from atlas_rag.inprocess.search.search_index.storage.runs import Ints

Doubles = NDArray[np.float64]


class Expression(ABC):
    """A number per document, in double arithmetic; `str` gives the engine's rendering."""

    @abstractmethod
    def values(self, partition: Partition, docs: Ints, scores: Floats) -> Doubles:
        """Evaluates for the documents, given the scores of the query inside."""


@dataclass(frozen=True, slots=True)
class Relevance(Expression):
    """The score of the query inside."""

    def values(self, partition: Partition, docs: Ints, scores: Floats) -> Doubles:
        return scores.astype(np.float64)

    def __str__(self) -> str:
        return "scores"


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    """The same number everywhere."""

    value: float

    def values(self, partition: Partition, docs: Ints, scores: Floats) -> Doubles:
        return np.full(len(docs), self.value)

    def __str__(self) -> str:
        return f"constant({double_text(self.value)})"


@dataclass(frozen=True, slots=True)
class PathValue(Expression):
    """The number at a path that stands alone, else `undefined`."""

    column: str
    path: str
    undefined: float = 0.0

    def values(self, partition: Partition, docs: Ints, scores: Floats) -> Doubles:
        result = np.full(len(docs), self.undefined)
        column = partition.numbers.get(self.column)
        if column is not None and len(docs):
            owners, numbers = column.view.singles
            at = owners.searchsorted(docs)
            at[at == len(owners)] = 0
            if len(owners):
                known = owners[at] == docs
                result[known] = numbers[at[known]]
        return result

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class Sum(Expression):
    """Adds expressions."""

    parts: tuple[Expression, ...]

    def values(self, partition: Partition, docs: Ints, scores: Floats) -> Doubles:
        total = np.zeros(len(docs))
        for part in self.parts:
            total = total + part.values(partition, docs, scores)
        return total

    def __str__(self) -> str:
        return f"({' + '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Product(Expression):
    """Multiplies expressions."""

    parts: tuple[Expression, ...]

    def values(self, partition: Partition, docs: Ints, scores: Floats) -> Doubles:
        total = np.ones(len(docs))
        for part in self.parts:
            total = total * part.values(partition, docs, scores)
        return total

    def __str__(self) -> str:
        return f"({' * '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Logarithm(Expression):
    """log10(x), or log10(1 + x)."""

    inner: Expression
    plus_one: bool = False

    def values(self, partition: Partition, docs: Ints, scores: Floats) -> Doubles:
        inner = self.inner.values(partition, docs, scores)
        logarithm: Doubles = np.log10(inner + 1 if self.plus_one else inner)
        return logarithm

    def __str__(self) -> str:
        return f"{'log1p' if self.plus_one else 'log'}({self.inner})"


@dataclass(frozen=True, slots=True)
class Gauss(Expression):
    """exp(-max(0, |v - origin| - offset)^2 * ln(1 / decay) / scale^2)."""

    inner: Expression
    origin: float
    scale: float
    offset: float
    decay: float

    def values(self, partition: Partition, docs: Ints, scores: Floats) -> Doubles:
        inner = self.inner.values(partition, docs, scores)
        distance = np.maximum(0.0, np.abs(inner - self.origin) - self.offset)
        spread = -(self.scale**2) / (2 * np.log(self.decay))
        closeness: Doubles = np.exp(-(distance**2) / (2 * spread))
        return closeness

    def __str__(self) -> str:
        origin, offset = double_text(self.origin), double_text(self.offset)
        scale, decay = double_text(self.scale), double_text(self.decay)
        return f"exp((max(0, |{self.inner} - {origin}| - {offset})^2) / 2 * ({scale}^2 / 2 * ln({decay})))"


@dataclass(frozen=True, slots=True)
class FunctionScore(Query):
    """Replaces the score of a query by an expression.

    Args:
        multiplied: the expression multiplies the score instead (`score.boost.path`).
    """

    query: Query
    expression: Expression
    multiplied: bool = False

    def rewrite(self, partition: Partition) -> Query:
        inner = self.query.rewrite(partition)
        if isinstance(inner, MatchNothing):
            return inner
        return self if inner is self.query else FunctionScore(inner, self.expression, self.multiplied)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _FunctionWeight(self, partition, boost)

    def __str__(self) -> str:
        by = f"boost({self.expression})" if self.multiplied else str(self.expression)
        return f"FunctionScoreQuery({self.query}, scored by {by})"


class _FunctionWeight(Weight):
    query: FunctionScore

    def __init__(self, query: FunctionScore, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost)
        self._inner = query.query.weigh(partition)

    @property
    def filtering(self) -> Explanation:
        return self._inner.filtering

    def compute(self) -> Matches:
        docs, scores = self._inner.matches
        values = self.query.expression.values(self.partition, docs, scores)
        if self.query.multiplied:
            values = scores * values
        cleaned = np.where(np.isnan(values) | (values < 0), 0.0, values)
        return Matches(docs, (float(self.boost) * cleaned).astype(np.float32))

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        return weighted(str(self.query), score, self.boost, self._explain_value(doc))

    def _explain_value(self, doc: int) -> Explanation:
        inner = self._inner.explain(doc)
        expression = self.query.expression
        docs = np.array([doc], np.int32)
        scores = np.array([self._inner.score_of(doc)], np.float32)
        value = float(expression.values(self.partition, docs, scores)[0])
        if not self.query.multiplied:
            return Explanation(_cleaned(value), str(expression))
        details = (Explanation(np.float32(value), str(expression)),)
        product = float(scores[0]) * value
        return Explanation(_cleaned(product), "product of:", details if inner is None else (inner, *details))


def _cleaned(value: float) -> np.float32:
    """Rounds to float32; negative results and NaN count as 0."""
    return np.float32(value) if value > 0 else np.float32(0)
