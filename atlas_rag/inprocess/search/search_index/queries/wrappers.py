"""Queries that change the score of another: a factor, a constant, a function."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import (
    ONE,
    Explanation,
    Matches,
    Query,
    Weight,
    boost_suffix,
    float_text,
)
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing
from atlas_rag.inprocess.search.search_index.storage.runs import Ints


@dataclass(frozen=True, slots=True)
class Boost(Query):
    """Multiplies the scores of a query by a float32 factor.

    Raises:
        EngineRefusal: nested boosts together are beyond a float32, which Lucene's BoostQuery refuses.
    """

    query: Query
    boost: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.boost):
            raise EngineRefusal(f"boost must be a positive float, got {float_text(self.boost)}")

    def rewrite(self, partition: Partition) -> Query:
        inner = self.query.rewrite(partition)
        if self.boost == 1:
            return inner
        if isinstance(inner, Boost):
            return Boost(inner.query, float(np.float32(self.boost) * np.float32(inner.boost)))
        if isinstance(inner, MatchNothing):
            return inner
        if self.boost == 0 and not isinstance(inner, Constant):
            return Boost(Constant(inner), 0.0)
        return self if inner is self.query else Boost(inner, self.boost)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return self.query.weigh(partition, boost * np.float32(self.boost))

    def __str__(self) -> str:
        return f"({self.query})^{float_text(self.boost)}"


@dataclass(frozen=True, slots=True)
class Constant(Query):
    """Gives every match of a query the score 1 (times boosts)."""

    query: Query

    def rewrite(self, partition: Partition) -> Query:
        inner = self.query.rewrite(partition)
        if isinstance(inner, Boost | Constant):
            inner = inner.query
        else:
            inner = inner.unscored()
        if isinstance(inner, MatchNothing | Constant):
            return inner
        return self if inner is self.query else Constant(inner)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _ConstantWeight(self, partition, boost)

    def __str__(self) -> str:
        return f"ConstantScore({self.query})"


class _ConstantWeight(Weight):
    query: Constant

    def __init__(self, query: Constant, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost)
        self._inner = query.query.weigh(partition)

    @property
    def docs(self) -> Ints:
        return self._inner.docs

    @property
    def filtering(self) -> Explanation:
        return self._inner.filtering

    def compute(self) -> Matches:
        docs = self._inner.docs
        return Matches(docs, np.full(len(docs), self.boost, np.float32))

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        return Explanation(self.boost, f"{self.query}{boost_suffix(self.boost)}")
