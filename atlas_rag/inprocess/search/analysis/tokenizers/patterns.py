"""Tokenizers driven by a regular expression."""

from __future__ import annotations

import re

from atlas_rag.inprocess.search.analysis.token import Token


class SplitTokenizer:
    """What stands between the matches; empty pieces are no tokens."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def tokenize(self, text: str) -> list[Token]:
        tokens = []
        place = 0
        for match in self._pattern.finditer(text):
            if match.start() > place:
                tokens.append(Token(text[place : match.start()], place, match.start()))
            place = match.end()
        if place < len(text):
            tokens.append(Token(text[place:], place, len(text)))
        return tokens


class CaptureTokenizer:
    """What one group of each match captures; nothing for an empty capture."""

    def __init__(self, pattern: re.Pattern[str], group: int) -> None:
        self._pattern = pattern
        self._group = group

    def tokenize(self, text: str) -> list[Token]:
        return [
            Token(match[self._group], *match.span(self._group))
            for match in self._pattern.finditer(text)
            if match[self._group]
        ]
