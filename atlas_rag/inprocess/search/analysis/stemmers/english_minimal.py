"""English plurals only.

Source: D. Harman, How effective is suffixing?, 1991 (the S stemmer).
"""

from __future__ import annotations


def stem(word: str) -> str:
    """The singular of a lower-case word; words under three letters stay."""
    if len(word) < 3 or not word.endswith("s") or word[-2] in "us":
        return word
    if word.endswith("es"):
        if len(word) > 3 and word[-3] == "i" and word[-4] not in "ae":
            return word[:-3] + "y"
        if word[-3] in "iaoe":
            return word
    return word[:-1]
