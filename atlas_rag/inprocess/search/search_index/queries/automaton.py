"""Documents that run through an automaton of terms: how the engine's older synonym syntax scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.inprocess.search.algorithms.synonyms.automaton import TermAutomaton
from atlas_rag.inprocess.search.algorithms.synonyms.rules import Segment
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import (
    ONE,
    Floats,
    Query,
    Weight,
)
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.frequency import OccurrenceWeight
from atlas_rag.inprocess.search.search_index.queries.leaves import Term
from atlas_rag.inprocess.search.search_index.queries.phrase import Phrase
from atlas_rag.inprocess.search.search_index.storage.runs import Ints


@dataclass(frozen=True, slots=True)
class AutomatonPhrase(Query):
    """A text with alternatives, read as one phrase; the rarity of all its terms counts."""

    field: str
    segments: tuple[Segment, ...]

    def rewrite(self, partition: Partition) -> Query:
        if not all(segment.single for segment in self.segments):
            return self
        positions: list[int] = []
        for segment in self.segments:
            positions.append((positions[-1] if positions else -1) + segment.gap + 1)
        places = [
            tuple(dict.fromkeys(words[0] for words in segment.alternatives)) for segment in self.segments
        ]
        if len(places) == 1:
            return should([Term(self.field, term) for term in places[0]])
        return Phrase(self.field, tuple(places), tuple(positions))

    @property
    def terms(self) -> tuple[str, ...]:
        """All terms of all alternatives."""
        return tuple(term for segment in self.segments for words in segment.alternatives for term in words)

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _AutomatonWeight(self, partition, boost)

    def __str__(self) -> str:
        texts = ["|".join(" ".join(words) for words in segment.alternatives) for segment in self.segments]
        return f"{self.field}:({' '.join(texts)})"


class _AutomatonWeight(OccurrenceWeight):
    query: AutomatonPhrase

    def __init__(self, query: AutomatonPhrase, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost, query.field)
        self._automaton = TermAutomaton(query.segments)

    @property
    def _terms(self) -> Iterable[str]:
        return self._automaton.terms

    def _count(self) -> tuple[Ints, Floats]:
        where = self.partition.positions(self.query.field, self._automaton.terms)
        found = {doc: self._automaton.frequency(_by_position(where[doc])) for doc in sorted(where)}
        kept = {doc: count for doc, count in found.items() if count}
        return np.array(list(kept), np.int32), np.array(list(kept.values()), np.float32)


def _by_position(positions: Mapping[str, Sequence[int]]) -> dict[int, list[str]]:
    terms: dict[int, list[str]] = {}
    for term, places in positions.items():
        for place in places:
            terms.setdefault(place, []).append(term)
    return terms
