"""Weights that count: a frequency by document, scored by the similarity of the field."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import (
    NOTHING,
    Explanation,
    Floats,
    Matches,
    Query,
    Weight,
    float_text,
)
from atlas_rag.inprocess.search.search_index.similarity import Scorer, TermCount
from atlas_rag.inprocess.search.search_index.storage.runs import Ints


class FrequencyWeight(Weight):
    """Scores how often something occurs in one field of each document."""

    def __init__(self, query: Query, partition: Partition, boost: np.float32, field: str) -> None:
        super().__init__(query, partition, boost)
        self._field = field

    @abstractmethod
    def _count(self) -> tuple[Ints, Floats]:
        """The documents, ascending, and the frequency in each; called once."""

    @abstractmethod
    def _rarity(self) -> list[TermCount]:
        """What is counted, and in how many documents; called once."""

    @abstractmethod
    def _shown(self, freq: np.float32) -> str:
        """A frequency in Lucene's words."""

    @cached_property
    def _freqs(self) -> tuple[Ints, Floats]:
        return self._count()

    @cached_property
    def _scorer(self) -> Scorer:
        return self.partition.scorer(self._field, self.boost, self._rarity())

    def compute(self) -> Matches:
        docs, freqs = self._freqs
        return Matches(docs, self._scorer.scores(docs, freqs)) if len(docs) else NOTHING

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        docs, freqs = self._freqs
        freq = freqs[docs.searchsorted(doc)]
        inner = self._scorer.explain(doc, Explanation(freq, self._shown(freq)))
        name = self.partition.similarity(self._field).name
        return Explanation(inner.value, f"weight({self.query} in {doc}) [{name}], result of:", (inner,))


class OccurrenceWeight(FrequencyWeight):
    """What phrases, spans and automata share: made of several terms, whose rarities add up."""

    @property
    @abstractmethod
    def _terms(self) -> Iterable[str]:
        """The terms whose rarity counts, in the order in which it is summed."""

    def _rarity(self) -> list[TermCount]:
        counts = [
            TermCount(term, len(self.partition.postings(self._field, term).docs)) for term in self._terms
        ]
        return [count for count in counts if count.doc_freq]

    def _shown(self, freq: np.float32) -> str:
        return f"phraseFreq={float_text(freq)}"
