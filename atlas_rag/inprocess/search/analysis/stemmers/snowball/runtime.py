"""What the Snowball stemmers share: regions of a word, and suffix tables in which the longest match wins.

Source: snowballstem.org (M. Porter, R. Boulton and others), whose algorithm pages define every table, region
and order used in this package. The larger tables are in `data/snowball/`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

Regions = dict[str, int]
"""Where the regions of a word start: `r1`, `r2`, `rv`."""


class Match(NamedTuple):
    """A suffix found, the region it must lie in, and what the table says to do: `-` delete, `=` leave."""

    suffix: str
    region: str = "any"
    action: str = "-"

    def start(self, word: str) -> int:
        return len(word) - len(self.suffix)

    def cut(self, word: str, put: str = "") -> str:
        """The word with something else for the suffix."""
        return word[: len(word) - len(self.suffix)] + put


class Table:
    """Suffixes and what to do about each."""

    def __init__(self, entries: Mapping[str, tuple[str, str]]) -> None:
        self._entries = entries
        self._lengths = sorted({len(suffix) for suffix in entries}, reverse=True)

    def ending(self, word: str, limit: int = 0) -> Match | None:
        """The longest suffix that lies at or behind `limit`."""
        for length in self._lengths:
            suffix = word[len(word) - length :] if length <= len(word) - limit else None
            if suffix is not None and suffix in self._entries:
                return Match(suffix, *self._entries[suffix])
        return None

    def beginning(self, word: str) -> Match | None:
        """The longest prefix."""
        for length in self._lengths:
            if word[:length] in self._entries:
                return Match(word[:length], *self._entries[word[:length]])
        return None

    def apply(self, word: str, regions: Mapping[str, int], limit: int = 0) -> str | None:
        """The word after the table's action on the longest suffix, None if that does not apply."""
        match = self.ending(word, limit)
        if match is None or match.start(word) < regions.get(match.region, 0):
            return None
        return match.cut(word, "" if match.action == "-" else match.action)

    def strip(self, word: str, regions: Mapping[str, int], limit: int = 0) -> str:
        """The same, but the word as it was where the action does not apply."""
        changed = self.apply(word, regions, limit)
        return word if changed is None else changed


def suffixes(words: str) -> Table:
    """A table of suffixes to delete."""
    return Table(dict.fromkeys(words.split(), ("any", "-")))


def replacements(pairs: str) -> Table:
    """A table from `suffix:replacement` pairs, no replacement to delete."""
    split = (pair.partition(":") for pair in pairs.split())
    return Table({suffix: ("any", put or "-") for suffix, _, put in split})


def without_optional(word: str, table: Table, region: int) -> str:
    """Without one more suffix, if there is one and it lies in the region."""
    match = table.ending(word)
    return word if match is None or match.start(word) < region else match.cut(word)


AT = suffixes("at")


def without_amente(rest: str, table: Table, r2: int) -> str:
    """What a Romance adverb in -amente leaves, without the adjective's ending: -ativ-, -iv-, -os-, -ic-, …"""
    shorter = without_optional(rest, table, r2)
    return without_optional(shorter, AT, r2) if shorter != rest and rest.endswith("iv") else shorter


@cache
def tables(language: str) -> dict[str, Table]:
    """The tables in `data/snowball/`: `[name]`, then `region action: suffixes`, indented lines go on."""
    package = files(__package__.rpartition(".stemmers")[0])
    text = (package / "data" / "snowball" / f"{language}.txt").read_text("utf-8").replace("\n  ", " ")
    found: dict[str, dict[str, tuple[str, str]]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            found[name] = {}
            continue
        head, _, words = line.partition(":")
        region, action = head.split()
        found[name].update(dict.fromkeys(words.split(), (region, action)))
    return {name: Table(entries) for name, entries in found.items()}


def past(word: str, start: int | None, letters: Collection[str], inside: bool = True) -> int | None:
    """The place behind the next letter that is (or is not) one of `letters`; None if there is none."""
    if start is None:
        return None
    return next((i + 1 for i in range(start, len(word)) if (word[i] in letters) == inside), None)


def past_syllable(word: str, vowels: Collection[str], start: int | None = 0) -> int | None:
    """The place behind the first non-vowel that follows a vowel."""
    return past(word, past(word, start, vowels), vowels, inside=False)


def r1_r2(word: str, vowels: Collection[str]) -> dict[str, int]:
    """R1 starts behind the first syllable, R2 behind the first syllable of R1; else at the end."""
    r1 = past_syllable(word, vowels)
    r2 = past_syllable(word, vowels, r1)
    return {"r1": len(word) if r1 is None else r1, "r2": len(word) if r2 is None else r2}


def rv_r2(word: str, vowels: Collection[str]) -> Regions:
    """RV starts behind the first vowel, R2 two syllables on: the regions of Russian and Armenian."""
    rv = past(word, 0, vowels)
    r2 = past_syllable(word, vowels, past(word, rv, vowels, inside=False))
    return {"rv": len(word) if rv is None else rv, "r2": len(word) if r2 is None else r2}


def romance_regions(word: str, vowels: Collection[str]) -> dict[str, int]:
    """R1, R2, and the RV of Spanish, Portuguese, Italian and Romanian.

    RV starts behind the next vowel if the second letter is a consonant, behind the next consonant if the
    first two are vowels, else behind the third letter.
    """
    rv = None
    if len(word) > 1:
        first, second = word[0] in vowels, word[1] in vowels
        if not second:
            rv = past(word, 2, vowels)
        elif first:
            rv = past(word, 2, vowels, inside=False)
        elif len(word) > 2:
            rv = 3
    return {**r1_r2(word, vowels), "rv": len(word) if rv is None else rv}


def germanic_r1(word: str, vowels: Collection[str]) -> int:
    """R1 that leaves at least three letters before it; words under three letters have none."""
    r1 = past_syllable(word, vowels) if len(word) >= 3 else None
    return len(word) if r1 is None else max(r1, 3)
