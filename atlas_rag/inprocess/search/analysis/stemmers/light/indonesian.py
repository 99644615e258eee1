"""Indonesian stemming.

Source: F. Tala, A study of stemming effects on information retrieval in Bahasa Indonesia, 2003.
"""

from __future__ import annotations

VOWELS = frozenset("aeiou")
FIRST_ORDER = (  # prefix, needs a vowel behind it, what stays, family
    ("meng", False, "", "meng"),
    ("meny", True, "s", "meng"),
    ("men", False, "", "meng"),
    ("mem", False, "", "meng"),
    ("me", False, "", "meng"),
    ("peng", False, "", "peng"),
    ("peny", True, "s", "peng"),
    ("peny", False, "", "peng"),
    ("pen", True, "t", "peng"),
    ("pen", False, "", "peng"),
    ("pem", False, "", "peng"),
    ("di", False, "", "di"),
    ("ter", False, "", "ter"),
    ("ke", False, "", "ke"),
)


class _Word:
    """A word on its way, with the syllables left and the prefix families taken off."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.syllables = sum(char in VOWELS for char in text)
        self.removed: set[str] = set()

    def cut(self, start: int, end: int, family: str = "", put: str = "") -> bool:
        self.text = put + self.text[start : len(self.text) - end]
        self.syllables -= 1
        self.removed.add(family)
        return True


def stem(text: str) -> str:
    """The stem of a lower-case word: affixes go while more than two syllables are left."""
    word = _Word(text)
    if word.syllables > 2 and text.endswith(("kah", "lah", "pun")):
        word.cut(0, 3)
    if word.syllables > 2 and word.text.endswith(("ku", "mu", "nya")):
        word.cut(0, 3 if word.text.endswith("nya") else 2)
    if word.syllables > 2 and _first_order_prefix(word):
        if word.syllables > 2 and _suffix(word) and word.syllables > 2:
            _second_order_prefix(word)
    else:
        if word.syllables > 2:
            _second_order_prefix(word)
        if word.syllables > 2:
            _suffix(word)
    return word.text


def _first_order_prefix(word: _Word) -> bool:
    for prefix, before_vowel, put, family in FIRST_ORDER:
        if not word.text.startswith(prefix):
            continue
        if before_vowel and word.text[len(prefix) : len(prefix) + 1] not in VOWELS:
            continue
        return word.cut(len(prefix), 0, family, put)
    return False


def _second_order_prefix(word: _Word) -> bool:
    text = word.text
    if text.startswith("ber") or text == "belajar":
        return word.cut(3, 0, "ber")
    if text.startswith("be") and text[3:5] == "er" and text[2] not in VOWELS:
        return word.cut(2, 0, "ber")
    if text.startswith("per") or text == "pelajar":
        return word.cut(3, 0)
    return text.startswith("pe") and word.cut(2, 0, "pe")


def _suffix(word: _Word) -> bool:
    text, removed = word.text, word.removed
    if text.endswith("kan") and not removed & {"ke", "peng", "pe"}:
        return word.cut(0, 3)
    if text.endswith("an") and not removed & {"di", "meng", "ter"}:
        return word.cut(0, 2)
    if text.endswith("i") and not text.endswith("si") and not removed & {"ber", "ke", "peng"}:
        return word.cut(0, 1)
    return False
