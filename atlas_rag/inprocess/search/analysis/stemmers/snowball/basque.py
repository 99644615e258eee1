"""Basque (Snowball)."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import Regions, romance_regions, tables

VOWELS = frozenset("aeiou")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    regions = romance_regions(word, VOWELS)
    word, verbal = _repeated(word, "verb", regions)
    word, nominal = _repeated(word, "noun", regions)
    return tables("basque")["adjective"].strip(word, regions) + nominal + verbal


def _repeated(word: str, name: str, regions: Regions) -> tuple[str, str]:
    """Applies the table as long as it applies; what it leaves or puts in place is not looked at again."""
    done = ""
    while True:
        match = tables("basque")[name].ending(word)
        if match is None or match.start(word) < regions.get(match.region, 0):
            return word, done
        word = match.cut(word)
        if match.action != "-":
            done = (match.suffix if match.action == "=" else match.action) + done
