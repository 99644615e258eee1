"""Scalar quantization to seven bits, as the engine's approximate search scores it.

Every component is clipped to the index's own two quantiles and becomes one of 128 steps; the product of two
such rows plus a correction per row stands for the real product. Approximate queries report these scores as
they are, never rescored.
Source: Lucene 10.1 ScalarQuantizer and ScalarQuantizedVectorSimilarity. With the recorded documents in their
order all recorded scores of cosine and euclidean come out equal to 2e-6.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array, GrowingArray
from atlas_rag.inprocess.search.vector_index.similarity import Similarity

STEPS = 127  # seven bits
_BATCH = 20  # rows whose components are ranked together; Lucene's scratch size
_SAMPLE = 25_000  # rows looked at; Lucene samples them at random, here evenly so that runs agree
_BLOCK = 4096  # rows turned into float32 at a time
_F = np.float32


class Quantized(NamedTuple):
    """Rows as steps (uint8), and what to add to a product for each row (float32)."""

    codes: Array
    corrections: Array


class QuantizedRows:
    """The quantized form of growing rows, brought up to date by the next question.

    Quantiles come from all rows up to 2,000, and beyond from a number of first rows that grows by tenths, so
    that a write seldom costs a new fit and answers do not depend on when questions were asked.
    """

    def __init__(self, dimensions: int, similarity: Similarity) -> None:
        self._dimensions = dimensions
        self._similarity: Similarity = similarity
        self.clear()

    def clear(self) -> None:
        """Forgets everything: rows have been renumbered."""
        self._quantizer: ScalarQuantizer | None = None
        self._fitted = 0
        self._codes = GrowingArray(np.uint8, self._dimensions)
        self._corrections = GrowingArray(np.float32)

    def scores(self, rows: Array, query: Array) -> Array:
        """The quantized float32 score of every row."""
        if not len(rows):
            return np.empty(0, np.float32)
        wanted = _fit_size(len(rows))
        if self._quantizer is None or wanted != self._fitted:
            self.clear()
            self._quantizer, self._fitted = (
                ScalarQuantizer.fitted(self._prepared(rows[:wanted])),
                wanted,
            )
        for start in range(len(self._codes), len(rows), _BLOCK):
            stop = start + _BLOCK
            block = self._quantizer.quantize(self._prepared(rows[start:stop]), self._similarity)
            self._codes.extend(block.codes)
            self._corrections.extend(block.corrections)
        stored = Quantized(self._codes.rows, self._corrections.rows)
        return self._quantizer.scores(stored, self._prepared(query[None, :])[0], self._similarity)

    def _prepared(self, rows: Array) -> Array:
        if self._similarity != "cosine":
            return rows
        lengths = np.sqrt(np.square(rows, dtype=np.float64).sum(axis=1))
        unit: Array = (rows / lengths[:, None]).astype(np.float32)
        return unit


def _fit_size(rows: int) -> int:
    size = min(rows, 2_000)
    while size * 11 // 10 <= rows and size >= 2_000:
        size = size * 11 // 10
    return size


class ScalarQuantizer(NamedTuple):
    """The two quantiles between which components are told apart."""

    low: np.float32
    high: np.float32

    @property
    def step(self) -> np.float32:
        return _F((self.high - self.low) / _F(STEPS))

    @classmethod
    def fitted(cls, rows: Array) -> ScalarQuantizer:
        """Quantiles of the middle 1 − 1/(dimensions + 1) (at least 90 %) of all components.

        They are taken in batches of 20 rows and averaged; a last batch that is not full does not count.
        """
        dimensions = rows.shape[1]
        sample = (
            rows if len(rows) <= _SAMPLE else rows[np.linspace(0, len(rows) - 1, _SAMPLE).astype(np.int64)]
        )
        batch = min(_BATCH, len(sample))
        confidence = _F(max(0.9, 1 - 1 / (dimensions + 1)))
        size = batch * dimensions
        skipped = int(_F(size) * (_F(1) - confidence) / _F(2) + _F(0.5))
        whole = len(sample) // batch * batch
        ranked = np.sort(sample[:whole].reshape(-1, size), axis=1)
        return cls(
            _F(ranked[:, skipped].mean(dtype=np.float64)),
            _F(ranked[:, size - skipped - 1].mean(dtype=np.float64)),
        )

    def quantize(self, rows: Array, similarity: Similarity) -> Quantized:
        """Rows (unit length already, for cosine) as codes and corrections."""
        above = rows - self.low
        if self.high <= self.low:  # all components equal: nothing to tell apart
            codes = np.zeros(rows.shape, np.uint8)
        else:
            clipped = np.clip(rows, self.low, self.high) - self.low
            codes = np.floor(clipped * (_F(STEPS) / (self.high - self.low)) + _F(0.5)).astype(np.uint8)
        if similarity == "euclidean":
            return Quantized(codes, np.zeros(len(rows), np.float32))
        kept = codes * self.step
        terms = self.low * (rows - self.low / _F(2)) + (above - kept) * kept
        return Quantized(codes, terms.sum(axis=1, dtype=np.float32))

    def scores(self, stored: Quantized, query: Array, similarity: Similarity) -> Array:
        """The float32 score of every stored row for one query of full precision (unit length for cosine)."""
        asked = self.quantize(query[None, :], similarity)
        target = asked.codes[0].astype(np.float32)
        scale = self.step * self.step
        scores: Array
        if similarity == "euclidean":
            squares = _products(stored.codes, target, squared_distance=True)
            scores = _F(1) / (_F(1) + squares * scale)
            return scores
        products = _products(stored.codes, target, squared_distance=False) * scale
        adjusted = products + asked.corrections[0] + stored.corrections
        scores = np.maximum((_F(1) + adjusted) * _F(0.5), _F(0))
        return scores


def _products(codes: Array, target: Array, *, squared_distance: bool) -> Array:
    """Inner products or squared distances of codes, block by block to keep the float32 copy small.

    Whole numbers: exact in float32 below 2^24, which is 1,040 dimensions; rounded above.
    """
    out = np.empty(len(codes), np.float32)
    for start in range(0, len(codes), _BLOCK):
        block = codes[start : start + _BLOCK].astype(np.float32)
        if squared_distance:
            block -= target
            np.einsum("ij,ij->i", block, block, out=out[start : start + _BLOCK])
        else:
            np.matmul(block, target, out=out[start : start + _BLOCK])
    return out
