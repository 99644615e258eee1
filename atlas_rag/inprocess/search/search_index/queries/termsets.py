"""Constant-scoring queries over the terms of one field: given terms, a range of terms, a pattern."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.inprocess.search.algorithms.patterns.automaton import matching
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.arrays import union
from atlas_rag.inprocess.search.search_index.queries.base import NOTHING, ONE, Query, Weight
from atlas_rag.inprocess.search.search_index.queries.leaves import EqualScores
from atlas_rag.inprocess.search.search_index.storage.terms import View


class TermSet(Query):
    """Documents with any of the chosen terms of a field, each scoring 1 (times boosts)."""

    field: str

    @abstractmethod
    def chosen(self, view: View) -> Sequence[str]:
        """Returns the terms of the field that count."""

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        view = partition.view(self.field)
        if view is None:
            return EqualScores(self, partition, NOTHING.docs, boost)
        lists = [postings.docs for term in self.chosen(view) if len((postings := view.postings(term)).docs)]
        docs = union(lists, partition.documents.size)
        return EqualScores(self, partition, docs, boost)


@dataclass(frozen=True, slots=True)
class AnyTerm(TermSet):
    """Given terms.

    Args:
        text: Lucene's rendering of the query.
        in_explanation: its rendering in an explanation, where that differs.
    """

    field: str
    terms: tuple[str, ...]
    text: str
    in_explanation: str = ""

    def chosen(self, view: View) -> Sequence[str]:
        return self.terms

    @property
    def explained(self) -> str:
        return self.in_explanation or self.text

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class TermRange(TermSet):
    """Terms between two bounds in code point order; None is open.

    Args:
        text: Lucene's rendering of the query, where that is not the plain one.
        in_explanation: its rendering in an explanation, where that differs.
    """

    field: str
    low: str | None
    high: str | None
    include_low: bool
    include_high: bool
    text: str = ""
    in_explanation: str = ""

    @property
    def explained(self) -> str:
        return self.in_explanation or str(self)

    def chosen(self, view: View) -> Sequence[str]:
        words = view.dictionary.terms
        first = (
            0 if self.low is None else (bisect_left if self.include_low else bisect_right)(words, self.low)
        )
        last = len(words)
        if self.high is not None:
            last = (bisect_right if self.include_high else bisect_left)(words, self.high)
        return words[first:last]

    def matches(self, term: str) -> bool:
        """Whether a term is one of the chosen."""
        if self.low is not None and (term < self.low or (term == self.low and not self.include_low)):
            return False
        return self.high is None or term < self.high or (term == self.high and self.include_high)

    def __str__(self) -> str:
        if self.text:
            return self.text
        opening, closing = "[" if self.include_low else "{", "]" if self.include_high else "}"
        low, high = self.low if self.low is not None else "*", self.high if self.high is not None else "*"
        return f"{self.field}:{opening}{low} TO {high}{closing}"


@dataclass(frozen=True, slots=True)
class Pattern(TermSet):
    """Terms that a compiled pattern accepts.

    Args:
        text: the pattern as Lucene renders it.
        prefix: all accepted terms begin with it.
    """

    field: str
    text: str
    prefix: str = dataclasses.field(compare=False)
    accepts: Callable[[str], object] = dataclasses.field(compare=False)

    def chosen(self, view: View) -> Sequence[str]:
        words = view.dictionary.terms
        return [words[at] for at in matching(words, self.prefix, self.accepts)]

    def matches(self, term: str) -> bool:
        """Whether a term is one of the chosen."""
        return term.startswith(self.prefix) and bool(self.accepts(term))

    def __str__(self) -> str:
        return f"{self.field}:{self.text}"


@dataclass(frozen=True, slots=True)
class WithinEdits(TermSet):
    """Terms within a few edits of a term, all alike."""

    field: str
    term: str
    max_edits: int
    prefix_length: int

    def chosen(self, view: View) -> Sequence[str]:
        near = view.term_table.neighbours(self.term, self.max_edits, self.prefix_length)
        return [view.dictionary.terms[at] for at in near.indices]

    def __str__(self) -> str:
        return f"{self.field}:AutomatonQuery {{\norg.apache.lucene.util.automaton.Automaton@0}}"
