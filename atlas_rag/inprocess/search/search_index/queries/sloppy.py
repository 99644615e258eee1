"""How often a phrase occurs within a slop, and how closely: Lucene's sloppy phrase matcher.

Each place walks its positions, shifted by where it stands in the phrase; the spread between the largest
and the smallest shifted position is the match's distance d, and every match within the slop adds
1 / (1 + d). Places that share a term may not stand on one position. Source: Lucene 10.1 SloppyPhraseMatcher.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from atlas_rag.inprocess.search.search_index.storage.runs import Ints

_ONE = np.float32(1.0)


class Place(NamedTuple):
    """The alternatives at one place of a phrase, and where the place stands."""

    terms: tuple[str, ...]
    position: int


def sloppy_freqs(
    keys: Sequence[NDArray[np.int64]], places: Sequence[Place], docs: Ints, slop: int
) -> tuple[Ints, NDArray[np.float32]]:
    """Returns the documents with a match and the sum of their matches' weights.

    Args:
        keys: per place, document << 32 | position of every occurrence, ascending.
        docs: the documents that have a term at every place.
        slop: largest distance of a match.
    """
    columns = []
    for key in keys:
        first = key.searchsorted(docs.astype(np.int64) << 32)
        last = key.searchsorted((docs.astype(np.int64) + 1) << 32)
        columns.append((first, last, (key & 0xFFFFFFFF).astype(np.int64)))
    freqs = np.zeros(len(docs), np.float32)
    for row in range(len(docs)):
        lists = [positions[first[row] : last[row]].tolist() for first, last, positions in columns]
        freqs[row] = _Matcher(lists, places).freq(slop)
    keep = freqs > 0
    return docs[keep], freqs[keep]


class _Walker:
    """One place walking its positions in one document."""

    __slots__ = ("at", "group", "offset", "ord", "position", "positions", "terms")

    def __init__(self, positions: list[int], place: Place, order: int) -> None:
        self.positions = positions
        self.offset = place.position
        self.terms = place.terms
        self.ord = order
        self.group: list[_Walker] = []
        self.at = 0
        self.position = positions[0] - self.offset

    def next(self) -> bool:
        """Steps to the next position; False at the end."""
        self.at += 1
        if self.at >= len(self.positions):
            return False
        self.position = self.positions[self.at] - self.offset
        return True

    @property
    def real(self) -> int:
        """The position in the document."""
        return self.position + self.offset

    def __lt__(self, other: _Walker) -> bool:
        return (self.position, self.offset, self.ord) < (other.position, other.offset, other.ord)


class _Matcher:
    """The walkers of one document."""

    def __init__(self, lists: Sequence[list[int]], places: Sequence[Place]) -> None:
        self._walkers = [_Walker(*pair, order) for order, pair in enumerate(zip(lists, places, strict=True))]
        self._repeats = _repeat_groups(self._walkers)

    def freq(self, slop: int) -> np.float32:
        """Sums 1 / (1 + distance) over the matches within the slop, in float32."""
        total = np.float32(0.0)
        if not all(self._spread(group) for group in self._repeats):
            return total
        end = max(walker.position for walker in self._walkers)
        heap = list(self._walkers)
        heapq.heapify(heap)
        lead = heapq.heappop(heap)
        width, following = end - lead.position, heap[0].position
        while lead.next():
            end = max(end, lead.position)
            settled = self._settle(lead, heap)
            if settled is None:
                break
            end = max(end, settled)
            if lead.position > following:
                heapq.heappush(heap, lead)
                if width <= slop:
                    total += _ONE / np.float32(1 + width)
                lead = heapq.heappop(heap)
                following = heap[0].position
                width = end - lead.position
            else:
                width = min(width, end - lead.position)
        if width <= slop:
            total += _ONE / np.float32(1 + width)
        return total

    def _spread(self, group: list[_Walker]) -> bool:
        """Moves walkers that start on one position apart, so that each occurrence is used once."""
        if all(len(walker.terms) == 1 for walker in group):
            return all(walker.next() for count, walker in enumerate(group) for _ in range(count))
        for walker in group:
            clash = _clash(walker, group)
            while clash is not None:
                if not min(walker, clash).next():
                    return False
                clash = _clash(walker, group)
        return True

    def _settle(self, lead: _Walker, heap: list[_Walker]) -> int | None:
        """Resolves clashes after a step; None at the end of a place, else the largest position reached."""
        reached = lead.position
        if not lead.group:
            return reached
        moved: set[int] = set()
        current = lead
        clash = _clash(current, current.group)
        while clash is not None:
            current = min(current, clash)
            if not current.next():
                return None
            reached = max(reached, current.position)
            if current is not lead:
                moved.add(current.ord)
            clash = _clash(current, current.group)
        if moved:
            heapq.heapify(heap)
        return reached


def _clash(walker: _Walker, group: list[_Walker]) -> _Walker | None:
    for other in group:
        if other is not walker and other.real == walker.real:
            return other
    return None


def _repeat_groups(walkers: Sequence[_Walker]) -> list[list[_Walker]]:
    """Groups places that share a term (directly or through others)."""
    groups: list[list[_Walker]] = []
    for walker in walkers:
        joined = [group for group in groups if any(set(walker.terms) & set(other.terms) for other in group)]
        merged = [other for group in joined for other in group] + [walker]
        groups = [group for group in groups if group not in joined] + [merged]
    repeats = [sorted(group, key=lambda walker: walker.offset) for group in groups if len(group) > 1]
    for group in repeats:
        for walker in group:
            walker.group = group
    return repeats
