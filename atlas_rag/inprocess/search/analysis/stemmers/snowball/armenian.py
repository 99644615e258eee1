"""Armenian (Snowball)."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import rv_r2, tables

VOWELS = frozenset("աէիօւեոը")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    regions = rv_r2(word, VOWELS)
    for name in ("ending", "verb", "adjective", "noun"):
        word = tables("armenian")[name].strip(word, regions, regions["rv"])
    return word
