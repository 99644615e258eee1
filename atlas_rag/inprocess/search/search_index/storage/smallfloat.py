"""Lucene's one-byte field lengths.

Source: Lucene's SmallFloat.intToByte4/byte4ToInt: lengths up to 39 are exact, longer ones keep three
significant bits after the leading one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAX_INT = 2**31 - 1


def _long_to_int4(value: int) -> int:
    bits = value.bit_length()
    if bits < 4:
        return value
    shift = bits - 4
    return ((value >> shift) & 0x07) | ((shift + 1) << 3)


def _int4_to_long(code: int) -> int:
    bits, shift = code & 0x07, (code >> 3) - 1
    return bits if shift == -1 else (bits | 0x08) << shift


_FREE = 255 - _long_to_int4(_MAX_INT)


def _decode(code: int) -> int:
    return code if code < _FREE else _FREE + _int4_to_long(code - _FREE)


LENGTHS: NDArray[np.int64] = np.array([_decode(code) for code in range(256)], np.int64)
"""The length that each of the 256 codes stands for."""


def encode_lengths(lengths: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Encodes token counts as one byte each, rounding down."""
    if len(lengths) and int(lengths.max()) < len(_SHORT):
        return _SHORT[lengths]
    return _encode(lengths)


def _encode(lengths: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    return (LENGTHS.searchsorted(lengths, side="right") - 1).astype(np.uint8)


_SHORT = _encode(np.arange(4096))
"""The codes of common lengths, at hand."""
