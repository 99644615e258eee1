"""Tokens on their way into a run: numbered as they come, turned into arrays all at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from atlas_rag.inprocess.search.analysis import Analyzer
from atlas_rag.inprocess.search.search_index.storage.runs import Ints, Longs

_DROPPED = -1


class Vocabulary(dict[str, int]):
    """Numbers terms in the order they are first asked for."""

    def __missing__(self, term: str) -> int:
        number = len(self)
        self[term] = number
        return number


class Tokens(NamedTuple):
    """Tokens in document order: term number, document, and position (None where none were given)."""

    terms: Ints
    docs: Ints
    positions: Ints | None


class TokenBuffer:
    """Tokens of one field since the last fold.

    A field adds either pieces, whose positions follow from their order, or terms with positions, or terms
    alone, and stays with one of the three.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._pieces: dict[Analyzer, _PieceNumbers] = {}
        self._clear()

    def _clear(self) -> None:
        self._terms: list[int] = []
        self._positions: list[int] = []
        self._docs: list[int] = []
        self._counts: list[int] = []
        self._in_order = False
        self._end = 0  # positions that the last document has so far

    def __len__(self) -> int:
        return len(self._terms)

    def add_pieces(self, doc: int, pieces: Sequence[str], analyzer: Analyzer) -> None:
        """Adds a text cut into pieces; positions run on over the values of a document."""
        numbers = self._pieces.get(analyzer)
        if numbers is None:
            numbers = self._pieces[analyzer] = _PieceNumbers(analyzer, self._vocabulary)
        found = [*map(numbers.__getitem__, pieces)]
        if None in found:
            found = numbers.spelled_out(pieces, found)
        self._terms += found  # type: ignore[arg-type]  # no None is left
        self._docs.append(doc)
        self._counts.append(len(found))
        self._in_order = True

    def add(self, doc: int, terms: Sequence[str], positions: Sequence[int], end: int) -> None:
        """Adds analysed terms; a later value of a document continues its positions.

        Args:
            end: positions of the value, those of words that were dropped behind the last term included.
        """
        self._terms.extend(map(self._vocabulary.__getitem__, terms))
        shift = self._end if self._docs and self._docs[-1] == doc else 0
        self._positions.extend([at + shift for at in positions] if shift else positions)
        self._end = shift + end
        self._docs.append(doc)
        self._counts.append(len(terms))

    def add_terms(self, doc: int, terms: Sequence[str]) -> None:
        """Adds terms without positions."""
        self._terms.extend(map(self._vocabulary.__getitem__, terms))
        self._docs.append(doc)
        self._counts.append(len(terms))

    def drain(self) -> Tokens:
        """Returns all tokens as arrays and empties the buffer."""
        counts = np.array(self._counts, np.int64)
        owners = np.array(self._docs, np.int32)
        terms = np.array(self._terms, np.int32)
        docs = np.repeat(owners, counts)
        positions = np.array(self._positions, np.int32) if self._positions else None
        if self._in_order:
            positions = _places(owners, counts)
            kept = terms != _DROPPED
            terms, docs, positions = terms[kept], docs[kept], positions[kept]
        self._clear()
        return Tokens(terms, docs, positions)


class _PieceNumbers(dict[str, int | None]):
    """Maps a piece of text to the number of its term, `_DROPPED` for a dropped token.

    The few pieces with no token or several map to None and are kept aside.
    """

    def __init__(self, analyzer: Analyzer, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._analyzer = analyzer
        self._vocabulary = vocabulary
        self._several: dict[str, list[int | None]] = {}

    def __missing__(self, piece: str) -> int | None:
        numbers = self._numbers(piece)
        number = numbers[0] if len(numbers) == 1 else None
        if len(self) < MEMORY_LIMIT:
            self[piece] = number
        return number

    def spelled_out(self, pieces: Sequence[str], found: Sequence[int | None]) -> list[int | None]:
        """Returns the numbers of all terms, given what the lookup of each piece found."""
        numbers: list[int | None] = []
        for piece, number in zip(pieces, found, strict=True):
            if number is not None:
                numbers.append(number)
            else:
                several = self._several.get(piece)
                if several is None:
                    several = self._several[piece] = self._numbers(piece)
                numbers += several
        return numbers

    def _numbers(self, piece: str) -> list[int | None]:
        terms = self._analyzer.piece_terms(piece)
        return [_DROPPED if term is None else self._vocabulary[term] for term in terms]


MEMORY_LIMIT = 1 << 18
"""Pieces that one field remembers at most."""


def _places(owners: Ints, counts: Longs) -> Ints:
    """Numbers the tokens of each document from 0; its values stand next to each other."""
    ends = np.cumsum(counts)
    starts = ends - counts
    first = np.ones(len(owners), bool)
    first[1:] = owners[1:] != owners[:-1]
    beginnings = np.maximum.accumulate(np.where(first, starts, 0))
    total = int(ends[-1]) if len(ends) else 0
    places: Ints = (np.arange(total) - np.repeat(beginnings, counts)).astype(np.int32)
    return places
