"""One partition of a search index: a Lucene index of its own, with statistics of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from atlas_rag.inprocess.search.search_index.queries.base import Matches
from atlas_rag.inprocess.search.search_index.similarity import BM25, Scorer, Similarity, TermCount
from atlas_rag.inprocess.search.search_index.storage.cache import ElementCache
from atlas_rag.inprocess.search.search_index.storage.columns import NumberColumn, ObjectColumn
from atlas_rag.inprocess.search.search_index.storage.documents import Documents
from atlas_rag.inprocess.search.search_index.storage.terms import (
    NO_DOCS,
    NO_FREQS,
    Options,
    Postings,
    TermField,
    View,
)
from atlas_rag.inprocess.search.vector_index import VectorColumn

_NONE = Postings(NO_DOCS, NO_FREQS)
CACHED_SCORES = 1 << 22
"""Scored matches that a partition keeps at most: 8 bytes each."""


class Partition:
    """Documents and fields of one partition; writers add, readers see the live state.

    Fields are found by Lucene field name, columns by the same prefix-and-path name.
    """

    def __init__(self) -> None:
        self.documents = Documents()
        self.terms: dict[str, TermField] = {}
        self.numbers: dict[str, NumberColumn] = {}
        self.objects: dict[str, ObjectColumn[Any]] = {}
        self.vectors: dict[str, VectorColumn] = {}
        self._similarities: dict[str, Similarity] = {}
        self._scores: ElementCache[Matches] = ElementCache(CACHED_SCORES)
        self._scores_version = -1
        self._derived: dict[Any, Any] = {}
        self._derived_version = -1

    def term_field(self, name: str, options: Options, similarity: Similarity = BM25) -> TermField:
        """Returns the inverted field of a name, made on first use."""
        field = self.terms.get(name)
        if field is None:
            field = self.terms[name] = TermField(name, self.documents, options)
            self._similarities[name] = similarity
        return field

    def number_column(self, name: str, *, whole: bool) -> NumberColumn:
        """Returns the number column of a name, made on first use."""
        column = self.numbers.get(name)
        if column is None:
            column = self.numbers[name] = NumberColumn(self.documents, whole=whole)
        return column

    def object_column(self, name: str) -> ObjectColumn[Any]:
        """Returns the object column of a name, made on first use."""
        column = self.objects.get(name)
        if column is None:
            column = self.objects[name] = ObjectColumn(self.documents)
        return column

    def vector_column(self, name: str, make: Callable[[], VectorColumn]) -> VectorColumn:
        """Returns the vector column of a name, made on first use."""
        column = self.vectors.get(name)
        if column is None:
            column = self.vectors[name] = make()
        return column

    def compact(self) -> None:
        """Forgets dead documents for good, where most of them are."""
        if not self.documents.worth_compacting:
            return
        alive = self.documents.arrays.alive
        renumbered = self.documents.compact()
        for field in self.terms.values():
            field.renumber(alive, renumbered)
        for numbers in self.numbers.values():
            numbers.renumber(alive, renumbered)
        for objects in self.objects.values():
            objects.renumber(alive, renumbered)
        for vectors in self.vectors.values():
            vectors.keep(alive, renumbered)

    def view(self, field: str) -> View | None:
        """Returns the live view of an inverted field, None where no document has it."""
        found = self.terms.get(field)
        return None if found is None else found.view

    def postings(self, field: str, term: str) -> Postings:
        """Returns the live postings of a term, empty where the field or term is unknown."""
        found = self.terms.get(field)
        return _NONE if found is None else found.view.postings(term)

    def positions(self, field: str, terms: Iterable[str]) -> dict[int, dict[str, list[int]]]:
        """Returns where terms stand in each document that has any; the field must keep positions."""
        found: dict[int, dict[str, list[int]]] = {}
        for term in terms if self.view(field) is not None else ():
            docs, positions = self.terms[field].spots(term)
            for doc, position in zip(docs.tolist(), positions.tolist(), strict=True):
                found.setdefault(doc, {}).setdefault(term, []).append(position)
        return found

    def similarity(self, field: str) -> Similarity:
        """Returns how a field scores."""
        return self._similarities.get(field, BM25)

    def scorer(self, field: str, boost: np.float32, counts: list[TermCount]) -> Scorer:
        """Binds the field's similarity to a term or phrase."""
        return self.similarity(field).scorer(self.terms[field].view, boost, counts)

    @property
    def derived(self) -> dict[Any, Any]:
        """What readers have computed from the live state, kept until the next write."""
        if self._derived_version != self.documents.version:
            self._derived = {}
            self._derived_version = self.documents.version
        return self._derived

    @property
    def score_cache(self) -> ElementCache[Matches]:
        """Scored matches of terms, kept until the next write."""
        if self._scores_version != self.documents.version:
            self._scores = ElementCache(CACHED_SCORES)
            self._scores_version = self.documents.version
        return self._scores
