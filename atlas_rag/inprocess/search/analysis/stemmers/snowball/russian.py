"""Russian (Snowball)."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import rv_r2, suffixes, tables

VOWELS = frozenset("аеиоуыэюя")
REFLEXIVE = suffixes("ся сь")
DERIVED = suffixes("ост ость")


def stem(word: str) -> str:
    """The stem of a lower-case word; ё counts as е."""
    word = word.replace("ё", "е")
    regions = rv_r2(word, VOWELS)
    rv = regions["rv"]
    word = _inflected(word, rv)
    if word.endswith("и") and len(word) > rv:
        word = word[:-1]
    match = DERIVED.ending(word, rv)
    if match is not None and match.start(word) >= regions["r2"]:
        word = match.cut(word)
    return _tidy(word, rv)


def _inflected(word: str, rv: int) -> str:
    gerund = _stripped(word, "gerund", rv)
    if gerund is not None:
        return gerund
    reflexive = REFLEXIVE.ending(word, rv)
    if reflexive is not None:
        word = reflexive.cut(word)
    adjective = _stripped(word, "adjective", rv)
    if adjective is not None:
        return _stripped(adjective, "participle", rv) or adjective
    for table in ("verb", "noun"):
        shorter = _stripped(word, table, rv)
        if shorter is not None:
            return shorter
    return word


def _stripped(word: str, table: str, rv: int) -> str | None:
    """Without the longest ending of the table; some need an а or я before them."""
    match = tables("russian")[table].ending(word, rv)
    if match is None:
        return None
    rest = match.cut(word)
    if match.region == "a" and (len(rest) <= rv or rest[-1] not in "ая"):
        return None
    return rest


def _tidy(word: str, rv: int) -> str:
    inside = word[rv:]
    if inside.endswith(("ейш", "ейше")):
        word = word.removesuffix("е")[:-3]
        return word[:-1] if word[rv:].endswith("нн") else word
    return word[:-1] if inside.endswith(("нн", "ь")) else word
