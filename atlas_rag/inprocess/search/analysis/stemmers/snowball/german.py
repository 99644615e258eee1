"""German (Snowball); umlauts may be spelled ae, oe, ue."""

from __future__ import annotations

import re

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import germanic_r1, past_syllable, suffixes

VOWELS = frozenset("aeiouyäöü")
BEFORE_S = frozenset("bdfghklmnrt")
BEFORE_ST = BEFORE_S - {"r"}
CASE = suffixes("em ern er e en es s")
DEGREE = suffixes("en er est st")
DERIVED = suffixes("end ung ig isch ik lich heit keit")
BETWEEN_VOWELS = re.compile("([aeiouyäöü])([uy])(?=[aeiouyäöü])")
SPELLINGS = {"ß": "ss", "ae": "ä", "oe": "ö", "ue": "ü", "qu": "qu"}
SPELLING = re.compile("|".join(SPELLINGS))
PLAIN = str.maketrans("YUäöü", "yuaou")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    word = BETWEEN_VOWELS.sub(lambda m: m[1] + m[2].upper(), word)
    word = SPELLING.sub(lambda m: SPELLINGS[m[0]], word)
    r1 = germanic_r1(word, VOWELS)
    r2 = past_syllable(word, VOWELS, past_syllable(word, VOWELS)) if len(word) >= 3 else None
    r2 = len(word) if r2 is None else r2
    word = _case(word, r1)
    word = _degree(word, r1)
    return _derived(word, r1, r2).translate(PLAIN)


def _case(word: str, r1: int) -> str:
    match = CASE.ending(word)
    if match is None or match.start(word) < r1:
        return word
    rest = match.cut(word)
    if match.suffix == "s":
        return rest if rest[-1:] in BEFORE_S else word
    if match.suffix == "em":
        return word if rest.endswith("syst") else rest
    if match.suffix in ("e", "en", "es") and rest.endswith("niss"):
        return rest[:-1]
    return rest


def _degree(word: str, r1: int) -> str:
    match = DEGREE.ending(word)
    if match is None or match.start(word) < r1:
        return word
    rest = match.cut(word)
    if match.suffix == "st":
        return rest if rest[-1:] in BEFORE_ST and len(rest) > 3 else word
    return rest


def _derived(word: str, r1: int, r2: int) -> str:
    match = DERIVED.ending(word)
    if match is None or match.start(word) < r2:
        return word
    rest = match.cut(word)
    if match.suffix in ("ig", "isch", "ik"):
        return word if rest.endswith("e") else rest
    if match.suffix in ("end", "ung"):
        outside = not rest.endswith("ig") or rest.endswith("eig") or len(rest) - 2 < r2
        return rest if outside else rest[:-2]
    if match.suffix in ("lich", "heit"):
        return rest[:-2] if rest.endswith(("er", "en")) and len(rest) - 2 >= r1 else rest
    for ending in ("lich", "ig"):
        if rest.endswith(ending):
            return rest.removesuffix(ending) if len(rest) - len(ending) >= r2 else rest
    return rest
