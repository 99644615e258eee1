"""Scores of vectors: a fast one that orders, and the engine's own.

A whole column is ordered by one matrix product in float32 (`coarse`). The few that can be among the best
are then scored again with the engine's own roundings (`exact`), so that the answer does not depend on the
order in which a BLAS library adds.

Formula (cosine c, inner product p, squared distance d²; bytes scale p by dimensions · 2^15):
    cosine      (1 + c) / 2
    dotProduct  max((1 + p) / 2, 0)         bytes: 0.5 + p / (dimensions · 2^15)
    euclidean   1 / (1 + d²)
    bits        (dimensions − hamming) / dimensions
Source: Lucene 10.1 VectorSimilarityFunction; bits measured on the engine.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array
from atlas_rag.inprocess.search.vector_index.values import Kind

Similarity = Literal["cosine", "dotProduct", "euclidean"]

ONES_IN_BYTE = np.array([byte.bit_count() for byte in range(256)], np.uint8)
_LARGEST = np.finfo(np.float32).max
_ONE, _HALF = np.float32(1.0), np.float32(0.5)

# Lucene sums up to this many components in one chain
_CHAINED = 32

# float32 sums over thousands of terms stay well inside this share of the largest possible value
_COARSE_ERROR = 1e-5


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
    """A float32 per row that grows with the score, and how far off it may be."""
    products = rows @ query
    size = math.sqrt(query @ query)
    if similarity == "cosine":
        return products * sides, _COARSE_ERROR * size
    largest = float(sides.max(initial=0.0))
    if similarity == "dotProduct":
        return products, _COARSE_ERROR * size * largest**0.5
    return products + products - sides, _COARSE_ERROR * (size * size + largest)


def exact(rows: Array, query: Array, similarity: Similarity, kind: Kind) -> Array:
    """The engine's float32 score of each row."""
    scores: Array
    if similarity == "euclidean":
        apart = (rows - query).astype(np.float64)
        return _ONE / (_ONE + _sums(apart * apart).astype(np.float32))
    both = np.concatenate((rows, query[None, :]), dtype=np.float64)  # the question as the last row
    wide, asked = both[:-1], both[-1]
    products = _sums(wide * asked) if len(asked) <= _CHAINED else wide @ asked
    if similarity == "cosine":
        squares = _sums(both * both)
        sizes = np.sqrt(squares[:-1] * squares[-1])
        scores = np.maximum((_ONE + (products / sizes).astype(np.float32)) * _HALF, 0)
    elif kind == "byte":
        scores = _HALF + products.astype(np.float32) / np.float32(len(asked) * (1 << 15))
    else:
        scores = np.maximum((_ONE + products.astype(np.float32)) * _HALF, 0)
    return scores


def _sums(products: Array) -> Array:
    """Row by row the sum of float64 products.

    Up to 32 dimensions it is the engine's own chain of fused multiply-adds, rounded to float32 at each step:
    equal to the last bit. Longer rows are summed in float64; the engine's float32 sums, whose order depends
    on the machine, stay within 3e-7 of that for vectors of unit length.
    """
    if products.shape[1] > _CHAINED:
        sums: Array = np.add.reduce(products, axis=1)
        return sums
    total = np.zeros(len(products), np.float32)
    for column in products.T:
        total = (column + total).astype(np.float32)
    return total.astype(np.float64)


def bit_scores(rows: Array, query: Array) -> Array:
    """The score of packed bits: the share of equal bits, float32."""
    dimensions = rows.shape[1] * 8
    different = ONES_IN_BYTE[rows ^ query].sum(axis=1, dtype=np.int64)
    scores: Array = ((dimensions - different) / np.float32(dimensions)).astype(np.float32)
    return scores
