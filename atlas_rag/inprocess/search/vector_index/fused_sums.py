"""Inner products in float32, added as the engine adds them: by fused multiply-adds, each rounded once.

Up to 32 dimensions are summed in one chain. Longer vectors are dealt out to several chains, whose ends are
added; what is left over then continues the sum. So the last bit of a score is the engine's.

Most BLAS libraries multiply matrices of a suitable shape by such chains. They are used where they are found
to do so; elsewhere chains are emulated, which takes several times as long.
Source: recorded scores (one chain; two for cosine); Lucene's documented scalar arithmetic (else four).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from atlas_rag.inprocess.search.vector_index.fused_chain import chained
from atlas_rag.inprocess.search.vector_index.growing import Array

_ONE_CHAIN = 32  # dimensions
_PIECE = 256  # steps of a chain taken at once; libraries divide longer ones
_SHAPES = ((16, 16), (24, 12))  # rows and columns of matrices that libraries multiply by chains


@np.errstate(all="ignore")  # numbers overflow in silence, as in Java
def fused_sums(left: Array, right: Array, chains: int) -> Array:
    """The inner product of each row of `left` with the same row of `right`, or with its only row.

    Args:
        left, right: float32, with at least one column.
        chains: how many a row of more than 32 dimensions is dealt out to; 2 or 4.
    """
    dimensions = left.shape[1]
    if dimensions <= _ONE_CHAIN:
        alone: Array = _chained(None, left[None], right[None])[0]
        return alone
    whole = dimensions // chains * chains
    ends = _chained(None, _dealt(left[:, :whole], chains), _dealt(right[:, :whole], chains))
    total: Array = ends[0]
    for end in ends[1:]:
        total = total + end
    if whole < dimensions:
        total = _chained(total[None], left[None, :, whole:], right[None, :, whole:])[0]
    return total


def _dealt(rows: Array, chains: int) -> Array:
    """For each chain its components of all rows: the first gets every `chains`-th from the first one on."""
    return rows.reshape(len(rows), rows.shape[1] // chains, chains).transpose(2, 0, 1)


def _chained(total: Array | None, left: Array, right: Array) -> Array:
    """Where chains end that have come to `total` (None: nothing yet), which joins as a product with one.

    Args:
        left, right: (chains, rows, steps); `right` may have a single row for all.
    """
    ends = _piece(total, left[:, :, :_PIECE], right[:, :, :_PIECE])
    for start in range(_PIECE, left.shape[2], _PIECE):
        part = slice(start, start + _PIECE)
        ends = _piece(ends, left[:, :, part], right[:, :, part])
    return ends


def _piece(total: Array | None, left: Array, right: Array) -> Array:
    if total is not None:
        left = np.concatenate((total[:, :, None], left), axis=2)
        right = np.concatenate((np.ones_like(right[:, :, :1]), right), axis=2)
    shape = _chaining_shape(left.shape[2])
    return _emulated(left, right) if shape is None else _by_library(left, right, shape)


def _emulated(left: Array, right: Array) -> Array:
    products = left.astype(np.float64) * right
    return chained(products.reshape(-1, products.shape[2])).reshape(products.shape[:2])


@cache
def _chaining_shape(steps: int) -> tuple[int, int] | None:
    """The shape of matrices that this machine's BLAS library multiplies by chains of fused multiply-adds.

    What it does with the numbers depends on the shape alone, and of many rows whose sums were added in any
    other way most would differ. None: it does so in neither shape.
    """
    left, right = np.random.default_rng(steps).standard_normal((2, 1, 64, steps)).astype(np.float32)
    wanted = _emulated(left, right)
    return next((shape for shape in _SHAPES if np.array_equal(_by_library(left, right, shape), wanted)), None)


def _by_library(left: Array, right: Array, shape: tuple[int, int]) -> Array:
    """The first columns, or the diagonals, of products of small matrices."""
    used = min(shape)
    across, down = _matrices(left, shape[0], used), _matrices(right, shape[1], used)
    products = across @ np.ascontiguousarray(down.swapaxes(2, 3))
    wanted = products[:, :, :used, 0] if right.shape[1] == 1 else products.diagonal(axis1=2, axis2=3)
    ends: Array = wanted.reshape(len(left), across.shape[1] * used)[:, : left.shape[1]]
    return ends


def _matrices(rows: Array, height: int, used: int) -> Array:
    """Each chain's rows in matrices of one height, whose first `used` rows they fill."""
    chains, count, steps = rows.shape
    matrices = np.zeros((chains, -(-count // used), height, steps), np.float32)
    whole = count // used
    matrices[:, :whole, :used] = rows[:, : whole * used].reshape(chains, whole, used, steps)
    if whole < matrices.shape[1]:
        matrices[:, whole, : count - whole * used] = rows[:, whole * used :]
    return matrices
