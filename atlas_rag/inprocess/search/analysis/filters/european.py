"""Elided articles, apostrophes, Irish and Greek lower case, Romanian letters."""

from __future__ import annotations

from collections.abc import Callable

from atlas_rag.inprocess.search.analysis.filters.case import lower

APOSTROPHES = "'\u2019"
ARTICLES = {
    "french": "l m t qu n s j d c jusqu quoiqu lorsqu puisqu",
    "catalan": "d l m n s t",
    "irish": "d m b",
    "italian": "c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d",
}


def elision(language: str) -> Callable[[str], str]:
    """Takes an elided article and its apostrophe off."""
    articles = frozenset(ARTICLES[language].split())

    def without_article(term: str) -> str:
        place = _apostrophe(term)
        return term[place + 1 :] if place >= 0 and lower(term[:place]) in articles else term

    return without_article


def before_apostrophe(term: str) -> str:
    """Turkish: what stands before the apostrophe of a suffix."""
    place = _apostrophe(term)
    return term[:place] if place >= 0 else term


def _apostrophe(term: str) -> int:
    return next((place for place, char in enumerate(term) if char in APOSTROPHES), -1)


def irish_lower(term: str) -> str:
    """nAthair, tAthair → n-athair, t-athair; else lower case."""
    if term[:1] in ("n", "t") and term[1:2] and term[1] in "AEIOUÁÉÍÓÚ":
        return f"{term[0]}-{lower(term[1:])}"
    return lower(term)


GREEK = {ord(char): base for base, chars in {
    "σ": "ς", "α": "Άά", "ε": "Έέ", "η": "Ήή", "ι": "ΊΪίϊΐ", "υ": "ΎΫύϋΰ", "ο": "Όό", "ω": "Ώώ",
}.items() for char in chars} | {0x03A2: "ς"}  # fmt: skip


def greek_lower(term: str) -> str:
    """Lower case without accents and without final sigma."""
    return lower(term.translate(GREEK))


ROMANIAN = {ord("Ş"): "Ș", ord("ş"): "ș", ord("Ţ"): "Ț", ord("ţ"): "ț"}


def romanian(term: str) -> str:
    """Comma below for cedilla."""
    return term.translate(ROMANIAN)
