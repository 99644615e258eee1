"""Lithuanian (Snowball)."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import past_syllable, tables

VOWELS = frozenset("aeiyouąęįųėū")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    start = 1 if word.startswith("a") and len(word) > 6 else 0
    r1 = past_syllable(word, VOWELS, start)
    r1 = len(word) if r1 is None else r1
    table = tables("lithuanian")
    word = table["conflict"].strip(word, {})
    word = _plain_consonant(table["ending"].strip(word, {}, r1))
    while (shorter := table["suffix"].apply(word, {}, r1)) is not None:
        word = shorter
    word = _plain_consonant(word)
    return word[:-1] if word.endswith("gd") else word


def _plain_consonant(word: str) -> str:
    """t and d for the č and dž of inflected forms."""
    if word.endswith("č"):
        return word[:-1] + "t"
    return word[:-1] if word.endswith("dž") else word
