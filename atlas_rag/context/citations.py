"""Markers in an answer to the sources they name: `[1]`, `[1, 2]`, `[1-3]`. Never invents one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from atlas_rag.context.source import Source

MARKER = re.compile(r"\[(\d+(?:\s*[-–,]\s*\d+)*)\]")
PART = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")
LONGEST = 9
"""Digits; a longer run is no source number."""
WIDEST = 100
"""Sources that one range may name."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One source that an answer names, with every place where it does: half-open spans of the answer."""

    source: Source
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Citations:
    """What an answer cites, in order of first mention, and the spans of markers that name no source."""

    citations: tuple[Citation, ...]
    unresolved: tuple[tuple[int, int], ...]


def resolve(answer: str, sources: Sequence[Source]) -> Citations:
    """Finds the citations of an answer, by ordinal.

    Every span slices back to its whole marker; a marker of several numbers gives each of them its span.
    """
    by_ordinal = {source.ordinal: source for source in sources}
    spans: dict[int, list[tuple[int, int]]] = {}
    unresolved: list[tuple[int, int]] = []
    for match in MARKER.finditer(answer):
        numbers = _numbers(match[1])
        known = [number for number in numbers if number in by_ordinal]
        if len(known) < len(numbers) or not numbers:
            unresolved.append(match.span())
        for number in dict.fromkeys(known):
            spans.setdefault(number, []).append(match.span())
    found = tuple(Citation(by_ordinal[number], tuple(places)) for number, places in spans.items())
    return Citations(found, tuple(unresolved))


def _numbers(marker: str) -> list[int]:
    numbers: list[int] = []
    for part in PART.finditer(marker):
        if max(len(part[1]), len(part[2] or "")) > LONGEST:
            return []
        first = int(part[1])
        last = int(part[2]) if part[2] else first
        if not 0 <= last - first < WIDEST:
            return []
        numbers += range(first, last + 1)
    return numbers
