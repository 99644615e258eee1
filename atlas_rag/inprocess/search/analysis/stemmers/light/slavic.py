"""Bulgarian and Czech light stemming.

Source: J. Savoy, Searching strategies for the Bulgarian language, 2007; L. Dolamic, J. Savoy, Indexing and
stemming approaches for the Czech language, 2009.
"""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.ordered import rules, strip_first

BULGARIAN_ARTICLE = rules("""
6 3 ият
5 2 ът то те та ия
4 2 ят
""")
BULGARIAN_PLURAL = rules("""
6 3 овци ове
6 3+й еве
5 3 ища
5 2 та
5 2+к ци
5 2+г зи
""")
BULGARIAN_SHORT_PLURAL = rules("""
4 2+х си
4 1 и
""")
CZECH_CASE = rules("""
7 5 atech
6 4 ětem etem atům
5 3 ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými
4 2 em es ém ím ům at ám os us ým mi ou
3 1 a e i o u ů y á é í ý ě
""")
CZECH_POSSESSIVE = rules("5 2 ov in ův")
CZECH_ENDING = rules("""
0 2+ck čt
0 2+sk št
0 1+k c č
0 1+h z ž
""")


def bulgarian_stem(word: str) -> str:
    """The stem of a lower-case Bulgarian word; words under four letters stay."""
    if len(word) < 4:
        return word
    if len(word) > 5 and word.endswith("ища"):
        return word[:-3]
    word = _bulgarian_plural(strip_first(word, BULGARIAN_ARTICLE))
    if len(word) > 3:
        word = word.removesuffix("я")
        if word.endswith(("а", "о", "е")):
            word = word[:-1]
    if len(word) > 4 and word.endswith("ен"):
        word = word[:-2] + "н"
    if len(word) > 5 and word[-2] == "ъ":
        word = word[:-2] + word[-1]
    return word


def _bulgarian_plural(word: str) -> str:
    stripped = strip_first(word, BULGARIAN_PLURAL)
    if stripped != word:
        return stripped
    if len(word) > 5 and word[-3] == "е" and word[-1] == "и":
        return word[:-3] + "я" + word[-2]
    return strip_first(word, BULGARIAN_SHORT_PLURAL)


def czech_stem(word: str) -> str:
    """The stem of a lower-case Czech word with its diacritics."""
    word = strip_first(strip_first(word, CZECH_CASE), CZECH_POSSESSIVE)
    ended = strip_first(word, CZECH_ENDING)
    if ended != word:
        return ended
    if len(word) > 1 and word[-2] == "e":
        return word[:-2] + word[-1]
    if len(word) > 2 and word[-2] == "ů":
        return word[:-2] + "o" + word[-1]
    return word
