"""The wrapper that the engine puts around queries when scoreDetails are asked for.

It keeps operators apart where the plain query would merge them, and shortens the description of a query
that comes down to one term or phrase. Boosted and function-scored queries are wrapped as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import ONE, Explanation, Matches, Query, Weight
from atlas_rag.inprocess.search.search_index.queries.block_join import ToParent
from atlas_rag.inprocess.search.search_index.queries.boolean import Boolean, Clause
from atlas_rag.inprocess.search.search_index.queries.function import FunctionScore
from atlas_rag.inprocess.search.search_index.queries.leaves import Synonym, Term
from atlas_rag.inprocess.search.search_index.queries.phrase import Phrase
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost, Constant


@dataclass(frozen=True, slots=True)
class Detailed(Query):
    """A wrapped query."""

    query: Query

    def rewrite(self, partition: Partition) -> Query:
        inner = self.query.rewrite(partition)
        return self if inner is self.query else Detailed(inner)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _DetailedWeight(self, partition, boost)

    def __str__(self) -> str:
        return f"ScoreDetailsWrapped ({self.query})"


def with_details(query: Query) -> Query:
    """Wraps a query and the clauses below it."""
    if isinstance(query, Boolean):
        clauses = tuple(Clause(occur, with_details(inner)) for occur, inner in query.clauses)
        return Detailed(Boolean(clauses, query.minimum))
    if isinstance(query, ToParent):
        return ToParent(with_details(query.query), query.child, query.parent, query.aggregate)
    return Detailed(query)


class _DetailedWeight(Weight):
    query: Detailed

    def __init__(self, query: Detailed, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost)
        self._inner = query.query.weigh(partition, boost)

    def compute(self) -> Matches:
        return self._inner.matches

    @property
    def filtering(self) -> Explanation:
        return self._inner.filtering

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        inner = self._inner.explain_match(doc, score)
        query = self.query.query
        field = _leaf(query)
        if isinstance(query, Boolean) or field is None:
            return inner
        text = query.query if isinstance(query, Boost) else query
        name = self.partition.similarity(field).name
        return Explanation(inner.value, f"{text} [{name}], result of:", inner.details)


def _leaf(query: Query) -> str | None:
    """Returns the field of the one term or phrase that a query comes down to."""
    while isinstance(query, Boost | Constant | FunctionScore | Detailed):
        query = query.query
    return query.field if isinstance(query, Term | Synonym | Phrase) else None
