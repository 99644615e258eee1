"""Catalan (Snowball)."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import r1_r2, tables

VOWELS = frozenset("aeiouáàéèíïóòúü")
ACCENTS = str.maketrans("áàéèìíïóòúü·", "aaeeiiioouu.")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    regions = r1_r2(word, VOWELS)
    table = tables("catalan")
    word = table["pronoun"].strip(word, regions)
    standard = table["standard"].apply(word, regions)
    word = table["verb"].strip(word, regions) if standard is None else standard
    return table["residual"].strip(word, regions).translate(ACCENTS)
