"""Spans: stretches of positions in one text of one document, and how they combine.

Every function takes lists ordered by start, then end, and returns such a list. Where Lucene's Spans move
through their parts once, without going back, so do these.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from atlas_rag.inprocess.search.algorithms.java_order import LeastFirst


class Span(NamedTuple):
    """Positions from `start` up to but not including `end`; `width` is how loosely its parts lie."""

    start: int
    end: int
    width: int = 0


def single(positions: Iterable[int]) -> list[Span]:
    """The places of one term."""
    return [Span(position, position + 1) for position in positions]


def either(parts: Sequence[Sequence[Span]]) -> list[Span]:
    """The spans of all parts, duplicates included."""
    return list(heapq.merge(*parts, key=lambda span: (span.start, span.end)))


def near_in_order(parts: Sequence[Sequence[Span]], slop: int) -> list[Span]:
    """One span of each part in order, not overlapping, with at most `slop` positions between them."""
    found: list[Span] = []
    at = [0] * len(parts)
    for first in parts[0]:
        before, width = first, 0
        for index in range(1, len(parts)):
            part = parts[index]
            while at[index] < len(part) and part[at[index]].start < before.end:
                at[index] += 1
            if at[index] == len(part):
                return found
            width += part[at[index]].start - before.end
            before = part[at[index]]
        if width <= slop:
            found.append(Span(first.start, before.end, width))
    return found


def near_in_any_order(parts: Sequence[Sequence[Span]], slop: int) -> list[Span]:
    """One span of each part, with at most `slop` positions from first to last that none of them covers."""
    if not all(parts):
        return []
    found: list[Span] = []
    current: LeastFirst[_Step] = LeastFirst(lambda step: step[:2])
    for index, part in enumerate(parts):
        current.add(_Step(part[0].start, part[0].end, index, 0))
    last = max(step.end for step in current)
    while True:
        start, _, index, at = current.least
        covered = sum(step.end - step.start for step in current)
        if last - start - covered <= slop:
            found.append(Span(start, last, last - start))
        if at + 1 == len(parts[index]):
            return found
        following = parts[index][at + 1]
        last = max(last, following.end)
        current.replace_least(_Step(following.start, following.end, index, at + 1))


class _Step(NamedTuple):
    """The span that a part has reached: its positions, which part it is of, and which of its spans it is."""

    start: int
    end: int
    part: int
    at: int


def ending_by(spans: Sequence[Span], position: int) -> list[Span]:
    """The spans that end at or before a position."""
    return [span for span in spans if span.end <= position]


def apart_from(spans: Sequence[Span], excluded: Sequence[Span]) -> list[Span]:
    """The spans that overlap none of the excluded."""
    found: list[Span] = []
    at = 0
    for span in spans:
        while at < len(excluded) and excluded[at].end <= span.start:
            at += 1
        if at == len(excluded) or excluded[at].start >= span.end:
            found.append(span)
    return found


def containing(big: Sequence[Span], little: Sequence[Span]) -> list[Span]:
    """The big spans whose first little span (at or after their start) ends within them."""
    found: list[Span] = []
    at = 0
    for span in big:
        while at < len(little) and little[at].start < span.start:
            at += 1
        if at == len(little):
            break
        if little[at].end <= span.end:
            found.append(span)
    return found


def contained(big: Sequence[Span], little: Sequence[Span]) -> list[Span]:
    """The little spans within the first big span that ends at or after their end."""
    found: list[Span] = []
    at = 0
    for span in little:
        while at < len(big) and big[at].end < span.end:
            at += 1
        if at == len(big):
            break
        if big[at].start <= span.start:
            found.append(span)
    return found
