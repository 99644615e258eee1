"""Scores of vectors: a fast one that orders, and the engine's own.

A whole column is ordered by one matrix product in float32 (`coarse`). The few that can be among the best
are then scored again with the engine's own roundings (`exact`), so that the answer does not depend on the
order in which a BLAS library adds.

Formula (cosine c, inner product p, squared distance d²; bytes scale p by dimensions · 2^15):
    cosine      (1 + c) / 2
    dotProduct  max((1 + p) / 2, 0)         bytes: 0.5 + p / (dimensions · 2^15)
    euclidean   1 / (1 + d²)
    bits        (dimensions − hamming) / dimensions
Source: Lucene 10.1 VectorSimilarityFunction; bits measured on the engine; sums: see `fused_sums`.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from atlas_rag.inprocess.search.vector_index.fused_sums import fused_sums
from atlas_rag.inprocess.search.vector_index.growing import Array

Similarity = Literal["cosine", "dotProduct", "euclidean"]

ONES_IN_BYTE = np.array([byte.bit_count() for byte in range(256)], np.uint8)
_LARGEST = np.finfo(np.float32).max
_ONE, _HALF = np.float32(1.0), np.float32(0.5)

# chains that the sums of long vectors are dealt out to
_COSINE_CHAINS, _CHAINS = 2, 4


def measured(block: Array, similarity: Similarity) -> tuple[Array, Array]:
    """Which rows the engine indexes, and one float32 per row that `coarse` needs beside the rows.

    Indexed are finite rows and, where angles are measured, none without length. The number is 1/|x| for
    cosine, |x|² for the others.
    """
    squares: Array = np.einsum("ij,ij->i", block, block)
    odd = np.flatnonzero(~(np.isfinite(squares) & (squares > 0)))
    usable = np.ones(len(block), bool)
    if len(odd):  # zero, not finite, or squares beyond a float32
        usable[odd] = np.isfinite(block[odd]).all(axis=1)
        if similarity == "cosine":
            usable[odd] &= block[odd].any(axis=1)
        squares = np.square(block, dtype=np.float64).sum(axis=1)
    with np.errstate(divide="ignore"):
        sides: Array = 1 / np.sqrt(squares) if similarity == "cosine" else squares
    return usable, np.minimum(sides, _LARGEST).astype(np.float32)


def coarse(rows: Array, sides: Array, query: Array, similarity: Similarity) -> tuple[Array, float]:
    """A float32 per row that grows with the score, and how far it may be off the engine's own."""
    products = rows @ query
    size, error = math.sqrt(query @ query), _error(len(query))
    if similarity == "cosine":
        return products * sides, error * size
    largest = float(sides.max(initial=0.0))
    if similarity == "dotProduct":
        return products, error * size * largest**0.5
    return products + products - sides, error * (size * size + largest)


def _error(dimensions: int) -> float:
    """Bound of the rounding errors of three sums of products, as a share of the largest possible value.

    Formula: a sum of n float32 products is off by at most n · 2⁻²⁴ of the sum of their sizes. Chains have
    half as many steps as vectors have dimensions, or fewer; a few more roundings come before and after.
    """
    return (1.5 * dimensions + 64) * 2.0**-24


@np.errstate(all="ignore")  # lengths may be lost to rounding: no number, in silence, as in Java
def exact(rows: Array, query: Array, similarity: Similarity, lengths: Array) -> Array:
    """The engine's float32 score of each row of floats.

    Args:
        lengths: what `squared_lengths` gives of the rows; read for cosine only.
    """
    if similarity == "euclidean":
        apart = rows - query
        scores: Array = _ONE / (_ONE + fused_sums(apart, apart, _CHAINS))
        return scores
    if similarity == "dotProduct":
        return _halved(fused_sums(rows, query[None, :], _CHAINS))
    products = fused_sums(np.concatenate((rows, query[None, :])), query[None, :], _COSINE_CHAINS)
    return _cosine(products[:-1].astype(np.float64), lengths * np.float64(products[-1]))


def squared_lengths(rows: Array) -> Array:
    """The float32 by which the engine divides for cosine, squared."""
    return fused_sums(rows, rows, _COSINE_CHAINS)


def exact_of_bytes(rows: Array, query: Array, similarity: Similarity) -> Array:
    """The engine's float32 score of each row of signed bytes, held as float32: it sums whole numbers."""
    wide, asked = rows.astype(np.float64), query.astype(np.float64)
    if similarity == "euclidean":
        scores: Array = _ONE / (_ONE + np.square(wide - asked).sum(axis=1).astype(np.float32))
        return scores
    products = wide @ asked
    if similarity == "cosine":
        return _cosine(products, np.square(wide).sum(axis=1) * (asked @ asked))
    return _HALF + products.astype(np.float32) / np.float32(len(asked) * (1 << 15))


def _cosine(products: Array, squares: Array) -> Array:
    return _halved((products / np.sqrt(squares)).astype(np.float32))


def _halved(values: Array) -> Array:
    scores: Array = np.maximum((_ONE + values) * _HALF, 0)
    return scores


def bit_scores(rows: Array, query: Array) -> Array:
    """The score of packed bits: the share of equal bits, float32."""
    dimensions = rows.shape[1] * 8
    different = ONES_IN_BYTE[rows ^ query].sum(axis=1, dtype=np.int64)
    scores: Array = ((dimensions - different) / np.float32(dimensions)).astype(np.float32)
    return scores
