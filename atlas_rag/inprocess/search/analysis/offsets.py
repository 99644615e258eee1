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


class Edits:
    """Builds a rewritten text piece by piece, with the offsets that its pieces had."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._length = 0
        self._shift = 0
        self._changes: list[tuple[int, int]] = []

    @property
    def length(self) -> int:
        """Characters written so far."""
        return self._length

    def keep(self, piece: str) -> None:
        """Text that stays."""
        self._out.append(piece)
        self._length += len(piece)

    def replace(self, length: int, put: str, *, late: bool = False) -> None:
        """`length` characters of the source become `put`.

        Where text grows, each added character points back to where the replaced piece ended: behind as many
        characters as were replaced (`late`), or from the second character on.
        """
        start = self._length
        self.keep(put)
        grown = len(put) - length
        if grown < 0:
            self._move(self._length, -grown)
        for added in range(1, grown + 1):
            self._move(start + length + added - 1 if late else start + added, -1)

    def replace_at_end(self, length: int, put: str = "") -> None:
        """As `replace`, but the whole difference counts from behind `put`, even where text grows."""
        self.keep(put)
        if len(put) != length:
            self._move(self._length, length - len(put))

    def _move(self, offset: int, by: int) -> None:
        self._shift += by
        if self._changes and self._changes[-1][0] == offset:
            self._changes.pop()
        self._changes.append((offset, self._shift))

    def result(self) -> tuple[str, Origin | None]:
        """The rewritten text, and where its characters came from."""
        return "".join(self._out), Origin(self._changes) if self._changes else None
