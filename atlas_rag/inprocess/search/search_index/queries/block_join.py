"""Joins between embedded documents and the documents that hold them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.arrays import locate
from atlas_rag.inprocess.search.search_index.queries.base import (
    NOTHING,
    ONE,
    Explanation,
    Matches,
    Query,
    Weight,
)
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing
from atlas_rag.inprocess.search.search_index.storage.runs import Ints


class Aggregate(Enum):
    """How the scores of several embedded documents become one."""

    SUM = "sum"
    MAXIMUM = "maximum"
    MINIMUM = "minimum"
    MEAN = "mean"


@dataclass(frozen=True, slots=True)
class ToParent(Query):
    """Documents that hold matching embedded documents.

    Args:
        query: matches embedded documents of scope `child`.
        child: number of the embedded scope.
        parent: number of the scope that is returned.
    """

    query: Query
    child: int
    parent: int
    aggregate: Aggregate

    def rewrite(self, partition: Partition) -> Query:
        inner = self.query.rewrite(partition)
        if isinstance(inner, MatchNothing):
            return inner
        return self if inner is self.query else ToParent(inner, self.child, self.parent, self.aggregate)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _ToParentWeight(self, partition, boost)

    def __str__(self) -> str:
        return f"ToParentBlockJoinQuery ({self.query})"


def ancestors(partition: Partition, docs: Ints, scope: int) -> Ints:
    """Returns, for embedded documents, the document of a scope that each stands below."""
    arrays = partition.documents.arrays
    found: Ints = arrays.parents[docs]
    while True:
        low = arrays.scopes[found] != scope
        if not low.any():
            return found
        found = np.where(low, arrays.parents[found], found)


class _ToParentWeight(Weight):
    query: ToParent

    def __init__(self, query: ToParent, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost)
        self._inner = query.query.weigh(partition, boost)

    def _children(self) -> Matches:
        docs, scores = self._inner.matches
        own = self.partition.documents.arrays.scopes[docs] == self.query.child
        return Matches(docs[own], scores[own])

    def compute(self) -> Matches:
        docs, scores = self._children()
        if not len(docs):
            return NOTHING
        owners = ancestors(self.partition, docs, self.query.parent)
        heads = np.flatnonzero(np.concatenate([[True], owners[1:] != owners[:-1]]))
        return Matches(owners[heads], _aggregated(scores.astype(np.float64), heads, self.query.aggregate))

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        docs = self._children().docs
        below = docs[ancestors(self.partition, docs, self.query.parent) == doc]
        parts = [part for child in below.tolist() if (part := self._inner.explain(child)) is not None]
        choose = min if self.query.aggregate is Aggregate.MINIMUM else max
        best = choose(parts, key=lambda part: part.value)
        return Explanation(score, "Score based on child docs, best match:", (best,))


def _aggregated(
    scores: np.ndarray[tuple[int], np.dtype[np.float64]],
    heads: np.ndarray[tuple[int], np.dtype[np.int64]],
    aggregate: Aggregate,
) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    if aggregate is Aggregate.MAXIMUM:
        result = np.maximum.reduceat(scores, heads)
    elif aggregate is Aggregate.MINIMUM:
        result = np.minimum.reduceat(scores, heads)
    else:
        result = np.add.reduceat(scores, heads)
        if aggregate is Aggregate.MEAN:
            result = result / np.diff(np.append(heads, len(scores)))
    return result.astype(np.float32)


@dataclass(frozen=True, slots=True)
class ToChild(Query):
    """Embedded documents of a scope below matching documents, with those documents' scores."""

    query: Query
    parent: int
    child: int

    def rewrite(self, partition: Partition) -> Query:
        inner = self.query.rewrite(partition)
        if isinstance(inner, MatchNothing):
            return inner
        return self if inner is self.query else ToChild(inner, self.parent, self.child)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _ToChildWeight(self, partition, boost)

    def __str__(self) -> str:
        return f"ToChildBlockJoinQuery ({self.query})"


class _ToChildWeight(Weight):
    query: ToChild

    def __init__(self, query: ToChild, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost)
        self._inner = query.query.weigh(partition, boost)

    def compute(self) -> Matches:
        docs, scores = self._inner.matches
        children = self.partition.documents.arrays.live_of(self.query.child)
        if not len(children) or not len(docs):
            return NOTHING
        found, at = locate(ancestors(self.partition, children, self.query.parent), docs)
        return Matches(children[found], scores[at[found]])

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        (owner,) = ancestors(self.partition, np.array([doc], np.int32), self.query.parent).tolist()
        part = self._inner.explain(owner)
        details = () if part is None else (part,)
        return Explanation(score, f"Score based on parent document {owner}", details)
