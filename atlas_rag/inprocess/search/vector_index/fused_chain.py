"""A chain of fused multiply-adds in float32, out of float64 additions.

A product of two float32 is exact in float64, so a fused multiply-add is a float64 addition that is then
rounded to float32. Done step by step this takes hundreds of calls. Instead the whole chain is one running sum
in float64 over three terms a step,
    … + product + magic − magic …
where `magic` is so large that adding it rounds at the last bit of a float32 of the size the sum then has.
Sizes are guessed from the plain running sum and corrected until they are those that the chain shows.
"""

from __future__ import annotations

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array

_TOGETHER = 4096  # products summed at once: what they need stays in the processor's cache

# of a float64: its size, the bits that a float32 lacks, and what these are half-way between two float32
_SIZE, _LACKING, _HALF_WAY = np.int64(0x7FF << 52), np.int64((1 << 29) - 1), np.int64(1 << 28)
_BIAS = 1023
# a sum of size s is rounded by 1.5 · 2^(s + 29): the smallest float64 bit there is the float32 bit here
_TO_MAGIC = np.int64(29 << 52 | 1 << 51)
_SMALLEST, _TOO_LARGE = np.int64((_BIAS - 126) << 52), np.int64((_BIAS + 128) << 52)


def chained(products: Array) -> Array:
    """The float32 sum of each row of exact float64 products, of which there is at least one a row."""
    ends = np.empty(len(products), np.float32)
    rows = max(_TOGETHER // products.shape[1], 1)
    for start in range(0, len(products), rows):
        ends[start : start + rows] = _block(products[start : start + rows])
    return ends


def _block(products: Array) -> Array:
    sizes = np.add.accumulate(products, axis=1).view(np.int64) & _SIZE
    sums = _rounded_to(sizes, products)
    while True:
        found = sums[:, ::3].view(np.int64) & _SIZE
        wrong = (found != sizes).any(axis=1).nonzero()[0]
        if not len(wrong):
            break
        sizes[wrong] = found[wrong]
        sums[wrong] = _rounded_to(sizes[wrong], products[wrong])
    ends: Array = sums[:, -1]
    doubtful = _doubtful(sums, products, sizes)
    if len(doubtful):
        ends[doubtful] = step_by_step(products[doubtful])
    return ends


def _rounded_to(sizes: Array, products: Array) -> Array:
    """Running sums of three terms a product, rounded as float32 of these sizes are."""
    terms = np.empty((len(products), products.shape[1] * 3))
    magic = (np.maximum(sizes, _SMALLEST) + _TO_MAGIC).view(np.float64)
    terms[:, ::3] = products
    terms[:, 1::3] = magic
    terms[:, 2::3] = -magic
    return np.add.accumulate(terms, axis=1)


def _doubtful(sums: Array, products: Array, sizes: Array) -> Array:
    """Rows with sums that a float64 rounds to half-way between two float32, or that leave their range."""
    found = sums[:, ::3].view(np.int64)
    suspect = (found & _LACKING) == _HALF_WAY
    suspect |= ((sizes < _SMALLEST) & (found != 0)) | (sizes >= _TOO_LARGE)
    if not suspect.any():
        return np.empty(0, np.int64)
    before = np.concatenate((np.zeros_like(sums[:, :1]), sums[:, 2:-1:3]), axis=1)
    _, missing = _added(before[suspect], products[suspect])
    suspect[suspect] = (missing != 0) | (sizes[suspect] >= _TOO_LARGE)
    doubtful: Array = suspect.any(axis=1).nonzero()[0]
    return doubtful


def step_by_step(products: Array) -> Array:
    """The same one addition after the other, whatever the numbers are.

    Formula: the float64 sum is rounded to odd, so that rounding it again is as rounding once.
    Source: Boldo and Melquiond, "Emulation of FMA and correctly rounded sums" (2008).
    """
    total = np.zeros(len(products), np.float32)
    for product in products.T:
        after, missing = _added(total.astype(np.float64), product)
        even = (np.abs(missing) > 0) & (after.view(np.int64) & 1 == 0)
        total = np.where(even, np.nextafter(after, np.copysign(np.inf, missing)), after).astype(np.float32)
    return total


def _added(before: Array, product: Array) -> tuple[Array, Array]:
    """A sum in float64, and what its rounding left out."""
    after = before + product
    added = after - before
    return after, (before - (after - added)) + (product - added)
