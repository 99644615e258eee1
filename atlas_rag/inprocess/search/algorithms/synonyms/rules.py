"""Synonym mappings, and what they make of a text.

A text becomes a chain of segments. Where a rule applies, the longest first, the segment offers alternatives
of one term or several; the words it applies to are always one of them. Rules do not overlap.

Source: Lucene's SynonymMap and SynonymGraphFilter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.token_graph import Step

Words: TypeAlias = tuple[str, ...]
Analyze: TypeAlias = Callable[[str], Sequence[Step]]


@dataclass(frozen=True, slots=True)
class Segment:
    """One step of a text.

    Args:
        alternatives: sequences of terms that may stand here, duplicates included.
        gap: positions skipped before it, where the analyzer dropped a word.
    """

    alternatives: tuple[Words, ...]
    gap: int = 0

    @property
    def single(self) -> bool:
        """Whether every alternative is one term."""
        return all(len(words) == 1 for words in self.alternatives)


class SynonymRules:
    """The documents of a synonym collection, analysed.

    Args:
        documents: each with `mappingType` `equivalent` or `explicit`, `synonyms`, and `input` where explicit.
        analyze: the analyzer of the mapping.

    Raises:
        EngineRefusal: a phrase has nothing left after analysis, or a hole.
    """

    def __init__(self, documents: Sequence[Mapping[str, Any]], analyze: Analyze) -> None:
        self._rules: dict[Words, list[list[Words]]] = {}
        self._analyze = analyze
        for document in documents:
            synonyms = [self._words(text) for text in document["synonyms"]]
            explicit = document["mappingType"] == "explicit"
            inputs = [self._words(text) for text in document["input"]] if explicit else synonyms
            for words in inputs:
                self._rules.setdefault(words, []).append(synonyms)
        self._longest = max(map(len, self._rules), default=0)

    def expand(self, places: Sequence[Step]) -> list[Segment]:
        """Applies the rules to the terms of a text."""
        segments: list[Segment] = []
        at = 0
        while at < len(places):
            length, alternatives = self._longest_match(places, at)
            ruled = len(alternatives) > 1  # what a rule puts in follows without the hole before it
            segments.append(Segment(alternatives, 0 if ruled else max(places[at].increment - 1, 0)))
            at += length
        return segments

    def _longest_match(self, places: Sequence[Step], at: int) -> tuple[int, tuple[Words, ...]]:
        for length in range(min(self._longest, len(places) - at), 0, -1):
            words = tuple(place.term for place in places[at : at + length])
            rules = self._rules.get(words)
            if rules is not None:
                return length, (*dict.fromkeys(chain.from_iterable(rules)), words)
        return 1, ((places[at].term,),)

    def _words(self, text: str) -> Words:
        places = self._analyze(text)
        if not places:
            raise _refusal(f"term: {text} was completely eliminated by analyzer")
        for term, increment, _ in places:
            if increment != 1:
                found = f"position increment != 1 (got: {increment})"
                raise _refusal(f"term: {text} analyzed to a token ({term}) with {found}")
        return tuple(place.term for place in places)


def _refusal(problem: str) -> EngineRefusal:
    return EngineRefusal(f"failed to analyze string in synonym document: {problem}")


def graph(segments: Sequence[Segment]) -> Iterator[Step]:
    """The text as a token graph: of each segment the first terms, then the rest of longer ones."""
    node, last = 0, -1
    for segment in segments:
        node += segment.gap
        end = node + 1 + sum(len(words) - 1 for words in segment.alternatives)
        for term, source, target in _fan(segment.alternatives, node, end):
            yield Step(term, source - last, target - source)
            last = source
        node = end


def _fan(alternatives: Sequence[Words], node: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The terms of all alternatives between two nodes, with the nodes that each lies between."""
    inner, rest = node, list[tuple[int, Words]]()
    for words in alternatives:
        target = end
        if len(words) > 1:
            target = inner + 1
            inner += len(words) - 1
            rest.append((target, words[1:]))
        yield words[0], node, target
    for source, words in rest:
        for at, word in enumerate(words, start=source):
            yield word, at, end if at - source == len(words) - 1 else at + 1
