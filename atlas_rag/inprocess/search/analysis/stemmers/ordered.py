"""Ordered suffix rules: the first that fits is applied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Rule(NamedTuple):
    """Cuts letters off a word that is long enough and ends as told.

    Args:
        longer_than: letters that the word must exceed.
        cut: letters to take off the end.
        suffixes: any of these.
        add: letters to put in their place.
    """

    longer_than: int
    cut: int
    suffixes: tuple[str, ...]
    add: str = ""

    def fits(self, word: str) -> bool:
        return len(word) > self.longer_than and word.endswith(self.suffixes)


def rules(table: str) -> tuple[Rule, ...]:
    """One rule a line: longer-than, cut (`cut+letters` to add some), then the suffixes."""
    parsed = []
    for line in table.split("\n"):
        if line.strip():
            longer_than, cut, *suffixes = line.split()
            count, _, add = cut.partition("+")
            parsed.append(Rule(int(longer_than), int(count), tuple(suffixes), add))
    return tuple(parsed)


def first(word: str, ordered: Sequence[Rule]) -> Rule | None:
    """The first rule that fits."""
    return next((rule for rule in ordered if rule.fits(word)), None)


def strip_first(word: str, ordered: Sequence[Rule]) -> str:
    """The word after the first rule that fits, or as it was."""
    rule = first(word, ordered)
    return word if rule is None else word[: len(word) - rule.cut] + rule.add


def fold(letters: str, onto: str) -> dict[int, str]:
    """A `str.translate` table: the first groups of `letters` become the letters of `onto`, in order."""
    return {ord(char): target for group, target in zip(letters.split(), onto, strict=True) for char in group}
