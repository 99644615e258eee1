"""Latvian light stemming: one noun or adjective ending, and the consonant that it had softened.

Source: K. Kreslins, A stemming algorithm for Latvian, 1996, reduced to case, number and gender.
"""

from __future__ import annotations

VOWELS = frozenset("aeiouāīēū")
ENDINGS = [
    pair.split(":")
    for pair in (
        "ajiem:3 ajai:3 ajam:2 ajām:2 ajos:2 ajās:2 iem:2~ ajā:2 ais:2 ai:2 ei:2 ām:1 am:1 ēm:1 īm:1 im:1 "
        "um:1 us:1~ as:1 ās:1 es:1 os:1~ ij:1 īs:1 ēs:1 is:1 ie:1 u:1~ a:1~ i:1~ e:1 "
        "ā:1 ē:1 ī:1 ū:1 o:1 s:0 š:0"
    ).split()
]
"""Endings, and how many vowels the word must exceed; ~ marks those that softened the consonant before."""

HARDENED = {
    "pj": "p", "bj": "b", "mj": "m", "vj": "v", "šņ": "sn", "žņ": "zn", "šļ": "sl", "žļ": "zl", "ļņ": "ln",
    "ļļ": "ll", "č": "c", "ļ": "l", "ņ": "n",
}  # fmt: skip


def stem(word: str) -> str:
    """The stem of a lower-case word; at least three letters stay."""
    vowels = sum(char in VOWELS for char in word)
    for ending, needed in ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + 3 and vowels > int(needed[0]):
            rest = word[: -len(ending)]
            return _hardened(rest, ending) if needed.endswith("~") else rest
    return word


def _hardened(word: str, ending: str) -> str:
    if ending.startswith("u") and word.endswith(("kš", "ņņ")):
        return word[:-2] + ("kst" if word.endswith("kš") else "nn")
    for soft, hard in HARDENED.items():
        if word.endswith(soft):
            return word[: -len(soft)] + hard
    return word
