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

X = "[EZVCMTYs]*+"  # what extends the character before (WB4)
LETTERS = (
    f"(?:H{X}(?:\"{X}H{X}|'{X})"  # WB7a-WB7c
    f"|[AGQH]{X}(?:[:.']{X}[AGQH]{X})*+"  # WB5-WB7
    f"|N{X}(?:[,.']{X}N{X})*+)++"  # WB8-WB12
)
CORE = f"(?:(?:K{X})++|{LETTERS})"  # WB13
WORD = f"(?:_{X})*+{CORE}(?:(?:_{X})++{CORE})*+(?:_{X})*+"  # WB13a, WB13b
EXTENSION = "[EZCMTYs]*"
PICTOGRAPH = f"[PQ]{EXTENSION}(?:V(?:T+Y)?)?"  # UTS #51, as all below
JOINED = f"(?:Z*(?<=Z){PICTOGRAPH})"
EMOJI = f"(?:{PICTOGRAPH}|M{EXTENSION}){JOINED}*|R{X}R{X}|#[EZMTYs]*+V?C{EXTENSION}"
PATTERN = re.compile(
    f"Z++{PICTOGRAPH}{JOINED}*|{PICTOGRAPH}{JOINED}+(?![AGQHNK_])"
    f"|{WORD}|{EMOJI}"
    f"|(?:[Ss]{X})++"  # scripts written without spaces: the run is one token
    f"|[IJ]{X}"
)
"""In words nothing that one part took could begin the next, so no part gives back: matching is linear."""

BARREN = {"_": re.compile(f"(?:_{X})++"), "Z": re.compile("Z++")}
"""Runs that only what follows them makes a token of, by their first letter."""

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
    short = min(max_length, MAX_TOKEN) // 2
    if max(map(len, classes.split(OTHER))) <= short:
        yield from (match.span() for match in PATTERN.finditer(classes))
        return
    for piece in _PIECE.finditer(classes):
        start, end = piece.span()
        if end - start <= short:
            yield from (match.span() for match in PATTERN.finditer(classes, start, end))
        else:
            yield from _Window(text, classes, max_length).spans(start, end)


_PIECE = re.compile(f"[^{OTHER}]+")


class _Window:
    """A long piece of a text without separators, of which so many units are looked at together."""

    def __init__(self, text: str, classes: str, units: int) -> None:
        self._text = text
        self._classes = classes
        self._units = units

    def spans(self, place: int, end: int) -> Iterator[tuple[int, int]]:
        """The tokens of the piece."""
        barren = place  # no token begins with the run that stands before this
        while place < end:
            if place < barren and self._classes[place] in BARREN:
                place += 1
                continue
            found = self._match(place, min(end, place + self._units))
            if found is not None:
                yield place, found
                place = found
            else:
                barren = max(barren, self._barren_until(place, end))
                place += 1

    def _match(self, place: int, limit: int) -> int | None:
        match = PATTERN.match(self._classes, place, limit)
        if match and utf16_length(self._text[place : match.end()]) > self._units:
            match = PATTERN.match(self._classes, place, window_end(self._text, place, self._units))
        return match.end() if match else None

    def _barren_until(self, place: int, end: int) -> int:
        """Where the run that begins here, and made no token, could at the earliest make one."""
        run = BARREN.get(self._classes[place])
        match = run.match(self._classes, place, end) if run else None
        if match is None:
            return place
        taken = utf16_length(self._text[place : match.end()])
        fits = taken + _FIRST_UNITS <= self._units
        return match.end() if fits else window_start(self._text, match.end(), self._units)


_FIRST_UNITS = 2
"""What may have to fit behind a run to make it a token: one character."""


def window_end(text: str, start: int, units: int) -> int:
    """End of the longest run from `start` that fits into that many UTF-16 units."""
    end = min(len(text), start + units)
    while (over := utf16_length(text[start:end]) - units) > 0:
        end -= (over + 1) // 2
    return end


def window_start(text: str, end: int, units: int) -> int:
    """Start of the longest run up to `end` that is shorter than that many UTF-16 units."""
    start = max(0, end - units)
    while (over := utf16_length(text[start:end]) - units + 1) > 0:
        start += (over + 1) // 2
    return start


class StandardTokenizer:
    """Words, numbers, ideographs and emoji.

    Args:
        max_length: UTF-16 units of a token at most, 1 to 1,048,576.
    """

    def __init__(self, max_length: int = MAX_TOKEN) -> None:
        self._max_length = max_length

    def tokenize(self, text: str) -> list[Token]:
        if text.isascii() and len(text) <= min(self._max_length, MAX_TOKEN):
            if text.isalnum():
                return [Token(text, 0, len(text))]
            return [Token(match[0], *match.span()) for match in ASCII_WORD.finditer(text)]
        return [Token(text[start:end], start, end) for start, end in spans(text, self._max_length)]

    def pieces(self, text: str) -> list[str]:
        return _cut(text)
