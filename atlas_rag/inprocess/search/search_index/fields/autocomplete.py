"""The `autocomplete` type: grams of tokens and of runs of up to three tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from atlas_rag.inprocess.search.analysis import Analyzer
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
            partition.term_field(self.name, _OPTIONS, self.similarity).buffer.add(doc, terms, positions)

    def search_term(self, text: str) -> str:
        """Returns the gram that a word of a query is looked up as."""
        term = icu_fold(self.analyzer.normalize(text)) if self.folds else self.analyzer.normalize(text)
        if self.tokenization == "rightEdgeGram":
            term = term[::-1]
        return term[: self.longest]

    def grams(self, text: str) -> tuple[list[str], list[int]]:
        """Returns the indexed grams of a text and their positions."""
        words, places = self.analyzer.terms(text)
        terms: list[str] = []
        positions: list[int] = []
        for first, last in _runs(len(words)):
            grams = self._grams_of(self._joined(words[first:last]))
            terms.extend(grams)
            positions.extend([places[first]] * len(grams))
        return terms, positions

    def placed_grams(self, text: str) -> Iterator[tuple[str, int, int, int]]:
        """Yields the grams of a text with start, end (UTF-16) and position; a gram spans its whole run."""
        tokens = self.analyzer.tokens(text)
        places = list(accumulate((token.increment for token in tokens), initial=-1))[1:]
        for first, last in _runs(len(tokens)):
            for gram in self._grams_of(self._joined([token.term for token in tokens[first:last]])):
                yield gram, tokens[first].start, tokens[last - 1].end, places[first]

    def _joined(self, words: list[str]) -> str:
        joined = " ".join(words)
        return icu_fold(joined) if self.folds else joined

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


def _runs(count: int) -> Iterator[tuple[int, int]]:
    """Yields the spans of one to three neighbours."""
    for first in range(count):
        for last in range(first + 1, min(first + LONGEST_RUN, count) + 1):
            yield first, last


def autocomplete_field(
    spec: Mapping[str, Any], scope: Scope, path: str, analyzers: Analyzers
) -> AutocompleteField:
    """Reads an `autocomplete` mapping."""
    return AutocompleteField(
        name=scope.field("autocomplete", path),
        path=path,
        analyzer=analyzers.registry.get(spec.get("analyzer") or analyzers.index or "lucene.standard"),
        tokenization=spec.get("tokenization") or "edgeGram",
        shortest=int(spec.get("minGrams") or 2),
        longest=int(spec.get("maxGrams") or 15),
        folds=spec.get("foldDiacritics") is not False,
        similarity=similarity_of(spec),
    )
