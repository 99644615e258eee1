"""Catalan (Snowball)."""

from __future__ import annotations

from .runtime import r1_r2, tables

VOWELS = frozenset("aeiouáàéèíïóòúü")
ACCENTS = str.maketrans("áàéèìíïóòúü·", "aaeeiiioouu.")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    regions = r1_r2(word, VOWELS)
    table = tables("catalan")
    word = _applied(word, table["pronoun"].apply(word, regions))
    standard = table["standard"].apply(word, regions)
    word = _applied(word, standard if standard is not None else table["verb"].apply(word, regions))
    return _applied(word, table["residual"].apply(word, regions)).translate(ACCENTS)


def _applied(word: str, changed: str | None) -> str:
    return word if changed is None else changed
