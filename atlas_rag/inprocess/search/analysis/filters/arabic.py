"""Arabic, Persian and Sorani spelling: one form of each letter, no vowel marks."""

from __future__ import annotations

import unicodedata

MARKS = dict.fromkeys([0x0640, *range(0x064B, 0x0653)])
"""Tatweel and the short-vowel marks, removed."""

ARABIC = MARKS | {0x0622: "\u0627", 0x0623: "\u0627", 0x0625: "\u0627", 0x0649: "\u064a", 0x0629: "\u0647"}
PERSIAN = {
    0x06CC: "\u064a", 0x06D2: "\u064a", 0x06A9: "\u0643", 0x06C0: "\u0647", 0x06C1: "\u0647", 0x0654: None,
}  # fmt: skip
SORANI = {
    0x064A: "\u06cc", 0x0649: "\u06cc", 0x0643: "\u06a9", 0x0629: "\u06d5", 0x06BE: "\u0647",
    0x0692: "\u0695",
}  # fmt: skip
ZWNJ, HEH, AE, REH, RREH = "\u200c\u0647\u06d5\u0631\u0695"


def arabic(term: str) -> str:
    """Bare alef, dotted yeh, heh for teh marbuta, no marks."""
    return term.translate(ARABIC)


def persian(term: str) -> str:
    """Arabic yeh, kaf and heh for their Persian forms, no hamza above."""
    return term.translate(PERSIAN)


def sorani(term: str) -> str:
    """Kurdish letters for their Arabic look-alikes; marks and format characters go."""
    out: list[str] = []
    for place, char in enumerate(term):
        if char == ZWNJ:
            if out and out[-1] == HEH:
                out[-1] = AE
        elif char == HEH and place == len(term) - 1:
            out.append(AE)
        elif char == REH and not out:
            out.append(RREH)
        elif ord(char) not in MARKS and unicodedata.category(char) != "Cf":
            out.append(SORANI.get(ord(char), char))
    return "".join(out)


def decimal_digits(term: str) -> str:
    """ASCII digits for the decimal digits of every script."""
    if term.isascii():
        return term
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in term)
