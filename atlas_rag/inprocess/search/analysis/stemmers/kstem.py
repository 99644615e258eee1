"""Krovetz's stemmer for English: an ending goes where the dictionary knows what is left.

Source: R. Krovetz, Viewing morphology as an inference process, SIGIR 1993; word list and order of rules as in
the CIIR's KStem.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable
from functools import cache
from importlib.resources import files

MAX_LETTERS = 49
EXCEPTIONS = frozenset(
    """aide bathe caste cute dame dime doge done dune envelope gage grille grippe lobe mane mare nape node
    pane pate plane pope programme quite ripe rote rune sage severe shoppe sine slime snipe steppe suite
    swinge tare tine tope tripe twine""".split()
)


@cache
def _dictionary() -> dict[str, str]:
    """Every known word, with its root."""
    folder = files(__package__.rpartition(".")[0]) / "data"
    words = lzma.decompress((folder / "kstem_words.xz").read_bytes()).decode("ascii").split()
    pairs = (pair.split(":") for pair in (folder / "kstem_roots.txt").read_text("ascii").split())
    known = {word: word for word in (*words, *EXCEPTIONS)}
    known.update((word, root) for word, root in pairs)
    return known


def stem(word: str) -> str:
    """The stem of a lower-case word of 3 to 49 letters a to z; other terms stay as they are."""
    if not 2 < len(word) <= MAX_LETTERS:
        return word
    if word in _dictionary():
        return _dictionary()[word]
    if not (word.isascii() and word.isalpha() and word.islower()):
        return word
    return _Stemming(word).result()


def _is_consonant(word: str, place: int) -> bool:
    if word[place] in "aeiou":
        return False
    return word[place] != "y" or place == 0 or not _is_consonant(word, place - 1)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


class _Stemming:
    """A word on its way; every rule leaves `word` as it wants it and `found` if the dictionary knows it."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.found = False

    def result(self) -> str:
        for rule in RULES:
            rule(self)
            if self.found:
                return _dictionary()[self.word]
        return self.word

    def try_all(self, *candidates: str) -> bool:
        """Looks the candidates up until one is found; the word is then that one, else the last."""
        for candidate in candidates:
            self.word = candidate
            self.found = candidate in _dictionary()
            if self.found:
                return True
        return False

    def try_or(self, fallback: str, *candidates: str) -> bool:
        """The same, but the word is `fallback` if none is found."""
        if self.try_all(*candidates):
            return True
        self.word = fallback
        return False

    def stem(self, ending: str) -> str | None:
        """What stands before the ending; at least one letter."""
        if len(self.word) > len(ending) and self.word.endswith(ending):
            return self.word[: -len(ending)]
        return None


def _single(stem: str) -> list[str]:
    """The stem with its double consonant single, if it has one."""
    return [stem[:-1]] if _ends_double(stem) else []


def _plural(s: _Stemming) -> None:
    word = s.word
    if (stem := s.stem("ies")) is not None:
        s.try_all(stem + "ie", stem + "y")
    elif (stem := s.stem("es")) is not None:
        with_e = len(stem) > 1 and not stem.endswith("ss")
        if with_e:
            s.try_or(stem + "e", stem + "e", stem)
        elif not s.try_all(stem):
            s.try_all(stem + "e")
    elif len(word) > 3 and word.endswith("s") and word[-2] != "s" and not word.endswith("ous"):
        s.try_all(word[:-1])


def _has_vowel(stem: str) -> bool:
    return any(not _is_consonant(stem, place) for place in range(len(stem)))


def _known_verb(s: _Stemming, stem: str) -> bool:
    """Whether the verb is settled: with an e, as it is, or by its double consonant."""
    if stem + "e" not in EXCEPTIONS and s.try_all(stem + "e"):
        return True
    if s.try_all(stem):
        return True
    if _ends_double(stem):
        s.try_or(stem, stem[:-1])
        return True
    return False


def _past(s: _Stemming) -> None:
    word = s.word
    if len(word) <= 4:
        return
    if (stem := s.stem("ied")) is not None:
        s.try_all(stem + "ie", stem + "y")
        return
    stem = s.stem("ed")
    if stem is not None and _has_vowel(stem) and not _known_verb(s, stem):
        s.word = word if word.startswith("un") else stem + "e"


def _aspect(s: _Stemming) -> None:
    stem = s.stem("ing") if len(s.word) > 5 else None
    if stem is None or not _has_vowel(stem) or _known_verb(s, stem):
        return
    last = len(stem) - 1
    two_consonants = last > 0 and _is_consonant(stem, last) and _is_consonant(stem, last - 1)
    s.word = stem if two_consonants else stem + "e"


def _ity(s: _Stemming) -> None:
    word, stem = s.word, s.stem("ity")
    if stem is None or s.try_all(stem, stem + "e"):
        return
    if len(stem) > 1 and stem.endswith("il"):
        s.try_all(stem[:-2] + "le")
    elif len(stem) > 1 and stem.endswith("iv"):
        s.try_all(stem + "e")
    elif len(stem) > 1 and stem.endswith("al"):
        s.try_all(stem)
    else:
        s.try_or(stem, word)


def _ness(s: _Stemming) -> None:
    if (stem := s.stem("ness")) is not None:
        s.try_all(stem[:-1] + "y" if stem.endswith("i") else stem)


def _ion(s: _Stemming) -> None:
    word = s.word
    if s.stem("ion") is None:
        return
    if (stem := s.stem("ization")) is not None:
        s.try_all(stem + "ize")
        return
    if (stem := s.stem("ition")) is not None:
        if s.try_or(word, stem + "e"):
            return
    elif (stem := s.stem("ation")) is not None and s.try_or(word, stem + "ate", stem + "e", stem):
        return
    if (stem := s.stem("ication")) is not None and s.try_or(word, stem + "y"):
        return
    stem = word[:-3]
    s.try_or(word, stem + "e", stem)


def _er_or(s: _Stemming) -> None:
    word = s.word
    if (stem := s.stem("izer")) is not None:
        s.try_all(stem + "ize")
        return
    stem = s.stem("er") or s.stem("or")
    if stem is None:
        return
    vowel = word[-2]
    candidates = _single(stem)
    if stem.endswith("i"):
        candidates.append(stem[:-1] + "y")
        vowel = "e"  # an -ior is tried as -ie from here on
    elif stem.endswith("e"):
        candidates.append(stem[:-1])
    s.try_or(word, *candidates, stem + vowel, stem, stem + "e")


def _ly(s: _Stemming) -> None:
    word, stem = s.word, s.stem("ly")
    if stem is None or s.try_all(stem + "le", stem):
        return
    if len(stem) > 1 and stem.endswith("al"):
        return
    if len(stem) > 1 and stem.endswith("ab"):
        s.word = word[:-1] + "e"
        return
    if stem.endswith("i") and s.try_all(stem[:-1] + "y"):
        return
    s.word = stem


def _al(s: _Stemming) -> None:
    word, stem = s.word, s.stem("al")
    if len(word) < 4 or stem is None or s.try_or(word, stem, *_single(stem), stem + "e", stem + "um"):
        return
    if len(stem) > 1 and stem.endswith("ic"):
        s.try_all(stem[:-2], stem[:-2] + "y", stem)
    elif stem.endswith("i"):
        s.try_all(stem[:-1], word)


def _ive(s: _Stemming) -> None:
    word, stem = s.word, s.stem("ive")
    if stem is None or s.try_all(stem, stem + "e"):
        return
    if len(stem) > 1 and stem.endswith("at") and s.try_all(stem[:-2] + "e", stem[:-2]):
        return
    s.try_or(word, stem + "ion")


def _ize(s: _Stemming) -> None:
    word, stem = s.word, s.stem("ize")
    if stem is not None:
        s.try_or(word, stem, *_single(stem), stem + "e")


def _ment(s: _Stemming) -> None:
    word, stem = s.word, s.stem("ment")
    if stem is not None:
        s.try_or(word, stem)


def _ble(s: _Stemming) -> None:
    word, stem = s.word, s.stem("ble")
    if stem is not None and stem[-1] in "ai":
        stem = stem[:-1]
        s.try_or(word, stem, *_single(stem), stem + "e", stem + "ate")


def _ism(s: _Stemming) -> None:
    if (stem := s.stem("ism")) is not None:
        s.try_all(stem)


def _ic(s: _Stemming) -> None:
    word, stem = s.word, s.stem("ic")
    if stem is not None:
        s.try_or(word, stem + "ical", stem + "y", stem + "e", stem)


def _ncy(s: _Stemming) -> None:
    stem = s.stem("ncy")
    if stem is not None and stem[-1] in "ea":
        s.try_all(stem + "nt", stem + "nce")


def _nce(s: _Stemming) -> None:
    word, stem = s.word, s.stem("nce")
    if stem is not None and stem[-1] in "ea":
        s.try_or(word, stem[:-1] + "e", stem[:-1])


RULES: tuple[Callable[[_Stemming], None], ...] = (
    _plural, _past, _aspect, _ity, _ness, _ion, _er_or, _ly, _al, _ive, _ize, _ment, _ble, _ism, _ic, _ncy,
    _nce,
)  # fmt: skip
