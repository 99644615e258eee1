"""Case and accent folding beyond lower case.

The interpreter's Unicode data decides for characters newer than Unicode 14; all others fold alike everywhere.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

IGNORABLE = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u200b\u200c\u200d\u200e\u200f"
    "\u202a\u202b\u202c\u202d\u202e\u3164\ufeff\uffa0"
)
"""Default-ignorable code points below U+10000, without those in the ranges of `_is_ignorable`."""


def _is_ignorable(char: str) -> bool:
    code = ord(char)
    return (
        char in IGNORABLE
        or 0x2060 <= code <= 0x206F
        or 0xFE00 <= code <= 0xFE0F
        or 0xFFF0 <= code <= 0xFFF8
        or 0x1BCA0 <= code <= 0x1BCA3
        or 0x1D173 <= code <= 0x1D17A
        or 0xE0000 <= code <= 0xE0FFF
    )


@cache
def _casefolded(char: str) -> str:
    """NFKC_Casefold of one character."""
    if _is_ignorable(char):
        return ""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", char).casefold())
    folded = unicodedata.normalize("NFKC", folded.casefold())
    return "".join(c for c in folded if not _is_ignorable(c))


def nfkc_casefold(text: str) -> str:
    """toNFKC_Casefold: compatibility forms, folded case, no ignorable characters, composed."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", "".join(map(_casefolded, text)))


@cache
def _folding_table() -> dict[str, str]:
    """What ICU folding adds to NFKC_Casefold, from UTR #30: letters and signs to others, marks to nothing."""
    table: dict[str, str] = {}
    text = (files(__package__) / "data" / "icu_folding.txt").read_text("ascii").replace("\n  ", " ")
    for line in text.splitlines():
        head, *codes = line.split()
        target = "" if head == "-" else "".join(chr(int(code, 16)) for code in head.split("+"))
        for code in codes:
            first, _, last = code.partition("-")
            table.update((chr(c), target) for c in range(int(first, 16), int(last or first, 16) + 1))
    return table


@cache
def _icu_folded(char: str) -> str:
    """One character, folded until nothing changes."""
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    folded = _folding_table().get(char)
    if folded is None:
        folded = unicodedata.normalize("NFD", nfkc_casefold(char))
    return folded if folded == char else "".join(map(_icu_folded, folded))


def icu_fold(text: str) -> str:
    """Search folding: case, width, accents, digits, dashes, quotes and letter forms.

    Source: the draft UTR #30 (Character Foldings) in the selection of Lucene's ICUFoldingFilter.
    """
    if text.isascii() and "^" not in text and "`" not in text:
        return text.lower()
    return unicodedata.normalize("NFC", "".join(map(_icu_folded, text)))


@cache
def _ascii_table() -> dict[int, str]:
    """Letters, digits and signs with their ASCII equivalents, from `data/ascii_folding.txt`."""
    text = (files(__package__) / "data" / "ascii_folding.txt").read_text("utf-8")
    pairs = (line.split(" ", 1) for line in text.splitlines())
    return {ord(char): ascii_form for ascii_form, chars in pairs for char in chars}


def ascii_fold(text: str) -> str:
    """ASCII for what has an ASCII equivalent; all else stays."""
    return text if text.isascii() else text.translate(_ascii_table())
