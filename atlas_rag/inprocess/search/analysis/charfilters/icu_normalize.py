"""Unicode normalization before tokenizing: NFKC with case folding, default-ignorable characters removed.

Source: Unicode Standard Annex #15 and section 3.13 (toNFKC_Casefold).
"""

from __future__ import annotations

import unicodedata
from functools import cache

from atlas_rag.inprocess.search.analysis.offsets import Edits, Origin
from atlas_rag.inprocess.search.analysis.unicode_folding import nfkc_casefold

COMPOSE_BACK = (
    "\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u102e\u1b35"
)
"""Characters without a combining class that compose with the one before, besides Hangul vowels and tails."""


def icu_normalize(text: str) -> tuple[str, Origin | None]:
    """The normalized text; offsets are kept for each run between normalization boundaries."""
    if text.isascii() and text == text.lower():
        return text, None
    edits = Edits()
    start = 0
    for place in range(1, len(text) + 1):
        if place < len(text) and not _is_boundary(text[place]):
            continue
        run = text[start:place]
        edits.replace(len(run), nfkc_casefold(run))
        start = place
    return edits.result()


@cache
def _is_boundary(char: str) -> bool:
    """Whether nothing before the character can combine with what it becomes."""
    first = nfkc_casefold(char)[:1]
    if not first or unicodedata.combining(first):
        return False
    return not (0x1161 <= ord(first) <= 0x1175 or 0x11A8 <= ord(first) <= 0x11C2 or first in COMPOSE_BACK)
