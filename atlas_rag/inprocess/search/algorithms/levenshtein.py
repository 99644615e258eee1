"""Which terms of a dictionary lie within one or two edits of a term, and what Lucene makes of them.

An edit inserts, deletes or replaces one code point, or swaps two neighbours (optimal string alignment).
Source: Lucene's FuzzyQuery, FuzzyTermsEnum and TopTermsRewrite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

MAX_EDITS = 2
_SIGNATURE_BUCKETS = 32
_ENDS_APART = 3
"""Characters of a term whose first and last cannot be met by one edit together."""
_Cells: TypeAlias = NDArray[np.int8]


class Neighbours(NamedTuple):
    """Terms within reach: their indices in the dictionary (ascending) and their distances in edits."""

    indices: NDArray[np.int64]
    edits: NDArray[np.int8]


class Expansion(NamedTuple):
    """One term a fuzzy query stands for: its index in the dictionary and its float32 boost."""

    term_index: int
    boost: np.float32


class TermTable:
    """A sorted term dictionary prepared for distance queries.

    Terms are grouped by length; each keeps a 64-bit signature of its characters. One edit changes at most
    one bit of a signature each way, so most terms are ruled out without looking at them.

    Args:
        terms: distinct, in code point order (the order of their UTF-8 bytes).
    """

    def __init__(self, terms: Sequence[str]) -> None:
        lengths = np.fromiter((len(term) for term in terms), dtype=np.int64, count=len(terms))
        self._groups = {
            int(length): _Group.of(terms, np.flatnonzero(lengths == length)) for length in np.unique(lengths)
        }

    def neighbours(self, term: str, max_edits: int, prefix_length: int = 0) -> Neighbours:
        """Finds the terms within `max_edits` (0..2) that share the first `prefix_length` code points."""
        if not 0 <= max_edits <= MAX_EDITS:
            raise ValueError(f"max_edits must be 0..{MAX_EDITS}, got {max_edits}")
        query = _code_points(term)
        prefix = query[: max(prefix_length, 0)]
        near = range(max(len(query) - max_edits, len(prefix)), len(query) + max_edits + 1)
        found = [
            group.within(query, prefix, max_edits) for length in near if (group := self._groups.get(length))
        ]
        if not found:
            return Neighbours(np.zeros(0, np.int64), np.zeros(0, np.int8))
        indices = np.concatenate([part.indices for part in found])
        edits = np.concatenate([part.edits for part in found])
        order = np.argsort(indices)
        return Neighbours(indices[order], edits[order])


class _Group(NamedTuple):
    """All terms of one length, in code points."""

    indices: NDArray[np.int64]
    code_points: NDArray[np.int32]
    signatures: NDArray[np.uint64]

    @classmethod
    def of(cls, terms: Sequence[str], indices: NDArray[np.int64]) -> _Group:
        rows = _code_points("".join([terms[index] for index in indices])).reshape(len(indices), -1)
        return cls(indices, rows, _signatures(rows))

    def within(self, query: NDArray[np.int32], prefix: NDArray[np.int32], max_edits: int) -> Neighbours:
        if max_edits == 1:
            return self._within_one(query, len(prefix))
        signature = _signatures(query[np.newaxis])[0]
        possible = _at_most(self.signatures & ~signature, max_edits)
        possible &= _at_most(signature & ~self.signatures, max_edits)
        chosen = np.flatnonzero(possible)
        if len(prefix):
            chosen = chosen[(self.code_points[chosen, : len(prefix)] == prefix).all(axis=1)]
        skip = len(prefix)
        edits = _distances(query[skip:], self.code_points[chosen, skip:], max_edits)
        close = edits <= max_edits
        return Neighbours(self.indices[chosen[close]], edits[close])

    def _within_one(self, query: NDArray[np.int32], skip: int) -> Neighbours:
        """One edit at most needs no table: what precedes it and what follows it must be equal."""
        rows = self.code_points
        if len(query) >= _ENDS_APART:  # one edit spares the first character or the last
            chosen = np.flatnonzero((rows[:, 0] == query[0]) | (rows[:, -1] == query[-1]))
        else:
            chosen = np.arange(len(rows))
        if skip:
            chosen = chosen[(rows[chosen, :skip] == query[:skip]).all(axis=1)]
        edits = _one_edit(query[skip:], rows[chosen, skip:])
        close = np.flatnonzero(edits <= 1)
        return Neighbours(self.indices[chosen[close]], edits[close])


def expand(
    table: TermTable,
    terms: Sequence[str],
    term: str,
    *,
    max_edits: int,
    prefix_length: int = 0,
    max_expansions: int = 50,
) -> list[Expansion]:
    """The terms a fuzzy query stands for, in term order.

    Formula: boost = 1 - edits / min(code points of both terms), in float32; the `max_expansions` greatest
        boosts are kept, of equal ones the first terms; only then are negative boosts raised to 0.

    Args:
        table: made from `terms`.
        terms: the sorted dictionary.
        term: the query's term.
        max_edits: 0..2.
        prefix_length: leading code points that must be equal.
        max_expansions: greatest number of terms kept, from 1.
    """
    near = table.neighbours(term, max_edits, prefix_length)
    lengths = np.fromiter((len(terms[index]) for index in near.indices), np.float32, len(near.indices))
    shorter = np.minimum(lengths, np.float32(len(term)))
    with np.errstate(divide="ignore", invalid="ignore"):
        boosts = np.float32(1) - near.edits.astype(np.float32) / shorter
    boosts[near.edits == 0] = 1
    kept = np.sort(np.argsort(-boosts, kind="stable")[:max_expansions])
    return [Expansion(int(near.indices[at]), max(np.float32(0), boosts[at])) for at in kept]


def _one_edit(query: NDArray[np.int32], rows: NDArray[np.int32]) -> _Cells:
    """Distances of `query` to rows of one length at most one apart, exact up to 1; 2 stands for more."""
    length, width = len(query), rows.shape[1]
    if length == width:
        return _one_replaced_or_swapped(query, rows)
    shorter = min(length, width)
    ahead = _leading(rows[:, :shorter] == query[:shorter])
    behind = _leading(rows[:, ::-1][:, :shorter] == query[::-1][:shorter])
    return np.where(ahead + behind >= shorter, 1, 2).astype(np.int8)


def _leading(equal: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many columns are true before the first false one, by row."""
    count, width = equal.shape
    if not width:
        return np.zeros(count, np.int64)
    first = equal.argmin(axis=1)
    leading: NDArray[np.int64] = np.where(equal[np.arange(count), first], width, first)
    return leading


def _one_replaced_or_swapped(query: NDArray[np.int32], rows: NDArray[np.int32]) -> _Cells:
    differs = rows != query
    edits: _Cells = np.minimum(differs.sum(axis=1), 3).astype(np.int8)
    two = np.flatnonzero(edits == 2)
    if not len(two):
        return edits
    first = differs[two].argmax(axis=1)
    following = np.minimum(first + 1, len(query) - 1)
    swapped = (rows[two, first] == query[following]) & (rows[two, following] == query[first])
    edits[two[swapped & differs[two, following]]] = 1
    return edits


def _code_points(text: str) -> NDArray[np.int32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.int32)


def _signatures(rows: NDArray[np.int32]) -> NDArray[np.uint64]:
    """64 bits per row: which of 32 character classes occur once, and which again."""
    once = np.zeros(len(rows), np.uint64)
    again = np.zeros(len(rows), np.uint64)
    for column in rows.T:
        bit = np.left_shift(np.uint64(1), (column % _SIGNATURE_BUCKETS).astype(np.uint64))
        again |= once & bit
        once |= bit
    return once | again << np.uint64(_SIGNATURE_BUCKETS)


def _at_most(bits: NDArray[np.uint64], count: int) -> NDArray[np.bool_]:
    """Whether at most `count` bits are set: each step clears the lowest one."""
    for _ in range(count):
        bits = bits & (bits - np.uint64(1))
    return np.equal(bits, 0)


def _distances(query: NDArray[np.int32], rows: NDArray[np.int32], max_edits: int) -> _Cells:
    """Optimal string alignment distances of `query` to rows of one length, exact up to `max_edits`.

    Only the diagonal band that `max_edits` can reach is filled, one cell for all rows at a time.
    """
    count, width = rows.shape
    far = np.full(count, max_edits + 1, np.int8)
    columns = np.ascontiguousarray(rows.T)
    matched: dict[int, NDArray[np.bool_]] = {}
    before: dict[int, _Cells] = {}
    line = {j: np.full(count, j, np.int8) for j in range(min(max_edits, width) + 1)}
    for i in range(1, len(query) + 1):
        above, line = line, {}
        matched_above, matched = matched, {}
        for j in range(max(i - max_edits, 0), min(i + max_edits, width) + 1):
            cell = above.get(j, far) + np.int8(1)
            if j:
                matched[j] = columns[j - 1] == query[i - 1]
                np.minimum(cell, line.get(j - 1, far) + np.int8(1), out=cell)
                np.minimum(cell, above.get(j - 1, far) + ~matched[j], out=cell)
            if j - 1 in matched and j in matched_above:
                swapped = matched[j - 1] & matched_above[j]
                np.minimum(cell, before.get(j - 2, far) + np.int8(1), out=cell, where=swapped)
            line[j] = cell
        before = above
    return line.get(width, far)
