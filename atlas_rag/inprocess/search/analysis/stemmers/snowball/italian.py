"""Italian (Snowball)."""

from __future__ import annotations

import re

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import (
    AT,
    Regions,
    romance_regions,
    suffixes,
    tables,
    without_amente,
    without_optional,
)

VOWELS = frozenset("aeiouàèìòù")
GRAVE = str.maketrans("áéíóú", "àèìòù")
BETWEEN_VOWELS = re.compile("([aeiouàèìòù])([ui])(?=[aeiouàèìòù])")
BEFORE_PRONOUN = suffixes("ando endo ar er ir")
AFTER_AMENTE = suffixes("iv os ic abil")
AFTER_ITA = suffixes("abil ic iv")
IC = suffixes("ic")
FINAL_VOWELS = frozenset("aeioàèìò")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    word = word.translate(GRAVE).replace("qu", "qU")
    word = BETWEEN_VOWELS.sub(lambda m: m[1] + m[2].upper(), word)
    regions = romance_regions(word, VOWELS)
    if word.startswith("divan"):  # a sofa is no diva
        regions["rv"] = 5
    rv = regions["rv"]
    word = _without_pronoun(word, rv)
    word = _standard(word, regions) or tables("italian")["verb"].apply(word, {}, rv) or word
    return _without_vowel(word, rv).replace("I", "i").replace("U", "u")


def _without_pronoun(word: str, rv: int) -> str:
    match = tables("italian")["pronoun"].ending(word)
    rest = word if match is None else match.cut(word)
    verb = BEFORE_PRONOUN.ending(rest)
    if match is None or verb is None or verb.start(rest) < rv:
        return word
    return rest if verb.suffix.endswith("o") else rest + "e"


def _standard(word: str, regions: Regions) -> str | None:
    match = tables("italian")["standard"].ending(word)
    if match is None or match.start(word) < regions[match.region]:
        return None
    rest, r2 = match.cut(word), regions["r2"]
    if match.action == "amente":
        return without_amente(rest, AFTER_AMENTE, r2)
    if match.action == "ità":
        return without_optional(rest, AFTER_ITA, r2)
    if match.action == "azione":
        return without_optional(rest, IC, r2)
    if match.action == "ivo":
        shorter = without_optional(rest, AT, r2)
        return without_optional(shorter, IC, r2) if shorter != rest else rest
    return rest + match.action.strip("-")


def _without_vowel(word: str, rv: int) -> str:
    """Without a final vowel, an i before it, and the h of -ch- and -gh-."""
    if word and word[-1] in FINAL_VOWELS and len(word) - 1 >= rv:
        word = word[:-1]
        if word.endswith("i") and len(word) - 1 >= rv:
            word = word[:-1]
    return word[:-1] if word.endswith(("ch", "gh")) and len(word) - 2 >= rv else word
