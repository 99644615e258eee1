"""N-grams of the whole text."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.token import Token


class GramTokenizer:
    """All substrings of `least` to `most` characters, by place, then by size.

    Args:
        edge: only those at the beginning of the text.
    """

    def __init__(self, least: int, most: int, *, edge: bool) -> None:
        self._least = least
        self._most = most
        self._edge = edge

    def tokenize(self, text: str) -> list[Token]:
        return [
            Token(text[start : start + size], start, start + size)
            for start in range(1 if self._edge and text else len(text))
            for size in range(self._least, min(self._most, len(text) - start) + 1)
        ]
