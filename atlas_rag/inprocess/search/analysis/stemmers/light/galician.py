"""Galician stemming.

Source: Regras do lematizador para o galego (bvg.udc.es), a set of RSLP steps, kept in `data/galician.txt`: a
header `[step, least letters of the word, if exceptions are words or tails, endings that enter the step]`,
then a rule a line in order: suffix, least letters of the stem, replacement or -, exceptions.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from atlas_rag.inprocess.search.analysis.stemmers.ordered import fold

ACCENTS = fold("á éê í ó ú", "aeiou")


class _Rule(NamedTuple):
    suffix: str
    least: int
    replacement: str
    exceptions: tuple[str, ...]


class _Step:
    """An ordered list of rules of which one may fire."""

    def __init__(self, least: int, whole_words: bool, endings: tuple[str, ...]) -> None:
        self.rules: list[_Rule] = []
        self._least = least
        self._whole_words = whole_words
        self._endings = endings or ("",)

    def apply(self, word: str) -> str:
        if len(word) < self._least or not word.endswith(self._endings):
            return word
        for rule in self.rules:
            stem = word[: len(word) - len(rule.suffix)]
            if word.endswith(rule.suffix) and len(stem) >= rule.least and not self._excepted(word, rule):
                return stem + rule.replacement
        return word

    def _excepted(self, word: str, rule: _Rule) -> bool:
        return word in rule.exceptions if self._whole_words else word.endswith(rule.exceptions)


@cache
def _steps() -> dict[str, _Step]:
    text = (files(__package__.rpartition(".stemmers")[0]) / "data" / "galician.txt").read_text("utf-8")
    steps: dict[str, _Step] = {}
    step = _Step(0, True, ())
    for line in text.splitlines():
        head, *rest = line.strip("[]").split()
        if line.startswith("["):
            step = steps[head] = _Step(int(rest[0]), rest[1] == "word", tuple(rest[2:]))
        else:
            step.rules.append(_Rule(head, int(rest[0]), rest[1].strip("-"), tuple(rest[2:])))
    return steps


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    steps = _steps()
    for name in ("plural", "unification", "adverb"):
        word = steps[name].apply(word)
    before = ""
    while before != word:
        before, word = word, steps["augmentative"].apply(word)
    word = steps["noun"].apply(word)
    if word == before:
        word = steps["verb"].apply(word)
    return steps["vowel"].apply(word).translate(ACCENTS)
