"""Danish, Norwegian and Swedish (Snowball)."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import germanic_r1, suffixes, tables

DANISH_VOWELS = frozenset("aeiouyæåø")
DANISH_CONSONANTS = frozenset("bcdfghjklmnpqrstvwxz")
DANISH_BEFORE_S = frozenset("abcdfghjklmnoprtvyzå")
DANISH_PAIRS = suffixes("gd dt gt kt")
DANISH_OTHER = suffixes("ig lig elig els løst")
NORWEGIAN_BEFORE_S = frozenset("bcdfghjlmnoprtvyz")
NORWEGIAN_PAIRS = suffixes("dt vt")
NORWEGIAN_OTHER = suffixes("leg eleg ig eig lig elig els lov elov slov hetslov")
SWEDISH_VOWELS = frozenset("aeiouyäåö")
SWEDISH_BEFORE_S = frozenset("bcdfghjklmnoprtvy")
SWEDISH_BEFORE_OST = frozenset("iklnprtuv")
SWEDISH_PAIRS = suffixes("dd gd nn dt gt kt tt")
SWEDISH_OTHER = suffixes("lig ig els öst fullt")


def danish_stem(word: str) -> str:
    """The stem of a lower-case Danish word."""
    r1 = germanic_r1(word, DANISH_VOWELS)
    word = _main(word, "danish", r1, DANISH_BEFORE_S)
    word = _danish_pair(word, r1)
    if word.endswith("igst"):
        word = word[:-2]
    match = DANISH_OTHER.ending(word, r1)
    if match is not None:
        word = word[:-1] if match.suffix == "løst" else _danish_pair(match.cut(word), r1)
    if len(word) > max(r1, 1) and word[-1] in DANISH_CONSONANTS and word[-1] == word[-2]:
        word = word[:-1]
    return word


def norwegian_stem(word: str) -> str:
    """The stem of a lower-case Norwegian word."""
    r1 = germanic_r1(word, DANISH_VOWELS)
    match = tables("norwegian")["main"].ending(word, r1)
    if match is not None and match.action == "s":
        after_k = word[-2:-1] == "k" and word[-3:-2] != "" and word[-3:-2] not in DANISH_VOWELS
        word = word[:-1] if word[-2:-1] in NORWEGIAN_BEFORE_S or after_k else word
    elif match is not None:
        word = match.cut(word, match.action.strip("-"))
    if NORWEGIAN_PAIRS.ending(word, r1):
        word = word[:-1]
    match = NORWEGIAN_OTHER.ending(word, r1)
    return word if match is None else match.cut(word)


def swedish_stem(word: str) -> str:
    """The stem of a lower-case Swedish word."""
    r1 = germanic_r1(word, SWEDISH_VOWELS)
    word = _main(word, "swedish", r1, SWEDISH_BEFORE_S)
    if SWEDISH_PAIRS.ending(word, r1):
        word = word[:-1]
    match = SWEDISH_OTHER.ending(word, r1)
    if match is None:
        return word
    if match.suffix == "fullt":
        return word[:-1]
    if match.suffix == "öst":
        return word[:-1] if word[-4:-3] in SWEDISH_BEFORE_OST else word
    return match.cut(word)


def _main(word: str, language: str, r1: int, before_s: frozenset[str]) -> str:
    """Takes the longest inflection off; a lone s only behind certain letters."""
    match = tables(language)["main"].ending(word, r1)
    if match is None or (match.action == "s" and word[-2:-1] not in before_s):
        return word
    return match.cut(word)


def _danish_pair(word: str, r1: int) -> str:
    return word[:-1] if DANISH_PAIRS.ending(word, r1) else word
