"""Dutch (Snowball, M. Porter's)."""

from __future__ import annotations

import re

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import germanic_r1, past_syllable, suffixes

VOWELS = frozenset("aeiouyè")
ACCENTS = str.maketrans("äáëéïíöóüú", "aaeeiioouu")
CONSONANTAL = re.compile("([aeiouyè])(?:(i)(?=[aeiouyè])|y)")
PLURAL = suffixes("heden ene en se s")
DERIVED = suffixes("end ing ig lijk baar bar")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    word = word.translate(ACCENTS)
    if word.startswith("y"):
        word = "Y" + word[1:]
    word = CONSONANTAL.sub(lambda m: m[1] + ("I" if m[2] else "Y"), word)
    r1 = germanic_r1(word, VOWELS)
    r2 = past_syllable(word, VOWELS, past_syllable(word, VOWELS)) if len(word) >= 3 else None
    r2 = len(word) if r2 is None else r2
    word = _plural(word, r1)
    word, had_e = _without_e(word, r1)
    if word.endswith("heid") and len(word) - 4 >= r2 and word[-5:-4] != "c":
        word = _without_en(word[:-4], 2, r1) if word[:-4].endswith("en") else word[:-4]
    word = _derived(word, r1, r2, had_e)
    if _ends_long_vowel(word):
        word = word[:-2] + word[-1]
    return word.replace("Y", "y").replace("I", "i")


def _undouble(word: str) -> str:
    return word[:-1] if word.endswith(("kk", "dd", "tt")) else word


def _without_e(word: str, r1: int) -> tuple[str, bool]:
    if word.endswith("e") and len(word) - 1 >= r1 and len(word) > 1 and word[-2] not in VOWELS:
        return _undouble(word[:-1]), True
    return word, False


def _without_en(word: str, length: int, r1: int) -> str:
    rest = word[:-length]
    if len(rest) < r1 or not rest or rest[-1] in VOWELS or rest.endswith("gem"):
        return word
    return _undouble(rest)


def _plural(word: str, r1: int) -> str:
    match = PLURAL.ending(word)
    if match is None:
        return word
    if match.suffix in ("en", "ene"):
        return _without_en(word, len(match.suffix), r1)
    rest = match.cut(word)
    if len(rest) < r1:
        return word
    if match.suffix == "heden":
        return rest + "heid"
    return rest if rest and rest[-1] not in VOWELS and rest[-1] != "j" else word


def _derived(word: str, r1: int, r2: int, had_e: bool) -> str:
    match = DERIVED.ending(word)
    if match is None or match.start(word) < r2:
        return word
    rest = match.cut(word)
    if match.suffix in ("end", "ing"):
        ig = rest.endswith("ig") and len(rest) - 2 >= r2 and not rest.endswith("eig")
        return rest[:-2] if ig else _undouble(rest)
    if match.suffix == "ig":
        return word if rest.endswith("e") else rest
    if match.suffix == "lijk":
        return _without_e(rest, r1)[0]
    return rest if match.suffix == "baar" or had_e else word


def _ends_long_vowel(word: str) -> bool:
    """A consonant, a doubled vowel, a consonant."""
    return (
        len(word) > 3
        and word[-1] not in VOWELS
        and word[-1] != "I"
        and word[-3:-1] in ("aa", "ee", "oo", "uu")
        and word[-4] not in VOWELS
    )
