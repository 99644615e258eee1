"""Highlights of one field: the best sentences around what a query matched.

Source: Lucene's UnifiedHighlighter, FieldHighlighter and PassageScorer (k1 1.2, b 0.75, pivot 87). A field's
values are read as one text with one character between two values, which no sentence crosses. All positions
and lengths count UTF-16 units, as in Java.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from atlas_rag.inprocess.search.algorithms.sentences import sentence_starts

_K1 = np.float32(1.2)
_B = np.float32(0.75)
_PIVOT = np.float32(87)
_ONE = np.float32(1)


class Match(NamedTuple):
    """One matched piece of one value.

    Attributes:
        start: offset of its first UTF-16 unit in the value.
        end: offset behind its last.
        term: what it counts as when a passage is scored: the term's text, or one label for all the terms
            of a pattern (regular expression, wildcard, prefix, fuzzy).
        frequency: how often `term` occurs in all values of the field of this document, whether highlighted or
            not.
    """

    start: int
    end: int
    term: str
    frequency: int


@dataclass(slots=True)
class _Passage:
    """One sentence and its matches, in units of the whole content."""

    start: int
    end: int
    matches: list[Match] = field(default_factory=list)

    def score(self, content_length: int) -> np.float32:
        """Rates a passage like a document: saturated frequencies, and earlier passages a little higher."""
        frequencies = {match.term: match.frequency for match in self.matches}
        total = 0.0
        for term, count in Counter(match.term for match in self.matches).items():
            weight = _weight(content_length, frequencies[term])
            total += float(_saturation(count, self.end - self.start) * weight)
        return np.float32(total * float(_ONE + _ONE / np.float32(math.log(_PIVOT + np.float32(self.start)))))


def _saturation(count: int, length: int) -> np.float32:
    norm = _K1 * ((_ONE - _B) + _B * (np.float32(length) / _PIVOT))
    return np.float32(count) / (np.float32(count) + norm)


def _weight(content_length: int, frequency: int) -> np.float32:
    passages = float(_ONE + np.float32(content_length) / _PIVOT)
    return (_K1 + _ONE) * np.float32(math.log(1 + (passages + 0.5) / (frequency + 0.5)))


def highlight(
    values: Sequence[str],
    matches: Sequence[Sequence[Match]],
    *,
    max_passages: int = 5,
) -> list[dict[str, Any]]:
    """The passages of one field of one document, in text order: `score` and `texts` of `value` and `type`.

    Args:
        values: the field's strings; several where it is an array.
        matches: for each value, what matched in it, in any order.
        max_passages: how many passages to keep at most, the best ones; of equal ones the last.
    """
    content = _Content(values)
    passages = _passages(content, matches)
    best: list[tuple[np.float32, int, _Passage]] = []
    for passage in passages:
        entry = (passage.score(content.length), passage.start, passage)
        if len(best) < max_passages:
            heappush(best, entry)
        else:
            heappushpop(best, entry)
    best.sort(key=lambda entry: entry[1])
    return [{"score": float(score), "texts": content.texts(passage)} for score, _, passage in best]


def examined(values: Sequence[str], limit: int) -> list[str]:
    """The first UTF-16 units of some values, one unit apart; what is behind is not even analysed."""
    found = []
    for value in values:
        if limit <= 0:
            break
        units = value.encode("utf-16-le", "surrogatepass")
        found.append(value if len(units) <= 2 * limit else units[: 2 * limit].decode("utf-16-le", "replace"))
        limit -= len(units) // 2 + 1
    return found


class _Content:
    """All values one behind the other."""

    def __init__(self, values: Sequence[str]) -> None:
        encoded = [value.encode("utf-16-le", "surrogatepass") for value in values]
        self._units = b"\0\0".join(encoded)
        self.length = len(self._units) // 2
        self.starts = [0, *accumulate(len(value) // 2 + 1 for value in encoded)][: len(values)]
        self._sentences: dict[int, list[int]] = {}

    def sentence(self, value: int, at: int) -> tuple[int, int]:
        """Start and end of the sentence of a value that holds the unit `at`."""
        bounds = self._sentences.get(value)
        if bounds is None:
            first = self.starts[value]
            text = self.text(first, self.end(value))
            bounds = self._sentences[value] = [
                first + unit for unit in _in_units(text, sentence_starts(text))
            ]
        behind = bisect_right(bounds, at)
        return bounds[behind - 1], bounds[behind]

    def end(self, value: int) -> int:
        """Behind the last unit of a value."""
        return self.length if value + 1 == len(self.starts) else self.starts[value + 1] - 1

    def text(self, start: int, end: int) -> str:
        return self._units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")

    def texts(self, passage: _Passage) -> list[dict[str, str]]:
        """The passage cut at its hits; hits that touch are one, and one may run on behind the passage."""
        pieces: list[dict[str, str]] = []
        at = passage.start
        for start, end in _spans(passage):
            if start > at:
                pieces.append({"value": self.text(at, start), "type": "text"})
            pieces.append({"value": self.text(start, end), "type": "hit"})
            at = end
        if at < passage.end:
            pieces.append({"value": self.text(at, passage.end), "type": "text"})
        return pieces


def _in_units(text: str, positions: list[int]) -> list[int]:
    """Code point positions as UTF-16 positions."""
    if text.isascii() or max(text) <= "\uffff":
        return positions
    units = [0, *accumulate(1 + (character > "\uffff") for character in text)]
    return [units[position] for position in positions]


def _passages(content: _Content, matches: Sequence[Sequence[Match]]) -> list[_Passage]:
    found: list[_Passage] = []
    for value, first in enumerate(content.starts):
        for match in sorted(matches[value]):
            moved = match._replace(start=match.start + first, end=match.end + first)
            if moved.start >= content.end(value):  # an empty term
                continue
            if not found or moved.start >= found[-1].end:
                found.append(_Passage(*content.sentence(value, moved.start)))
            found[-1].matches.append(moved)
    return found


def _spans(passage: _Passage) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for match in passage.matches:
        if spans and match.start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(match.end, spans[-1][1]))
        else:
            spans.append((match.start, match.end))
    return spans
