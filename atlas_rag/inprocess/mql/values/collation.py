"""Text compared by the rules of a language: English, which are those of the root collation.

A text becomes a key; keys compare as the texts do. Base letters decide first, then accents, then case, each
at a strength of its own.

Source: Unicode Technical Standard 10 (levels of comparison), with the order of the common signs and accents
as a server of release 6.0 (ICU 57) sorts them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_SIGNS = "\t\n\v\f\r\x85\u2028\u2029 \u00a0_-–—,;:!?.…'‘’\"“”()[]{}@*/\\&#%`´^¯+±<=>|~"
_CURRENCIES = "¤¢$£¥"
_ACCENTS = "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304"
_SPELLED = {"æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "œ": "oe", "ß": "ss", "ς": "σ"}

# Where the kinds of characters begin in keys; the signs above stand below all of them.
_OTHER_SIGNS, _MONEY, _DIGITS, _LETTERS = 0x1000, 0x31000, 0x32000, 0x33000
_ACCENT = 3  # above the mark of a base letter (2), which stands above the end of a level (1)
_KATAKANA = range(0x30A1, 0x30F7)


@dataclass(frozen=True)
class Collation:
    """Rules of comparison.

    Args:
        strength: 1 for base letters only, 2 with accents, 3 with case.
    """

    strength: int

    def key(self, text: str) -> str:
        """Returns what compares as the text does."""
        return _key(text, self.strength)

    def folded(self, value: Any) -> Any:
        """Returns a value with every text in it replaced by its key; names of fields stay."""
        kind = type(value)
        if kind is str:
            return _key(value, self.strength)
        if kind is list:
            return [self.folded(item) for item in value]
        if isinstance(value, Mapping):
            return {name: self.folded(inner) for name, inner in value.items()}
        return value


@lru_cache(4096)
def _key(text: str, strength: int) -> str:
    bases: list[str] = []
    accents: list[str] = []
    cases: list[str] = []
    for letter in text:
        spelled = _SPELLED.get(letter.lower(), letter)
        for part in unicodedata.normalize("NFKD", spelled):
            if unicodedata.combining(part):
                accents.append(_accent(part))
            else:
                bases.append(_base(part))
                accents.append(chr(_ACCENT - 1))
                cases.append(_case(letter, part))
        if spelled is not letter:
            accents.append(chr(_ACCENT + len(_ACCENTS)))
    levels = ("".join(bases), "".join(accents), "".join(cases))
    return "\x01".join(levels[:strength])


def _base(letter: str) -> str:
    """Returns the place of a base letter: signs, money, digits, letters."""
    if (place := _SIGNS.find(letter)) >= 0:
        return chr(place + _ACCENT)
    if (place := _CURRENCIES.find(letter)) >= 0:
        return chr(_MONEY + place)
    kind = unicodedata.category(letter)
    if kind == "Sc":
        return chr(_MONEY + len(_CURRENCIES) + ord(letter) % 0x800)
    if kind == "Nd":
        return chr(_DIGITS + unicodedata.digit(letter))
    if kind[0] in "ZPSC":
        return chr(_OTHER_SIGNS + ord(letter))
    lower = letter.lower()[0]
    place = ord(lower) - 0x60 if ord(lower) in _KATAKANA else ord(lower)
    return chr(_LETTERS + place)


def _accent(mark: str) -> str:
    place = _ACCENTS.find(mark)
    return chr(_ACCENT + (place if place >= 0 else ord(mark)))


def _case(letter: str, part: str) -> str:
    """Small letters come first, then letters of another form, then capitals."""
    if letter.isupper() or ord(part) in _KATAKANA:
        return "2"
    return "0" if unicodedata.normalize("NFD", letter)[0] == part else "1"
