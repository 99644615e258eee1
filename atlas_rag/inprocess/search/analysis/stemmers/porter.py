"""Porter's stemmer for English, the 1980 paper with its author's two later departures.

Source: M. F. Porter, An algorithm for suffix stripping, Program 14 (3), 1980, and
tartarus.org/martin/PorterStemmer (bli -> ble instead of abli -> able, and logi -> log).
"""

from __future__ import annotations


class _Shapes(dict[int, str]):
    """For `str.translate`: v for a vowel, c for anything else; y is left to `_shape`."""

    def __missing__(self, code: int) -> str:
        return "c"


class _Endings:
    """Suffixes and what stands for them.

    Args:
        pairs: `suffix:replacement`, with nothing behind the colon to delete.
    """

    def __init__(self, pairs: str) -> None:
        self.replacement = dict(pair.split(":") for pair in pairs.split())
        self._tails = {suffix[-2:] for suffix in self.replacement}
        self._lengths = sorted({len(suffix) for suffix in self.replacement}, reverse=True)

    def longest(self, word: str) -> str | None:
        """The longest suffix of the word, None if it has none."""
        if word[-2:] not in self._tails:
            return None
        return next((word[-n:] for n in self._lengths if word[-n:] in self.replacement), None)


SHAPES = _Shapes.fromkeys(map(ord, "aeiou"), "v")
STEP_2 = _Endings(
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous "
    "ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous "
    "aliti:al iviti:ive biliti:ble logi:log"
)
STEP_3 = _Endings("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:")
STEP_4 = _Endings(
    "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: ive: ize:"
)


def stem(word: str) -> str:
    """The stem of a lower-case word; words of one or two letters stay."""
    if len(word) <= 2:
        return word
    word = _plural(word)
    word = _past_and_gerund(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, STEP_2)
    word = _replace(word, STEP_3)
    word = _remove(word)
    return _tidy(word)


def _shape(stem: str) -> str:
    """The stem as v and c: y is a vowel after a consonant."""
    if "y" not in stem:
        return stem.translate(SHAPES)
    shape = ""
    for letter in stem:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(stem: str) -> int:
    """How often a consonant follows a vowel."""
    return _shape(stem).count("vc")


def _has_vowel(stem: str) -> bool:
    return "v" in _shape(stem)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _shape(word).endswith("c")


def _ends_short(word: str) -> bool:
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past_and_gerund(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for suffix in ("ed", "ing"):
        rest = word[: -len(suffix)]
        if word.endswith(suffix) and _has_vowel(rest):
            if rest.endswith(("at", "bl", "iz")):
                return rest + "e"
            if _ends_double(rest):
                return rest if rest[-1] in "lsz" else rest[:-1]
            return rest + "e" if _measure(rest) == 1 and _ends_short(rest) else rest
    return word


def _replace(word: str, endings: _Endings) -> str:
    suffix = endings.longest(word)
    if suffix is None:
        return word
    rest = word[: -len(suffix)]
    return rest + endings.replacement[suffix] if _measure(rest) else word


def _remove(word: str) -> str:
    suffix = STEP_4.longest(word)
    if suffix is None:
        return word
    rest = word[: -len(suffix)]
    if _measure(rest) < 2 or (suffix == "ion" and not rest.endswith(("s", "t"))):
        return word
    return rest


def _tidy(word: str) -> str:
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word
