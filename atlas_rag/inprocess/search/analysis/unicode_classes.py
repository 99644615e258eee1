"""Word-break classes of Unicode 12.1, one letter a character, as the engine's tokenizer knows them.

Source: UAX #29 WordBreakProperty, with the script, line-break and emoji properties that the tokenizer adds.
The table is fixed: the interpreter's own Unicode level must not change what is indexed.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from importlib.resources import files

OTHER = " "


class ClassTable(dict[int, str]):
    """Maps a code point to its class letter, for `str.translate`; looked up once, then remembered.

    Letters: A letter · Q letter and pictograph · G Hangul · H Hebrew · N digit · K Katakana · I Han ·
    J Hiragana · S a script without spaces (s: its combining marks) · P pictograph · R regional indicator ·
    M skin tone · V emoji presentation · C keycap · T tag (Y: the closing one) · Z joiner ·
    E other extending or format · : . ' , _ " # the punctuation that may stand inside a word.
    """

    def __init__(self, lines: str) -> None:
        super().__init__()
        ranges = sorted(
            (int(first, 16), int(last or first, 16), line[0])
            for line in lines.splitlines()
            for first, _, last in (text.partition("-") for text in line[2:].split())
        )
        self._starts = [first for first, _, _ in ranges]
        self._ranges = ranges

    def __missing__(self, code: int) -> str:
        place = bisect_right(self._starts, code) - 1
        found = place >= 0 and code <= self._ranges[place][1]
        letter = self._ranges[place][2] if found else OTHER
        self[code] = letter
        return letter


@cache
def word_break_classes() -> ClassTable:
    """The table, read on first use."""
    return ClassTable((files(__package__) / "data" / "word_break.txt").read_text("ascii"))
