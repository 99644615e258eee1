"""Ruling most rows out after reading a part of each.

A scan is bound by memory. So rows are kept a second time, turned so that their first components carry most of
their length, and only those, at most half, are read for all rows: by Cauchy and Schwarz
    x · q  ≤  x₁ · q₁ + |x₂| |q₂|
for any division into two parts. The rows of the highest bounds are read whole. A row whose bound lies below
what the best of them reach cannot be among the best; if there are others, they are read whole too. The answer
is that of the full scan, whatever the turn is; the turn only decides how many rows have to be read whole.
"""

from __future__ import annotations

import math

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array, GrowingArray
from atlas_rag.inprocess.search.vector_index.selection import largest, reached_by
from atlas_rag.inprocess.search.vector_index.similarity import Similarity, coarse

# reading a part pays from this many rows on, up to this many dimensions (making the turn is cubic in them)
_FEWEST_ROWS, _FEWEST_DIMENSIONS, _MOST_DIMENSIONS = 1280, 64, 512
_SAMPLE = 4096  # rows that decide the turn
_CARRIED = 0.93  # of the sample's squared length: enough, where fewer than half of the components carry it
_LINE = 16  # components in a cache line; only whole ones are kept
_EAGER = 8  # questions before the outline is made
_USELESS = 4  # times in a row that too many rows had to be read whole
_READ_AT_MOST = 0.2  # the share of rows that may have to be read whole
_BLOCK = 8192
_ROUNDING = 1e-6  # of |x|², added to |x₂|² so that rounding never makes a bound too low


class Outline:
    """The first components of growing rows; made after some questions, dropped when it does not help."""

    def __init__(self, dimensions: int, similarity: Similarity) -> None:
        self._dimensions = dimensions
        self._similarity: Similarity = similarity
        self._asked = self._failed = 0
        self.clear()

    def clear(self) -> None:
        """Forgets the rows: they have been renumbered."""
        self._made_for = 0
        self._turn: Array = np.empty((self._dimensions, 0), np.float32)  # a column for each component kept
        self._parts = GrowingArray(np.float32, 0)
        self._rests = GrowingArray(np.float32)

    def contenders(
        self, rows: Array, sides: Array, query: Array, count: int, unwanted: Array | None
    ) -> Array | None:
        """Ascending positions of all that may be among the best `count` rows; None: scan them all instead.

        Args:
            sides: see `similarity.measured`.
            unwanted: mask of rows that do not count; None for none.
        """
        if not self._is_worthwhile(len(rows), count):
            return None
        self._follow(rows, sides)
        bounds = self._bounds(query, sides)
        if unwanted is not None:
            bounds[unwanted] = -np.inf
        probes = 4 * count + 32
        bar = reached_by(bounds, probes)
        for final in (False, True):
            tried = (bounds >= bar).nonzero()[0]
            if not count <= len(tried) <= _READ_AT_MOST * len(rows):
                break
            values, error = coarse(rows[tried], sides[tried], query, self._similarity)
            reached = largest(values, count)
            if final or reached - 4 * error > bar:
                self._failed = 0
                some: Array = tried[values >= reached - 2 * error]
                return some
            bar = reached - 4 * error
        self._failed += 1
        if self._failed == _USELESS:
            self.clear()
        return None

    def _is_worthwhile(self, rows: int, count: int) -> bool:
        fits = _FEWEST_DIMENSIONS <= self._dimensions <= _MOST_DIMENSIONS
        if rows < _FEWEST_ROWS or not fits or not 0 < count <= rows // 40:
            return False
        self._asked += 1
        return self._asked > _EAGER and self._failed < _USELESS

    def _bounds(self, query: Array, sides: Array) -> Array:
        part, square = query @ self._turn, float(query @ query)
        rest = math.sqrt(max(square - float(part @ part), 0.0) + _ROUNDING * square)
        bounds: Array = self._parts.rows @ part
        bounds += self._rests.rows * np.float32(rest)
        if self._similarity == "euclidean":
            bounds += bounds
            bounds -= sides
        return bounds

    def _follow(self, rows: Array, sides: Array) -> None:
        """Brings the parts up to date."""
        if len(rows) > 2 * self._made_for:
            self.clear()
            self._made_for, self._turn = len(rows), self._best_turn(rows, sides)
            self._parts = GrowingArray(np.float32, self._turn.shape[1])
        for start in range(len(self._parts), len(rows), _BLOCK):
            block = self._prepared(rows, sides, slice(start, start + _BLOCK))
            parts = block @ self._turn
            squares = np.einsum("ij,ij->i", block, block)
            rests = squares - np.einsum("ij,ij->i", parts, parts)
            self._parts.extend(parts)
            self._rests.extend(np.sqrt(np.maximum(rests, 0) + np.float32(_ROUNDING) * squares))

    def _best_turn(self, rows: Array, sides: Array) -> Array:
        """The orthonormal directions in which a sample of the rows is longest."""
        step = max(len(rows) // _SAMPLE, 1)
        sample = self._prepared(rows, sides, slice(0, len(rows), step)).astype(np.float64)
        squares, directions = np.linalg.eigh(sample.T @ sample)  # ascending
        carried = np.cumsum(squares[::-1])
        enough = -(-int(np.searchsorted(carried, _CARRIED * carried[-1]) + 1) // _LINE) * _LINE
        kept = min(enough, self._dimensions // 2)
        return np.ascontiguousarray(directions[:, : -kept - 1 : -1], np.float32)

    def _prepared(self, rows: Array, sides: Array, part: slice) -> Array:
        return rows[part] * sides[part, None] if self._similarity == "cosine" else rows[part]
