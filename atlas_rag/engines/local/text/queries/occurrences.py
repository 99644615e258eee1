"""What phrases, spans and automata share: a frequency by document, scored with the rarity of all terms."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from atlas_rag.engines.local.text.partition import Partition
from atlas_rag.engines.local.text.queries.base import (
    NOTHING,
    Explanation,
    Floats,
    Matches,
    Query,
    Weight,
    float_text,
)
from atlas_rag.engines.local.text.similarity import Scorer, TermCount
from atlas_rag.engines.local.text.storage.runs import Ints


class OccurrenceWeight(Weight):
    """Scores how often something made of several terms of one field occurs in each document."""

    def __init__(self, query: Query, partition: Partition, boost: np.float32, field: str) -> None:
        super().__init__(query, partition)
        self._boost = boost
        self._field = field

    @property
    @abstractmethod
    def _terms(self) -> Iterable[str]:
        """The terms whose rarity counts, in the order in which it is summed."""

    @abstractmethod
    def _count(self) -> tuple[Ints, Floats]:
        """The documents, ascending, and the frequency in each; called once."""

    @cached_property
    def _freqs(self) -> tuple[Ints, Floats]:
        return self._count()

    @cached_property
    def _scorer(self) -> Scorer:
        counts = [
            TermCount(term, len(self.partition.postings(self._field, term).docs)) for term in self._terms
        ]
        return self.partition.scorer(self._field, self._boost, [count for count in counts if count.doc_freq])

    def compute(self) -> Matches:
        docs, freqs = self._freqs
        return Matches(docs, self._scorer.scores(docs, freqs)) if len(docs) else NOTHING

    def explain(self, doc: int) -> Explanation | None:
        docs, freqs = self._freqs
        at = int(docs.searchsorted(doc))
        if at == len(docs) or docs[at] != doc:
            return None
        inner = self._scorer.explain(doc, Explanation(freqs[at], f"phraseFreq={float_text(freqs[at])}"))
        name = self.partition.similarity(self._field).name
        return Explanation(inner.value, f"weight({self.query} in {doc}) [{name}], result of:", (inner,))
