"""The best of several scores, plus a share of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.arrays import union
from atlas_rag.inprocess.search.search_index.queries.base import (
    ONE,
    Explanation,
    Matches,
    Query,
    Weight,
    float_text,
)
from atlas_rag.inprocess.search.search_index.queries.boolean import SHOULD, Boolean, Clause
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing


@dataclass(frozen=True, slots=True)
class DisjunctionMax(Query):
    """Formula: max + tie * sum of the others; the maximum in float32, the rest in double."""

    queries: tuple[Query, ...]
    tie: float

    def rewrite(self, partition: Partition) -> Query:
        if not self.queries:
            return MatchNothing("empty DisjunctionMaxQuery")
        if len(self.queries) == 1:
            return self.queries[0]
        if self.tie == 1:
            return Boolean(tuple(Clause(SHOULD, query) for query in self.queries))
        inner = [query.rewrite(partition) for query in self.queries]
        kept = tuple(query for query in inner if not isinstance(query, MatchNothing))
        same = len(kept) == len(self.queries) and all(a is b for a, b in zip(kept, self.queries, strict=True))
        return self if same else DisjunctionMax(kept, self.tie)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _MaxWeight(self, partition, boost)

    def __str__(self) -> str:
        parts = [f"({query})" if query.is_group else str(query) for query in self.queries]
        tie = f"~{float_text(self.tie)}" if self.tie else ""
        return f"({' | '.join(parts)}){tie}"


class _MaxWeight(Weight):
    query: DisjunctionMax

    def __init__(self, query: DisjunctionMax, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost)
        self._weights = [part.weigh(partition, boost) for part in query.queries]

    def compute(self) -> Matches:
        parts = [weight.matches for weight in self._weights]
        docs = union([part.docs for part in parts], self.partition.documents.size)
        best = np.zeros(len(docs), np.float32)
        others = np.zeros(len(docs), np.float64)
        for part in parts:
            at = docs.searchsorted(part.docs)
            higher = part.scores >= best[at]
            others[at] += np.where(higher, best[at], part.scores)
            best[at] = np.where(higher, part.scores, best[at])
        tie = float(np.float32(self.query.tie))
        return Matches(docs, (best.astype(np.float64) + others * tie).astype(np.float32))

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        details = tuple(part for weight in self._weights if (part := weight.explain(doc)) is not None)
        words = (
            f"max plus {double_or_plain(self.query.tie)} times others of:" if self.query.tie else "max of:"
        )
        return Explanation(score, words, details)


def double_or_plain(tie: float) -> str:
    """Renders the tie breaker as Lucene's explanation does."""
    return float_text(tie)
