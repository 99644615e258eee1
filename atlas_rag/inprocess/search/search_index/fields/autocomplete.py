"""The `autocomplete` type: grams of tokens and of runs of up to three tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.inprocess.search.analysis import Analyzer
from atlas_rag.inprocess.search.analysis.filters.grams import FILLER, with_fillers
from atlas_rag.inprocess.search.analysis.unicode_folding import icu_fold
from atlas_rag.inprocess.search.search_index.fields.text import Analyzers, similarity_of
from atlas_rag.inprocess.search.search_index.names import Scope
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.similarity import Similarity
from atlas_rag.inprocess.search.search_index.storage.terms import Options

LONGEST_RUN = 3
"""Tokens that a gram may begin in and run over."""

_OPTIONS = Options(frequencies=True, positions=True, lengths=True)


@dataclass(slots=True)
class AutocompleteField:
    """Grams of a text.

    Args:
        tokenization: edgeGram, rightEdgeGram or nGram.
        shortest: minGrams, in code points.
        longest: maxGrams; longer tokens are cut to it.
        folds: fold diacritics.
    """

    name: str
    path: str
    analyzer: Analyzer
    tokenization: str
    shortest: int
    longest: int
    folds: bool
    similarity: Similarity
    accepts: tuple[type, ...] = (str,)

    def index(self, partition: Partition, doc: int, value: str, *, single: bool) -> None:
        terms, positions = self.grams(value)
        if terms:
            partition.term_field(self.name, _OPTIONS, self.similarity).buffer.add(
                doc, terms, positions, positions[-1] + 1
            )

    def search_term(self, text: str) -> str:
        """Returns the gram that a word of a query is looked up as."""
        term = icu_fold(self.analyzer.normalize(text)) if self.folds else self.analyzer.normalize(text)
        if self.tokenization == "rightEdgeGram":
            term = term[::-1]
        return term[: self.longest]

    def grams(self, text: str) -> tuple[list[str], list[int]]:
        """Returns the indexed grams of a text and their positions."""
        words = self._slots(text)
        terms: list[str] = []
        positions: list[int] = []
        for place, first, last in _runs([word is None for word in words]):
            grams = self._grams_of(" ".join([FILLER if word is None else word for word in words[first:last]]))
            terms.extend(grams)
            positions.extend([place] * len(grams))
        return terms, positions

    def _slots(self, text: str) -> list[str | None]:
        """The folded words of a text, None for what stands for the words that were dropped."""
        slots: list[str | None] = []
        missing = 0
        for word in self.analyzer.slots(text):
            missing = missing + 1 if word is None else 0
            if missing < LONGEST_RUN:
                slots.append(self._folded(word) if word is not None else None)
        return slots

    def placed_grams(self, text: str) -> Iterator[tuple[str, int, int, int]]:
        """Yields the grams of a text with start, end (UTF-16) and position; a gram spans its whole run."""
        slots = with_fillers(self.analyzer.tokens(text), LONGEST_RUN - 1)
        for place, first, last in _runs([filler for _, filler in slots]):
            run = slots[first:last]
            words = [FILLER if filler else self._folded(token.term) for token, filler in run]
            for gram in self._grams_of(" ".join(words)):
                yield gram, run[0][0].start, run[-1][0].end, place

    def _folded(self, word: str) -> str:
        return icu_fold(word) if self.folds else word

    def _grams_of(self, word: str) -> list[str]:
        sizes = range(self.shortest, min(self.longest, len(word)) + 1)
        if self.tokenization == "rightEdgeGram":
            word = word[::-1]
        if self.tokenization == "nGram":
            grams = [word[at : at + n] for at in range(len(word)) for n in sizes if at + n <= len(word)]
        else:
            grams = [word[:n] for n in sizes]
        if not self.shortest <= len(word) <= self.longest:
            grams.append(word[: self.longest])
        return grams


def _runs(fillers: Sequence[bool]) -> Iterator[tuple[int, int, int]]:
    """Yields place, start and end of one to three neighbours of which one is no filler.

    Runs that start at one slot share a place; a slot where no run starts takes none.
    """
    count, place = len(fillers), -1
    for first in range(count):
        fresh = 1
        for last in range(first + 1, min(first + LONGEST_RUN, count) + 1):
            if not all(fillers[first:last]):
                place, fresh = place + fresh, 0
                yield place, first, last


def autocomplete_field(
    spec: Mapping[str, Any], scope: Scope, path: str, analyzers: Analyzers
) -> AutocompleteField:
    """Reads an `autocomplete` mapping."""
    return AutocompleteField(
        name=scope.field("autocomplete", path),
        path=path,
        analyzer=analyzers.registry.get(spec.get("analyzer") or "lucene.standard"),
        tokenization=spec.get("tokenization") or "edgeGram",
        shortest=int(spec.get("minGrams") or 2),
        longest=int(spec.get("maxGrams") or 15),
        folds=spec.get("foldDiacritics") is not False,
        similarity=similarity_of(spec),
    )
