"""Romanian (Snowball)."""

from __future__ import annotations

import re

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import (
    Regions,
    romance_regions,
    suffixes,
    tables,
)

VOWELS = frozenset("aeiouâîă")
CEDILLAS = str.maketrans("şţ", "șț")
BETWEEN_VOWELS = re.compile("([aeiouâîă])([ui])(?=[aeiouâîă])")
FINAL_VOWELS = suffixes("a e i ie ă")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    word = BETWEEN_VOWELS.sub(lambda m: m[1] + m[2].upper(), word.translate(CEDILLAS))
    regions = romance_regions(word, VOWELS)
    rv = regions["rv"]
    word = _without_article(word, regions)
    shorter = _standard(word, regions)
    word = _verb(word, rv) if shorter is None else shorter
    match = FINAL_VOWELS.ending(word)
    if match is not None and match.start(word) >= rv:
        word = match.cut(word)
    return word.replace("I", "i").replace("U", "u")


def _without_article(word: str, regions: Regions) -> str:
    match = tables("romanian")["article"].ending(word)
    if match is None or match.start(word) < regions["r1"]:
        return word
    rest = match.cut(word)
    if match.action == "ile":
        return word if rest.endswith("ab") else rest + "i"
    return rest + match.action.strip("-")


def _standard(word: str, regions: Regions) -> str | None:
    """Combined suffixes as often as there are some, then a simple one; None if there was neither."""
    removed = False
    while (shorter := tables("romanian")["combined"].apply(word, regions)) is not None:
        word, removed = shorter, True
    match = tables("romanian")["standard"].ending(word)
    if match is not None and match.start(word) >= regions["r2"]:
        rest = match.cut(word)
        if match.action != "iune":
            return rest + match.action.strip("-")
        if rest.endswith("ț"):
            return rest[:-1] + "t"
    return word if removed else None


def _verb(word: str, rv: int) -> str:
    match = tables("romanian")["verb"].ending(word, rv)
    if match is None:
        return word
    rest = match.cut(word)
    if match.region == "nonvowel" and (len(rest) <= rv or (rest[-1] in VOWELS and rest[-1] != "u")):
        return word
    return rest
