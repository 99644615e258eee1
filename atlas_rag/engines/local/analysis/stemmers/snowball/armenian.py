"""Armenian (Snowball)."""

from __future__ import annotations

from .runtime import past, past_syllable, tables

VOWELS = frozenset("աէիօւեոը")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    rv = past(word, 0, VOWELS)
    if rv is None:
        return word
    r2 = past_syllable(word, VOWELS, past(word, rv, VOWELS, inside=False))
    regions = {"r2": len(word) if r2 is None else r2}
    for name in ("ending", "verb", "adjective", "noun"):
        changed = tables("armenian")[name].apply(word, regions, rv)
        word = word if changed is None else changed
    return word
