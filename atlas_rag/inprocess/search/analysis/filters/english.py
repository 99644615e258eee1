"""English: the possessive s."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.token import TermFilter

APOSTROPHES = frozenset("'\u2019\uff07")


def _without_possessive(term: str) -> str:
    if len(term) >= 2 and term[-2] in APOSTROPHES and term[-1] in "sS":
        return term[:-2]
    return term


possessive = TermFilter(_without_possessive)
