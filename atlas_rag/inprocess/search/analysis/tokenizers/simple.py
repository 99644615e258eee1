"""Tokenizers that look at one character at a time: letters, non-whitespace, everything."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from atlas_rag.inprocess.search.analysis.token import Token
from atlas_rag.inprocess.search.analysis.tokenizers.pieces import PieceCutter

MAX_TOKEN = 255
"""UTF-16 units after which a run is cut; a surrogate pair may exceed it by one."""

WHITESPACE = frozenset(
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2008\u2009\u200a\u2028\u2029\u205f\u3000"
)
"""What separates words: no-break spaces and U+0085 do not."""


class KeywordTokenizer:
    """The whole text as one token, even an empty one."""

    def tokenize(self, text: str) -> list[Token]:
        return [Token(text, 0, len(text))]


class RunTokenizer:
    """Maximal runs of some characters, cut at a length.

    Args:
        inside: whether a character belongs to a run.
        max_length: UTF-16 units, >= 1.
    """

    def __init__(self, inside: Callable[[str], bool], max_length: int = MAX_TOKEN) -> None:
        self._inside = inside
        self._max_length = max_length
        self._pieces = PieceCutter(lambda code: not inside(chr(code)))

    def tokenize(self, text: str) -> list[Token]:
        tokens = []
        end = 0
        for inside, characters in groupby(text, self._inside):
            start, end = end, end + sum(1 for _ in characters)
            while inside and start < end:
                stop = self._cut(text, start, end)
                tokens.append(Token(text[start:stop], start, stop))
                start = stop
        return tokens

    def pieces(self, text: str) -> list[str]:
        return self._pieces(text)

    def _cut(self, text: str, start: int, end: int) -> int:
        """The end of the piece: the first place where the length is reached or exceeded."""
        units = 0
        for place in range(start, end):
            units += 2 if text[place] > "\uffff" else 1
            if units >= self._max_length:
                return place + 1
        return end


def whitespace_tokenizer(max_length: int = MAX_TOKEN) -> RunTokenizer:
    """Everything between whitespace."""
    return RunTokenizer(lambda character: character not in WHITESPACE, max_length)


def letter_tokenizer() -> RunTokenizer:
    """Runs of letters (general category L)."""
    return RunTokenizer(str.isalpha)
