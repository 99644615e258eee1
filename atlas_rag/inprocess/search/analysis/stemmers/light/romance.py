"""Spanish, Italian and Portuguese light stemming.

Source: J. Savoy, Report on CLEF-2001 experiments (Spanish, Italian); Light stemming approaches for the
French, Portuguese, German and Hungarian languages, 2006.
"""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.ordered import fold, rules, strip_first

ACCENTS = fold("àáâä òóôö èéêë ùúûü ìíîï", "aoeui")
PORTUGUESE_ACCENTS = ACCENTS | fold("ã õ ç", "aoc")
SPANISH = rules("""
4 1 o a e
4 2 eses
4 3+z ces
4 2 os as es
""")
ITALIAN = rules("""
5 2 ie he hi ii ia io
5 1 e i a o
""")
PORTUGUESE_PLURAL = rules("""
4 2 res ses les zes
3 2+m ns
4 3+el eis éis
4 2+l ais
4 3+ol óis
4 1+l is
3 3+ão ões ães
6 5 mente
3 1 s
""")
PORTUGUESE_FEMININE = rules("""
7 1+o inha iaca eira
6 1+o osa ica ida ada iva ama
6 3+ão ona
6 1 ora
6 3+ês esa
6 1+o na
""")
PORTUGUESE_VOWEL = rules("4 1 e a o")


def spanish_stem(word: str) -> str:
    """The stem of a lower-case Spanish word; words under five letters stay."""
    return strip_first(word.translate(ACCENTS), SPANISH) if len(word) > 4 else word


def italian_stem(word: str) -> str:
    """The stem of a lower-case Italian word; words under six letters stay."""
    return strip_first(word.translate(ACCENTS), ITALIAN) if len(word) > 5 else word


def portuguese_stem(word: str) -> str:
    """The stem of a lower-case Portuguese word; words under four letters stay."""
    if len(word) < 4:
        return word
    word = strip_first(word, PORTUGUESE_PLURAL)
    if len(word) > 3:
        word = strip_first(word, PORTUGUESE_FEMININE)
    return strip_first(word, PORTUGUESE_VOWEL).translate(PORTUGUESE_ACCENTS)
