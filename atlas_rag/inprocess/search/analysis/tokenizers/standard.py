"""The word tokenizer: UAX #29 word boundaries, of which only words, numbers, ideographs and emoji are kept.

The text is translated to one class letter a character, and a regular expression runs over the letters.
Source: UAX #29 rules WB3-WB16 and UTS #51 emoji sequences, as the engine's tokenizer documents them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from atlas_rag.inprocess.search.analysis.offsets import utf16_length
from atlas_rag.inprocess.search.analysis.token import Token
from atlas_rag.inprocess.search.analysis.tokenizers.pieces import PieceCutter
from atlas_rag.inprocess.search.analysis.unicode_classes import OTHER, word_break_classes

X = "[EZVCMTYs]*"  # what extends the character before (WB4)
LETTERS = (
    f"(?:H{X}(?:\"{X}H{X}|'{X})"  # WB7a-WB7c
    f"|[AGQH]{X}(?:[:.']{X}[AGQH]{X})*"  # WB5-WB7
    f"|N{X}(?:[,.']{X}N{X})*)+"  # WB8-WB12
)
CORE = f"(?:(?:K{X})+|{LETTERS})"  # WB13
WORD = f"(?:_{X})*{CORE}(?:(?:_{X})+{CORE})*(?:_{X})*"  # WB13a, WB13b
EXTENSION = "[EZCMTYs]*"
PICTOGRAPH = f"[PQ]{EXTENSION}(?:V(?:T+Y)?)?"  # UTS #51, as all below
JOINED = f"(?:Z*(?<=Z){PICTOGRAPH})"
EMOJI = f"(?:{PICTOGRAPH}|M{EXTENSION}){JOINED}*|R{X}R{X}|#[EZMTYs]*V?C{EXTENSION}"
PATTERN = re.compile(
    f"Z+{PICTOGRAPH}{JOINED}*|{PICTOGRAPH}{JOINED}+(?![AGQHNK_])"
    f"|{WORD}|{EMOJI}"
    f"|(?:[Ss]{X})+"  # scripts written without spaces: the run is one token
    f"|[IJ]{X}"
)

ASCII_WORD = re.compile(
    r"_*[A-Za-z0-9](?:\w|(?<=[A-Za-z])[.:'](?=[A-Za-z])|(?<=[0-9])[.,;'](?=[0-9]))*", re.ASCII
)
"""What the rules come to for ASCII text."""

_cut = PieceCutter(lambda code: word_break_classes()[code] == OTHER)
"""Separators are the ASCII characters that belong to no token and join nothing."""

MAX_TOKEN = 255
"""UTF-16 units of a token at most; the rest is tokenized anew."""


def spans(text: str, max_length: int = MAX_TOKEN) -> Iterator[tuple[int, int]]:
    """Start and end of every token, in code points.

    Args:
        max_length: UTF-16 units of a token at most, >= 1; matching never looks further than that.
    """
    classes = text.translate(word_break_classes())
    place = 0
    while place < len(text):
        for match in PATTERN.finditer(classes, place):
            start, place = match.span()
            if place - start > max_length // 2 and utf16_length(text[start:place]) > max_length:
                cut = PATTERN.match(classes, start, window_end(text, start, max_length))
                place = cut.end() if cut else start + 1
                if cut:
                    yield start, place
                break
            yield start, place
        else:
            return


def window_end(text: str, start: int, units: int) -> int:
    """End of the longest run from `start` that fits into that many UTF-16 units."""
    end = min(len(text), start + units)
    while utf16_length(text[start:end]) > units:
        end -= 1
    return end


class StandardTokenizer:
    """Words, numbers, ideographs and emoji.

    Args:
        max_length: UTF-16 units of a token at most, 1 to 1,048,576.
    """

    def __init__(self, max_length: int = MAX_TOKEN) -> None:
        self._max_length = max_length

    def tokenize(self, text: str) -> list[Token]:
        if text.isascii() and len(text) <= self._max_length:
            if text.isalnum():
                return [Token(text, 0, len(text))]
            return [Token(match[0], *match.span()) for match in ASCII_WORD.finditer(text)]
        return [Token(text[start:end], start, end) for start, end in spans(text, self._max_length)]

    def pieces(self, text: str) -> list[str]:
        return _cut(text)
