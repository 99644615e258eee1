"""Stempel: Polish stemming with a table of patch commands, trained on 20,000 word sets.

Source: L. Galambos, Lemmatizer for document information retrieval systems (Egothor); A. Białecki, Stempel.
The table, `data/stempel.xz`, is eight tries, read from the end of a word, with one command each.
"""

from __future__ import annotations

import lzma
import struct
from functools import cache
from importlib.resources import files
from typing import NamedTuple

MIN_LETTERS = 3
END_OF_PATCH = "*"


class _Trie(NamedTuple):
    """Rows of {letter: (number of a command, number of the next row)}; -1 for none."""

    root: int
    commands: list[str]
    rows: list[dict[str, tuple[int, int]]]

    def last_on_path(self, word: str) -> str | None:
        """The last command met while reading the word from its end."""
        row, last = self.rows[self.root], None
        for letter in reversed(word):
            command, following = row.get(letter, (-1, -1))
            if command >= 0:
                last = self.commands[command]
            if following < 0:
                break
            row = self.rows[following]
        return last


class _Reader:
    """Reads the table's big-endian binary form."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def numbers(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from(layout, self._data, self._place)
        self._place += struct.calcsize(layout)
        return values

    def text(self) -> str:
        (length,) = self.numbers(">H")
        self._place += length
        return self._data[self._place - length : self._place].decode("utf-8")

    def trie(self) -> _Trie:
        _, root, count = self.numbers(">?ii")
        commands = [self.text() for _ in range(count)]
        (count,) = self.numbers(">i")
        return _Trie(root, commands, [self._row() for _ in range(count)])

    def _row(self) -> dict[str, tuple[int, int]]:
        (count,) = self.numbers(">i")
        cells = (self.numbers(">Hiiii") for _ in range(count))
        return {chr(code): (command, following) for code, command, _, following, _ in cells}


@cache
def _tries() -> list[_Trie]:
    folder = files(__package__.rpartition(".")[0]) / "data"
    reader = _Reader(lzma.decompress((folder / "stempel.xz").read_bytes()))
    reader.text()  # how the table was trained
    _, _, count = reader.numbers(">?ii")
    return [reader.trie() for _ in range(count)]


def stem(word: str) -> str:
    """The stem of a lower-case word; words under three letters, and those unknown to the table, stay."""
    if len(word) < MIN_LETTERS:
        return word
    return _patched(word, _patch(word)) or word


def _patch(word: str) -> str:
    """The commands of all tries, until one has none or may not follow the one before."""
    patch, before = "", " "
    rest = looked_up = word
    commands: list[str] = []
    for trie in _tries():
        command = trie.last_on_path(looked_up)
        if not command or command == END_OF_PATCH or (before in "-D" and command[0] == before):
            break
        before = command[-2]
        commands.append(command)
        if command[0] == "-":
            if len(commands) > 1:
                taken = _taken(commands[-2])
                if taken > len(rest):
                    break
                rest = rest[: len(rest) - taken]
            taken = _taken(command)
            if taken > len(rest):
                break
            rest = rest[: len(rest) - taken]
        patch += command
        looked_up = rest or looked_up
    return patch


def _taken(command: str) -> int:
    """Letters of the word that a command passes."""
    lengths = (
        _count(n) if code in "-D" else code == "R"
        for code, n in zip(command[::2], command[1::2], strict=False)
    )
    return sum(lengths)


def _count(letter: str) -> int:
    return ord(letter) - ord("a") + 1


def _patched(word: str, patch: str) -> str:
    """Applies commands from the end of the word: - skip, D delete, R replace, I insert."""
    letters = list(word)
    place = len(letters) - 1
    for code, letter in zip(patch[::2], patch[1::2], strict=False):
        if code == "-":
            place -= _count(letter) - 1
        elif code == "R":
            if not 0 <= place < len(letters):
                break
            letters[place] = letter
        elif code == "D":
            end = place
            place -= _count(letter) - 1
            if place < 0 or end >= len(letters):
                break
            del letters[place : end + 1]
        elif code == "I":
            place += 1
            if place < 0:
                break
            letters.insert(place, letter)
        place -= 1
    return "".join(letters)
