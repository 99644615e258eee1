"""The `autocomplete` type: grams of tokens and of runs of up to three tokens."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.engines.local.analysis import Analyzer
from atlas_rag.engines.local.text.fields.text import Analyzers, similarity_of
from atlas_rag.engines.local.text.names import Scope
from atlas_rag.engines.local.text.partition import Partition
from atlas_rag.engines.local.text.similarity import Similarity
from atlas_rag.engines.local.text.storage.terms import Options

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
            partition.term_field(self.name, _OPTIONS, self.similarity).add(doc, terms, positions)

    def search_term(self, text: str) -> str:
        """Returns the gram that a word of a query is looked up as."""
        term = fold(self.analyzer.normalize(text)) if self.folds else self.analyzer.normalize(text)
        if self.tokenization == "rightEdgeGram":
            term = term[::-1]
        return term[: self.longest]

    def grams(self, text: str) -> tuple[list[str], list[int]]:
        """Returns the indexed grams of a text and their positions."""
        words, places = self.analyzer.terms(text)
        if self.folds:
            words = [fold(word) for word in words]
        terms: list[str] = []
        positions: list[int] = []
        for at, place in enumerate(places):
            for size in (1, 2, 3):
                if at + size > len(words):
                    break
                for gram in self._grams_of(" ".join(words[at : at + size])):
                    terms.append(gram)
                    positions.append(place)
        return terms, positions

    def _grams_of(self, word: str) -> list[str]:
        sizes = range(self.shortest, self.longest + 1)
        if self.tokenization == "rightEdgeGram":
            word = word[::-1]
        if self.tokenization == "nGram":
            grams = [word[at : at + n] for at in range(len(word)) for n in sizes if at + n <= len(word)]
        else:
            grams = [word[:n] for n in sizes if n <= len(word)]
        if not self.shortest <= len(word) <= self.longest:
            grams.append(word[: self.longest])
        return grams


def fold(text: str) -> str:
    """Folds case and diacritics."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))


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
