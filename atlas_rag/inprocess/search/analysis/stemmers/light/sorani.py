"""Sorani Kurdish light stemming: a postposition, a possessive, then one ending."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.ordered import rules, strip_first

POSTPOSITION = rules("""
5 2 دا
4 1 نا
6 3 ەوە
""")
POSSESSIVE = rules("6 3 مان یان تان")
ENDING = rules("""
6 3 ێکی
7 4 یەکی
5 2 ێک
6 3 یەک
6 3 ەکە
5 2 کە
7 4 ەکان
6 3 کان
7 4 یانی
6 3 انی
6 3 یان
5 2 ان
7 4 یانە
6 3 انە
5 2 ایە ەیە
4 1 ە
4 1 ی
""")


def stem(word: str) -> str:
    """The stem of a normalized word."""
    return strip_first(strip_first(strip_first(word, POSTPOSITION), POSSESSIVE), ENDING)
