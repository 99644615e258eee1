"""Estonian (Snowball, L. Freienthal's)."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import past_syllable, suffixes, tables

VOWELS = frozenset("aeiouõäöü")
ROUND = frozenset("aeiuo")
VOICED = frozenset("cjlmnqrvwxaeiouõäöü")
UNVOICED = frozenset("kptgbdshfšzž")
LONG = ("aa", "ee", "ii", "oo", "uu", "ää", "öö", "üü", "õõ")
CASE = suffixes("sse st le lt ga ks ta t s l")
PLURAL = suffixes("ikkude ikke ike sid te de d")
DEGREE = suffixes("mai ma m")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    exception = tables("estonian")["exceptions"].beginning(word)
    if exception is not None and exception.suffix == word:
        return exception.action
    r1 = past_syllable(word, VOWELS)
    r1 = len(word) if r1 is None else r1
    word = _without_emphasis(word, r1)
    verb = _without_verb(word, r1)
    word = _substantive(word, r1) if verb is None else verb
    return _undoubled(word, r1)


def _ends_in_vowel(word: str) -> bool:
    return word[-1:] in ROUND or word.endswith(LONG) if word else False


def _without_emphasis(word: str, r1: int) -> str:
    if len(word) < 6 or not word[r1:].endswith(("gi", "ki")):
        return word
    rest = word[:-2]
    if word.endswith("gi"):
        return rest if rest[-1] in VOICED and not rest.endswith(LONG) else word
    return rest if rest[-1] in UNVOICED else word


def _without_verb(word: str, r1: int) -> str | None:
    match = tables("estonian")["verb"].ending(word, r1)
    if match is None:
        return None
    rest = match.cut(word)
    if match.region == "vowel" and (not rest or rest[-1] not in VOWELS):
        return None
    return rest + match.action.strip("-")


def _substantive(word: str, r1: int) -> str:
    special = tables("estonian")["special"].apply(word, {}, r1)
    word = word if special is None else special
    word = _without_case(word, r1)
    word = _without_plural(word, r1)
    word = _without_degree(word, r1)
    if word[r1:].endswith("i") and word[-2:-1] in ROUND and len(word) > 1:
        word = word[:-1]
    return word[:-2] if word[r1:].endswith(("nu", "tu", "du", "va")) else word


def _without_case(word: str, r1: int) -> str:
    match = CASE.ending(word, r1)
    if match is None:
        return word
    rest = match.cut(word)
    return rest if (len(rest) >= 4 if match.suffix == "t" else _ends_in_vowel(rest)) else word


def _without_plural(word: str, r1: int) -> str:
    match = PLURAL.ending(word, r1)
    if match is None:
        return word
    rest = match.cut(word)
    if match.suffix.startswith("ik"):
        return rest + "iku"
    if match.suffix == "sid":
        return word if rest.endswith(LONG) else rest
    if match.suffix == "te":
        return _without_te(rest)
    return rest if _ends_in_vowel(rest) else word


def _without_te(rest: str) -> str:
    if len(rest) < 4:
        return rest + "t"
    if rest.endswith(("mis", "las", "lis")):
        return rest + "e"
    return rest + "te" if rest.endswith("t") else rest


def _without_degree(word: str, r1: int) -> str:
    match = DEGREE.ending(word, r1)
    if match is None:
        return word
    rest = match.cut(word)
    return rest if match.suffix == "ma" or (rest and rest[-1] in ROUND) else word


def _undoubled(word: str, r1: int) -> str:
    """One k, p or t for two before the last vowel, if that lies in R1."""
    if word and word[-1] in VOWELS and len(word) - 1 >= r1 and word[:-1].endswith(("kk", "pp", "tt")):
        return word[:-2] + word[-1]
    return word
