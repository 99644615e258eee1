"""English (Snowball): Porter's first stemmer as Snowball writes it, and his second, "English"."""

from __future__ import annotations

import re
from collections.abc import Callable

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import (
    Table,
    past_syllable,
    replacements,
    suffixes,
)

VOWELS = frozenset("aeiouy")
VOWEL_Y = re.compile("([aeiouy])y")
DOUBLES = frozenset("bdfgmnprt")
BEFORE_LI = frozenset("cdeghkmnrt")
SHORT = re.compile("[^aeiouy][aeiouy][^aeiouywxY]$")
PARTICIPLE = suffixes("eed eedly ed edly ing ingly")
STEP_2 = replacements(
    "tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize ational:ate ation:ate ator:ate "
    "alism:al aliti:al alli:al fulness:ful ousli:ous ousness:ous iveness:ive iviti:ive biliti:ble bli:ble "
    "ogi:og fulli:ful lessli:less li:"
)
STEP_3 = replacements("tional:tion ational:ate alize:al icate:ic iciti:ic ical:ic ful: ness: ative:")
PORTER_STEP_2 = replacements(
    "tional:tion enci:ence anci:ance abli:able entli:ent eli:e izer:ize ization:ize ational:ate ation:ate "
    "ator:ate alism:al aliti:al alli:al fulness:ful ousli:ous ousness:ous iveness:ive iviti:ive biliti:ble"
)
PORTER_STEP_3 = replacements("alize:al icate:ic iciti:ic ical:ic ful: ness: ative:")
STEP_4 = suffixes("al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion")
PORTER_STEP_4 = suffixes("al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize ion")
WHOLE = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl",
    "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
} | {word: word for word in "sky news howe atlas cosmos bias andes".split()}  # fmt: skip
STOPS = frozenset("inning outing canning herring earring proceed exceed succeed".split())


def stem(word: str) -> str:
    """The stem of a lower-case word by the second algorithm."""
    if word in WHOLE:
        return WHOLE[word]
    if len(word) < 3:
        return word
    word = _mark_y(word.removeprefix("'"))
    r1, r2 = _regions(word)
    word = _possessive_and_plural(word)
    if word not in STOPS:
        word = _participle(word, r1)
        if len(word) > 2 and word[-1] in "yY" and word[-2] not in VOWELS:
            word = word[:-1] + "i"
        word = _step_2(word, r1)
        word = _step_3(word, r1, r2)
        word = _step_4(word, r2, STEP_4)
        word = _without_e(word, r1, r2, _is_short) if word.endswith("e") else _single_l(word, r2)
    return word.replace("Y", "y")


def porter_stem(word: str) -> str:
    """The stem of a lower-case word by the first algorithm; short words are not spared."""
    word = _mark_y(word)
    r1 = _behind_syllable(word, 0)
    r2 = _behind_syllable(word, r1)
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    word = _porter_participle(word, r1)
    if word.endswith(("y", "Y")) and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, PORTER_STEP_2, r1)
    word = _replaced(word, PORTER_STEP_3, r1)
    word = _step_4(word, r2, PORTER_STEP_4)
    return _single_l(_without_e(word, r1, r2, SHORT.search), r2).replace("Y", "y")


def _mark_y(word: str) -> str:
    """A capital for each y that is a consonant."""
    return VOWEL_Y.sub(r"\1Y", "Y" + word[1:] if word.startswith("y") else word)


def _behind_syllable(word: str, start: int) -> int:
    place = past_syllable(word, VOWELS, start)
    return len(word) if place is None else place


def _regions(word: str) -> tuple[int, int]:
    exception = next((p for p in ("gener", "commun", "arsen") if word.startswith(p)), None)
    r1 = _behind_syllable(word, 0) if exception is None else len(exception)
    return r1, _behind_syllable(word, r1)


def _has_vowel(word: str) -> bool:
    return any(letter in VOWELS for letter in word)


def _is_short(word: str) -> bool:
    """Ends in a short syllable."""
    return bool(SHORT.search(word)) or (len(word) == 2 and word[0] in VOWELS and word[1] not in VOWELS)


def _possessive_and_plural(word: str) -> str:
    word = next((word.removesuffix(s) for s in ("'s'", "'s", "'") if word.endswith(s)), word)
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")) or not word.endswith("s"):
        return word
    return word[:-1] if _has_vowel(word[:-2]) else word


def _participle(word: str, r1: int) -> str:
    match = PARTICIPLE.ending(word)
    if match is None:
        return word
    rest = match.cut(word)
    if match.suffix.startswith("eed"):
        return rest + "ee" if len(rest) >= r1 else word
    return _completed(rest, r1) if _has_vowel(rest) else word


def _porter_participle(word: str, r1: int) -> str:
    if word.endswith("eed"):
        return word[:-1] if len(word) - 3 >= r1 else word
    rest = next((word.removesuffix(s) for s in ("ed", "ing") if word.endswith(s)), None)
    if rest is None or not _has_vowel(rest):
        return word
    if len(rest) == r1 and SHORT.search(rest) and not _ends_as_participle(rest):
        return rest + "e"
    return _completed(rest, -1)


def _ends_as_participle(rest: str) -> bool:
    return rest.endswith(("at", "bl", "iz")) or (
        len(rest) > 1 and rest[-1] == rest[-2] and rest[-1] in DOUBLES
    )


def _completed(rest: str, r1: int) -> str:
    """What is left of a participle, with its e back or its last letter single."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and rest[-1] in DOUBLES:
        # add, egg, off keep both letters in the second algorithm
        return rest if r1 >= 0 and len(rest) == 3 and rest[0] in "aeo" else rest[:-1]
    return rest + "e" if len(rest) == r1 and _is_short(rest) else rest


def _step_2(word: str, r1: int) -> str:
    match = STEP_2.ending(word)
    if match is None or match.start(word) < r1:
        return word
    before = word[match.start(word) - 1 : match.start(word)]
    if (match.suffix == "ogi" and before != "l") or (match.suffix == "li" and before not in BEFORE_LI):
        return word
    return match.cut(word, match.action.strip("-"))


def _step_3(word: str, r1: int, r2: int) -> str:
    if word.endswith("ative"):
        return word[:-5] if len(word) - 5 >= r2 and len(word) - 5 >= r1 else word
    return _replaced(word, STEP_3, r1)


def _replaced(word: str, table: Table, region: int) -> str:
    match = table.ending(word)
    if match is None or match.start(word) < region:
        return word
    return match.cut(word, match.action.strip("-"))


def _step_4(word: str, r2: int, table: Table) -> str:
    match = table.ending(word)
    if match is None or match.start(word) < r2:
        return word
    rest = match.cut(word)
    return word if match.suffix == "ion" and not rest.endswith(("s", "t")) else rest


def _without_e(word: str, r1: int, r2: int, short: Callable[[str], object]) -> str:
    rest = word[:-1]
    removable = word.endswith("e") and (len(rest) >= r2 or (len(rest) >= r1 and not short(rest)))
    return rest if removable else word


def _single_l(word: str, r2: int) -> str:
    return word[:-1] if word.endswith("ll") and len(word) - 1 >= r2 else word
