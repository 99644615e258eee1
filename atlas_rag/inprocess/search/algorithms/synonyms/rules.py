"""Synonym mappings, and what they make of a text.

A text becomes a chain of segments. Where a rule applies, the longest first, the segment offers alternatives
of one term or several; the words it applies to are always one of them. Rules do not overlap.

Source: Lucene's SynonymMap and SynonymGraphFilter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from atlas_rag.inprocess.errors import EngineRefusal

Words: TypeAlias = tuple[str, ...]


class Placed(NamedTuple):
    """A term of a text, and how many positions it lies behind the one before."""

    term: str
    increment: int


Analyze: TypeAlias = Callable[[str], Sequence[Placed]]


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
        self._rules: dict[Words, list[Words]] = {}
        self._analyze = analyze
        for document in documents:
            synonyms = [self._words(text) for text in document["synonyms"]]
            explicit = document["mappingType"] == "explicit"
            inputs = [self._words(text) for text in document["input"]] if explicit else synonyms
            for words in inputs:
                outputs = self._rules.setdefault(words, [])
                outputs.extend(output for output in synonyms if output not in outputs)
        self._longest = max(map(len, self._rules), default=0)

    def expand(self, places: Sequence[Placed]) -> list[Segment]:
        """Applies the rules to the terms of a text."""
        segments: list[Segment] = []
        at = 0
        while at < len(places):
            gap = max(places[at].increment - 1, 0)
            length, alternatives = self._longest_match(places, at)
            segments.append(Segment(alternatives, gap))
            at += length
        return segments

    def _longest_match(self, places: Sequence[Placed], at: int) -> tuple[int, tuple[Words, ...]]:
        for length in range(min(self._longest, len(places) - at), 0, -1):
            words = tuple(place.term for place in places[at : at + length])
            outputs = self._rules.get(words)
            if outputs is not None:
                return length, (*outputs, words)
        return 1, ((places[at].term,),)

    def _words(self, text: str) -> Words:
        places = self._analyze(text)
        if not places:
            raise _refusal(f"term: {text} was completely eliminated by analyzer")
        for term, increment in places:
            if increment != 1:
                found = f"position increment != 1 (got: {increment})"
                raise _refusal(f"term: {text} analyzed to a token ({term}) with {found}")
        return tuple(place.term for place in places)


def _refusal(problem: str) -> EngineRefusal:
    return EngineRefusal(f"failed to analyze string in synonym document: {problem}")


class Step(NamedTuple):
    """One term of one way to read a text, and its position."""

    term: str
    position: int


def readings(segments: Sequence[Segment]) -> Iterator[tuple[Step, ...]]:
    """Every way to read a text, as terms with their positions."""
    for chosen in product(*(segment.alternatives for segment in segments)):
        steps: list[Step] = []
        position = -1
        for segment, words in zip(segments, chosen, strict=True):
            position += segment.gap
            for word in words:
                position += 1
                steps.append(Step(word, position))
        yield tuple(steps)
