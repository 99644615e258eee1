"""Queries that look up terms or stand for all or no documents."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.arrays import union
from atlas_rag.inprocess.search.search_index.queries.base import (
    NOTHING,
    ONE,
    Explanation,
    Matches,
    Query,
    Weight,
    boost_suffix,
)
from atlas_rag.inprocess.search.search_index.queries.frequency import FrequencyWeight
from atlas_rag.inprocess.search.search_index.similarity import TermCount
from atlas_rag.inprocess.search.search_index.storage.runs import Ints
from atlas_rag.inprocess.search.search_index.storage.terms import Postings


@dataclass(frozen=True, slots=True)
class Term(Query):
    """Documents that have a term, scored by the field's similarity.

    `doc_freq` replaces the term's own document frequency where a rewrite blends several terms. As in Lucene
    it does not make terms different: of merged ones the first keeps its own.
    """

    field: str
    term: str
    doc_freq: int | None = dataclasses.field(default=None, compare=False)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return TermWeight(self, partition, boost)

    def __str__(self) -> str:
        return f"{self.field}:{self.term}"


class TermWeight(FrequencyWeight):
    """Weight of a `Term`."""

    query: Term

    def __init__(self, query: Term, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost, query.field)

    @property
    def docs(self) -> Ints:
        return self._freqs[0]

    def compute(self) -> Matches:
        cache, key = self.partition.score_cache, (self.query, self.query.doc_freq, float(self.boost))
        found = cache.get(key)
        if found is None:
            found = super().compute()
            if len(found.docs):
                cache.keep(key, found, len(found.docs))
        return found

    def _count(self) -> Postings:
        return self.partition.postings(self.query.field, self.query.term)

    def _rarity(self) -> list[TermCount]:
        known = self.query.doc_freq
        return [TermCount(self.query.term, len(self.docs) if known is None else known)]

    def _shown(self, freq: np.float32) -> str:
        return "freq, occurrences of term within document"


@dataclass(frozen=True, slots=True)
class Synonym(Query):
    """Terms counted as one: frequencies add up, the largest document frequency counts."""

    field: str
    terms: tuple[str, ...]
    boosts: tuple[float, ...] = ()

    def rewrite(self, partition: Partition) -> Query:
        return Term(self.field, self.terms[0]) if len(self.terms) == 1 and not self.boosts else self

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _SynonymWeight(self, partition, boost)

    def __str__(self) -> str:
        return f"Synonym({' '.join(f'{self.field}:{term}' for term in sorted(self.terms))})"


_PSEUDO_TERM = "synonym pseudo-term"
"""What the similarity is told that it scores; one of them looks at the length of a term."""


class _SynonymWeight(FrequencyWeight):
    query: Synonym

    def __init__(self, query: Synonym, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost, query.field)
        self._lists = [partition.postings(query.field, term) for term in query.terms]

    def _count(self) -> Postings:
        docs = union([postings.docs for postings in self._lists], self.partition.documents.size)
        freqs = np.zeros(len(docs), np.float32)
        for postings in self._lists:
            freqs[docs.searchsorted(postings.docs)] += postings.freqs
        return Postings(docs, freqs)

    def _rarity(self) -> list[TermCount]:
        return [TermCount(_PSEUDO_TERM, max(len(postings.docs) for postings in self._lists))]

    def _shown(self, freq: np.float32) -> str:
        return f"termFreq={freq}"


@dataclass(frozen=True, slots=True)
class MatchNothing(Query):
    """Matches no document; `reason` is Lucene's."""

    reason: str = ""

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return EqualScores(self, partition, NOTHING.docs, boost)

    def __str__(self) -> str:
        return f'MatchNoDocsQuery("{self.reason}")'


@dataclass(frozen=True, slots=True)
class MatchAll(Query):
    """Matches every document (root and embedded alike) with score 1."""

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        docs = partition.documents.arrays.live
        return EqualScores(self, partition, docs, boost)

    def __str__(self) -> str:
        return "*:*"


class EqualScores(Weight):
    """Weight of documents that all score the boost, explained by one line."""

    def __init__(self, query: Query, partition: Partition, docs: Ints, boost: np.float32) -> None:
        super().__init__(query, partition, boost)
        self._docs = docs
        self.boost = boost

    @property
    def docs(self) -> Ints:
        return self._docs

    def compute(self) -> Matches:
        return Matches(self._docs, np.full(len(self._docs), self.boost, np.float32))

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        return Explanation(score, f"{self.query.explained}{boost_suffix(self.boost)}")
