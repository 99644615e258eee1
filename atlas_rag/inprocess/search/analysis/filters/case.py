"""Lower case, character by character as Java maps it."""

from __future__ import annotations

import unicodedata
from itertools import takewhile

DOT_ABOVE = "\u0307"


def lower(term: str) -> str:
    """Simple lower-case mapping: no final sigma, and a dotted capital I loses its dot."""
    if "İ" not in term and "Σ" not in term:
        return term.lower()
    return "".join("i" if char == "İ" else char.lower() for char in term)


def turkish_lower(term: str) -> str:
    """As `lower`, but I becomes ı; with a dot above among its marks it becomes i, as İ does."""
    out = []
    place = 0
    while place < len(term):
        char, place = term[place], place + 1
        if char != "I":
            out.append("i" if char == "İ" else char.lower())
            continue
        marks = "".join(takewhile(lambda mark: unicodedata.category(mark) == "Mn", term[place:]))
        if DOT_ABOVE in marks:
            out.append("i" + marks.replace(DOT_ABOVE, ""))
            place += len(marks)
        else:
            out.append("ı")
    return "".join(out)
