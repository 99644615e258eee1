"""Boolean combinations: required, optional, filtering and prohibited clauses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.arrays import (
    add_up,
    intersect,
    locate,
    scores_at,
    union,
    without,
)
from atlas_rag.inprocess.search.search_index.queries.base import (
    NOTHING,
    ONE,
    Explanation,
    Floats,
    Matches,
    Query,
    Weight,
)
from atlas_rag.inprocess.search.search_index.storage.runs import Ints

MAX_CLAUSES = 1024
"""Lucene's limit, which the engine leaves as it is."""


class TooManyClauses(EngineRefusal):
    """A Boolean would have more clauses than Lucene takes, as sent or after rewriting."""

    def __init__(self) -> None:
        super().__init__(
            f"query has expanded into too many sub-queries internally: maxClauseCount is set to {MAX_CLAUSES}"
        )


class Occur(Enum):
    """How a clause takes part; the value is Lucene's prefix."""

    MUST = "+"
    FILTER = "#"
    SHOULD = ""
    MUST_NOT = "-"

    __hash__ = object.__hash__  # Enum's own hashes the name anew each time


MUST, FILTER, SHOULD, MUST_NOT = Occur.MUST, Occur.FILTER, Occur.SHOULD, Occur.MUST_NOT


class Clause(NamedTuple):
    """A query and how it takes part."""

    occur: Occur
    query: Query


@dataclass(frozen=True, slots=True)
class Boolean(Query):
    """Clauses and how many optional ones must match at least. Raises `TooManyClauses`."""

    is_group: ClassVar[bool] = True
    clauses: tuple[Clause, ...]
    minimum: int = 0

    def __post_init__(self) -> None:
        if len(self.clauses) > MAX_CLAUSES:
            raise TooManyClauses

    def of(self, occur: Occur) -> list[Query]:
        """Returns the queries of one kind of clause, in order."""
        return [clause.query for clause in self.clauses if clause.occur is occur]

    @property
    def is_pure_disjunction(self) -> bool:
        """Whether matching any one clause is enough."""
        return self.minimum <= 1 and all(clause.occur is SHOULD for clause in self.clauses)

    # The rules build Booleans themselves, hence the late imports.

    def rewrite(self, partition: Partition) -> Query:
        from atlas_rag.inprocess.search.search_index.queries.simplify import simplify

        return simplify(self, partition)

    def unscored(self) -> Query:
        from atlas_rag.inprocess.search.search_index.queries.simplify import drop_scoring

        return drop_scoring(self)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return BooleanWeight(self, partition, boost)

    def __str__(self) -> str:
        parts = []
        for occur, query in self.clauses:
            text = f"({query})" if query.is_group else str(query)
            parts.append(occur.value + text)
        joined = " ".join(parts)
        return f"({joined})~{self.minimum}" if self.minimum > 0 else joined


def should(queries: Sequence[Query]) -> Query:
    """Joins alternatives; one stays bare."""
    return queries[0] if len(queries) == 1 else Boolean(tuple(Clause(SHOULD, query) for query in queries))


def boolean(clauses: Iterable[tuple[Occur, Query]], minimum: int = 0) -> Boolean:
    """Builds a Boolean from pairs."""
    return Boolean(tuple(Clause(occur, query) for occur, query in clauses), minimum)


class BooleanWeight(Weight):
    """Weight of a `Boolean`."""

    query: Boolean

    def __init__(self, query: Boolean, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost)
        self._weights = [
            (occur, part.weigh(partition, boost if occur in (MUST, SHOULD) else ONE))
            for occur, part in query.clauses
        ]

    def _of(self, occur: Occur) -> list[Matches]:
        return [weight.matches for kind, weight in self._weights if kind is occur]

    def _docs_of(self, occur: Occur) -> list[Ints]:
        return [weight.docs for kind, weight in self._weights if kind is occur]

    def compute(self) -> Matches:
        required = self._of(MUST)
        filters, prohibited = self._docs_of(FILTER), self._docs_of(MUST_NOT)
        optional = self._optional
        if not required and not filters:
            found = optional
        else:
            found = self._conjunction(required, filters, optional)
        if prohibited and len(found.docs):
            barred = union(prohibited, self.partition.documents.size)
            keep = without(found.docs, barred)
            found = Matches(found.docs[keep], found.scores[keep])
        return found

    @cached_property
    def _optional(self) -> Matches:
        parts = self._of(SHOULD)
        size, minimum = self.partition.documents.size, self.query.minimum
        if minimum <= 1:
            return add_up(parts, size)
        if minimum > len(parts):
            return NOTHING
        counts = np.bincount(np.concatenate([part.docs for part in parts]), minlength=size)
        summed = add_up(parts, size)
        keep = counts[summed.docs] >= minimum
        return Matches(summed.docs[keep], summed.scores[keep])

    def _conjunction(self, required: list[Matches], filters: list[Ints], optional: Matches) -> Matches:
        has_optional = any(kind is SHOULD for kind, _ in self._weights)
        docs = intersect([*(matches.docs for matches in required), *filters])
        scores = _sum_of([scores_at(docs, matches) for matches in required], len(docs))
        if not has_optional:
            return Matches(docs, scores)
        present, at = locate(docs, optional.docs)
        if self.query.minimum > 0:
            docs, scores = docs[present], scores[present]
            extra = optional.scores[at[present]].astype(np.float64)
            return Matches(docs, (scores.astype(np.float64) + extra).astype(np.float32))
        scores = scores.copy()
        scores[present] += optional.scores[at[present]]
        return Matches(docs, scores)

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        details = []
        for occur, weight in self._weights:
            if occur is FILTER:
                details.append(_required(weight.filtering))
            elif occur is not MUST_NOT:
                part = weight.explain(doc)
                details += [] if part is None else [part]
        return Explanation(score, "sum of:", tuple(details))


def _sum_of(parts: list[Floats], count: int) -> Floats:
    if not parts:
        return np.zeros(count, np.float32)
    if len(parts) == 1:
        return parts[0]
    total = parts[0].astype(np.float64)
    for part in parts[1:]:
        total += part
    return total.astype(np.float32)


def _required(part: Explanation) -> Explanation:
    clause = Explanation(0.0, f"{FILTER.value} clause")
    return Explanation(0.0, "match on required clause, product of:", (clause, part))
