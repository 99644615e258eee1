"""Offsets: code points to UTF-16 units, and back through a char filter."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate


def utf16_offsets(text: str) -> list[int]:
    """For every code point offset, 0 to the length, the same place counted in UTF-16 units."""
    return list(accumulate((2 if char > "\uffff" else 1 for char in text), initial=0))


def utf16_length(text: str) -> int:
    """UTF-16 units of the text."""
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


class Origin:
    """Where the characters of a rewritten text came from.

    Args:
        changes: (offset in the rewritten text, what to add from there on), offsets rising.
    """

    def __init__(self, changes: list[tuple[int, int]]) -> None:
        self._offsets = [offset for offset, _ in changes]
        self._shifts = [shift for _, shift in changes]

    def __call__(self, offset: int) -> int:
        """The offset in the text before."""
        place = bisect_right(self._offsets, offset) - 1
        return offset if place < 0 else offset + self._shifts[place]


CharFilter = Callable[[str], tuple[str, Origin | None]]
"""Rewrites a text before it is tokenized; None where no offset moved."""
