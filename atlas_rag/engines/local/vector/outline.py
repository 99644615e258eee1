"""Ruling most rows out after reading half of them.

A scan is bound by memory. So rows are kept a second time, turned so that their first half carries most of
their length, and only that half is read for all rows: by Cauchy and Schwarz
    x · q  ≤  x₁ · q₁ + |x₂| |q₂|
for any division into two parts. Rows whose bound lies below what the best are known to reach cannot be among
the best; only the others are read whole. The answer is that of the full scan, whatever the turn is; the turn
only decides how many rows are left.
"""

from __future__ import annotations

import numpy as np

from atlas_rag.engines.local.vector.growing import Array, GrowingArray
from atlas_rag.engines.local.vector.similarity import Similarity, coarse

# reading half pays from this many rows on, up to this many dimensions (making the turn is cubic in them)
_FEWEST_ROWS, _DIMENSIONS = 2048, range(64, 513)
_SAMPLE = 4096  # rows that decide the turn
_EAGER = 8  # questions before the outline is made
_USELESS = 4  # times in a row that too many rows were left
_LEFT_AT_MOST = 0.2  # the share of rows that may be left to read whole
_BLOCK = 8192
_ROUNDING = 1e-6  # of |x|², added to |x₂|² so that rounding never makes a bound too low


class Outline:
    """The first halves of growing rows; made after some questions, dropped when it does not help."""

    def __init__(self, dimensions: int, similarity: Similarity) -> None:
        self._dimensions = dimensions
        self._similarity: Similarity = similarity
        self._asked = self._failed = 0
        self.clear()

    def clear(self) -> None:
        """Forgets the rows: they have been renumbered."""
        self._turn: Array | None = None
        self._made_for = 0
        self._halves = GrowingArray(np.float32, self._dimensions // 2)
        self._rests = GrowingArray(np.float32)

    def left(
        self, rows: Array, sides: Array, query: Array, count: int, unwanted: Array | None
    ) -> Array | None:
        """Ascending positions that hold the best `count` rows; None where a full scan is as good.

        Args:
            sides: see `similarity.measured`.
            unwanted: mask of rows that do not count; None for none.
        """
        if not self._is_worthwhile(len(rows), count):
            return None
        turn = self._follow(rows, sides)
        bounds = self._bounds(query, turn, sides)
        if unwanted is not None:
            bounds[unwanted] = -np.inf
        probes = min(4 * count + 32, len(rows))
        tried = np.argpartition(bounds, len(rows) - probes)[len(rows) - probes :]
        values, error = coarse(rows[tried], sides[tried], query, self._similarity)
        if unwanted is not None:
            values[unwanted[tried]] = -np.inf
        reached = np.partition(values, probes - count)[probes - count]
        left = np.flatnonzero(bounds >= reached - 4 * error)
        if len(left) > _LEFT_AT_MOST * len(rows):
            self._failed += 1
            if self._failed == _USELESS:
                self.clear()
            return None
        self._failed = 0
        return left

    def _is_worthwhile(self, rows: int, count: int) -> bool:
        if rows < _FEWEST_ROWS or self._dimensions not in _DIMENSIONS or not 0 < count <= rows // 20:
            return False
        self._asked += 1
        return self._asked > _EAGER and self._failed < _USELESS

    def _bounds(self, query: Array, turn: Array, sides: Array) -> Array:
        half = query @ turn
        rest = np.sqrt(max(float(query @ query) - float(half @ half), 0.0) + _ROUNDING * float(query @ query))
        bounds: Array = self._halves.rows @ half
        bounds += self._rests.rows * np.float32(rest)
        if self._similarity == "euclidean":
            bounds += bounds
            bounds -= sides
        return bounds

    def _follow(self, rows: Array, sides: Array) -> Array:
        """Brings the halves up to date and returns the turn: a column per kept direction."""
        if self._turn is None or len(rows) > 2 * self._made_for:
            self.clear()
            self._turn, self._made_for = self._best_turn(rows, sides), len(rows)
        for start in range(len(self._halves), len(rows), _BLOCK):
            block = self._prepared(rows, sides, slice(start, start + _BLOCK))
            halves = block @ self._turn
            squares = np.einsum("ij,ij->i", block, block)
            rests = squares - np.einsum("ij,ij->i", halves, halves)
            self._halves.extend(halves)
            self._rests.extend(np.sqrt(np.maximum(rests, 0) + np.float32(_ROUNDING) * squares))
        return self._turn

    def _best_turn(self, rows: Array, sides: Array) -> Array:
        """The orthonormal directions in which a sample of the rows is longest."""
        step = max(len(rows) // _SAMPLE, 1)
        sample = self._prepared(rows, sides, slice(0, len(rows), step)).astype(np.float64)
        _, directions = np.linalg.eigh(sample.T @ sample)  # by ascending length
        return np.ascontiguousarray(directions[:, : -self._dimensions // 2 - 1 : -1], np.float32)

    def _prepared(self, rows: Array, sides: Array, part: slice) -> Array:
        return rows[part] * sides[part, None] if self._similarity == "cosine" else rows[part]
