"""Phrases: terms at given distances, exactly or within a slop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.arrays import intersect
from atlas_rag.inprocess.search.search_index.queries.base import (
    NOTHING,
    ONE,
    Floats,
    Query,
    Weight,
)
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.frequency import OccurrenceWeight
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing, Term
from atlas_rag.inprocess.search.search_index.queries.sloppy import Place, sloppy_freqs
from atlas_rag.inprocess.search.search_index.storage.runs import Ints


@dataclass(frozen=True, slots=True)
class Phrase(Query):
    """Terms at relative positions; several terms at one place are alternatives.

    Args:
        places: the alternatives at each place, in query order.
        positions: where each place stands.
        slop: how far the terms may move, in Lucene's count; 0 is exact.
    """

    field: str
    places: tuple[tuple[str, ...], ...]
    positions: tuple[int, ...]
    slop: int = 0

    def rewrite(self, partition: Partition) -> Query:
        if not self.places:
            return MatchNothing("empty PhraseQuery")
        if len(self.places) == 1:
            return should([Term(self.field, term) for term in self.places[0]])
        if self.positions[0] != 0:
            shifted = tuple(position - self.positions[0] for position in self.positions)
            return Phrase(self.field, self.places, shifted, self.slop)
        return self

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _PhraseWeight(self, partition, boost)

    def __str__(self) -> str:
        slots = [""] * (self.positions[-1] + 1)
        for terms, position in zip(self.places, self.positions, strict=True):
            text = terms[0] if len(terms) == 1 else f"({' '.join(terms)})"
            slots[position] = f"{slots[position]}|{text}" if slots[position] else text
        words = " ".join(slot or "?" for slot in slots)
        return f'{self.field}:"{words}"' + (f"~{self.slop}" if self.slop else "")


class _PhraseWeight(OccurrenceWeight):
    query: Phrase

    def __init__(self, query: Phrase, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost, query.field)

    @property
    def _terms(self) -> Iterable[str]:
        return (term for place in self.query.places for term in place)

    def _count(self) -> tuple[Ints, Floats]:
        field = self.partition.terms.get(self.query.field)
        if field is None:
            return NOTHING
        keys = [self._keys(place) for place in self.query.places]
        if any(not len(key) for key in keys):
            return NOTHING
        if self.query.slop == 0:
            return _exact(keys, self.query.positions)
        docs = intersect([np.unique((key >> 32).astype(np.int32)) for key in keys])
        places = [
            Place(terms, position)
            for terms, position in zip(self.query.places, self.query.positions, strict=True)
        ]
        return sloppy_freqs(keys, places, docs, self.query.slop)

    def _keys(self, terms: Sequence[str]) -> NDArray[np.int64]:
        """Every occurrence at one place as document << 32 | position, ascending."""
        cache = self.partition.terms[self.query.field].view.places
        found = cache.get(terms)
        if found is None:
            parts = []
            for term in terms:
                docs, positions = self.partition.terms[self.query.field].spots(term)
                parts.append((docs.astype(np.int64) << 32) | positions)
            found = parts[0] if len(parts) == 1 else np.unique(np.concatenate(parts))
            cache.keep(terms, found, len(found))
        return found


def _exact(keys: list[NDArray[np.int64]], positions: Sequence[int]) -> tuple[Ints, Floats]:
    """Counts, by document, the starts at which every place has a term."""
    order = sorted(range(len(keys)), key=lambda at: len(keys[at]))
    starts = keys[order[0]] - positions[order[0]]
    for at in order[1:]:
        wanted = starts + positions[at]
        found = keys[at].searchsorted(wanted)
        found[found == len(keys[at])] = 0
        starts = starts[keys[at][found] == wanted]
        if not len(starts):
            return NOTHING
    owners = (starts >> 32).astype(np.int32)
    heads = np.flatnonzero(np.concatenate([[True], owners[1:] != owners[:-1]]))
    counts = np.diff(np.append(heads, len(owners)))
    return owners[heads], counts.astype(np.float32)
