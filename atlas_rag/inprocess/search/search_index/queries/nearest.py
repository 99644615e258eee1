"""The documents with the nearest vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import (
    NOTHING,
    ONE,
    Explanation,
    Matches,
    Query,
    Weight,
)
from atlas_rag.inprocess.search.search_index.storage.runs import Flags
from atlas_rag.inprocess.search.vector_index import Vector


@dataclass(frozen=True, slots=True)
class Nearest(Query):
    """The best `limit` documents of a vector column.

    Args:
        column: the Lucene field name.
        candidates: how many an approximate question considers; None for an exact one.
        filters: what a document must match as well.
    """

    column: str
    vector: Vector
    limit: int
    candidates: int | None
    filters: tuple[Query, ...] = ()

    def rewrite(self, partition: Partition) -> Query:
        inner = tuple(query.rewrite(partition) for query in self.filters)
        if all(after is before for after, before in zip(inner, self.filters, strict=True)):
            return self
        return Nearest(self.column, self.vector, self.limit, self.candidates, inner)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _NearestWeight(self, partition, boost)

    def allowed(self, partition: Partition) -> Flags | None:
        """Returns which documents are considered, None for all."""
        allowed = partition.documents.alive_flags()
        for query in self.filters:
            chosen = np.zeros(partition.documents.size, np.bool_)
            chosen[query.weigh(partition).docs] = True
            allowed = chosen if allowed is None else allowed & chosen
        return allowed

    def __str__(self) -> str:
        return f"KnnFloatVectorQuery:{self.column}[{self.limit}]"


class _NearestWeight(Weight):
    query: Nearest

    def compute(self) -> Matches:
        query, column = self.query, self.partition.vectors.get(self.query.column)
        if column is None:
            return NOTHING
        docs, scores = column.search(
            query.vector, query.limit, allowed=query.allowed(self.partition), candidates=query.candidates
        )
        order = np.argsort(docs)
        return Matches(docs[order].astype(np.int32), scores[order].astype(np.float32) * self.boost)

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        return Explanation(score, f"within top {len(self.docs)} docs")
