"""A query vector on the wire: BinData subtype 9, never a list of doubles unless asked for."""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from bson.binary import Binary

from atlas_rag.errors import CallError, Code

VectorLike: TypeAlias = "Sequence[float] | Binary | Any"
"""A sequence of numbers, a one-dimensional numpy array, or BinData subtype 9 as it is."""

SUBTYPE = 9
FLOAT32 = b"\x27\x00"
MAX_FLOAT32 = (2 - 2**-23) * 2.0**127
MAX_DIMENSIONS = 8192
"""Source: `numDimensions` 1…8192 of a vector index."""

MAX_CANDIDATES = 10_000
"""Source: `numCandidates` 1…10000."""


class Vector(Binary):
    """BinData subtype 9 whose `repr` shows the number of dimensions only."""

    def __repr__(self) -> str:
        return f"Vector({self.dtype}, {self.dimensions} dimensions)"

    __str__ = __repr__

    @property
    def dtype(self) -> str:
        """float32, int8 or packed_bit."""
        return {0x27: "float32", 0x03: "int8", 0x10: "packed_bit"}.get(self[0], f"0x{self[0]:02x}")

    @property
    def dimensions(self) -> int:
        """How many numbers the vector holds."""
        size = len(self) - 2
        return {0x27: size // 4, 0x03: size, 0x10: size * 8 - self[1]}.get(self[0], 0)

    @property
    def is_zero(self) -> bool:
        """Whether every number is 0, so that the vector has no direction."""
        if self[0] != 0x27:
            return not any(self[2:])
        return not any(struct.unpack(f"<{self.dimensions}f", self[2:]))


BOOLEANS = frozenset({"bool", "bool_"})
"""Types of truth values, Python's and numpy's, which pack as numbers and are none."""


def as_vector(value: VectorLike) -> Vector:
    """Turns numbers into a float32 `Vector`; BinData subtype 9 of any dtype passes as it is.

    Raises:
        CallError: INVALID_VECTOR if it is empty, nested, too long, or holds what is not a finite float32.
    """
    if isinstance(value, (list, tuple)):
        return _packed(value)
    if isinstance(value, Vector):
        return value
    if isinstance(value, Binary):
        return _from_binary(value)
    if type(value).__module__ == "numpy":
        return _from_numpy(value)
    if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
        raise _invalid(f"a {type(value).__name__}", "a sequence of numbers")
    return _packed(tuple(value))


def _from_binary(value: Binary) -> Vector:
    if value.subtype != SUBTYPE or len(value) < 3 or value[0] not in (0x27, 0x03, 0x10):
        raise _invalid(f"BinData of subtype {value.subtype}, {len(value)} bytes", "BinData subtype 9")
    if value[1] & 7:
        raise _invalid("a BinData with padding bits", "no padding: a multiple of 8 dimensions")
    if value[0] == 0x27:
        size, ragged = divmod(len(value) - 2, 4)
        if ragged or value[1]:
            raise _invalid(
                "a float32 BinData with ragged bytes or padding", "4 bytes a dimension, no padding"
            )
        return _packed(struct.unpack(f"<{size}f", value[2:]))
    return Vector(bytes(value), SUBTYPE)


def _from_numpy(value: Any) -> Vector:
    if value.ndim != 1 or value.dtype.kind not in "fiu":
        raise _invalid(f"a numpy array of shape {value.shape}, {value.dtype}", "one dimension of numbers")
    if not 0 < value.size <= MAX_DIMENSIONS or not float(abs(value).max()) <= MAX_FLOAT32:
        return _packed(value.tolist())  # which says what is wrong
    return Vector(FLOAT32 + value.astype("<f4").tobytes(), SUBTYPE)


def _packed(numbers: Sequence[float]) -> Vector:
    if not 0 < len(numbers) <= MAX_DIMENSIONS:
        raise _invalid(f"{len(numbers)} numbers long", f"1 to {MAX_DIMENSIONS} numbers")
    if not BOOLEANS.isdisjoint(kind.__name__ for kind in set(map(type, numbers))):
        raise _invalid("a sequence with True or False in it", "a flat sequence of numbers")
    packer = _packer(len(numbers))
    try:
        payload = packer.pack(*numbers)
        # Numbers below 2^127 have neither of these as their highest byte; only larger ones are looked at.
        highest = payload[3::4]
        if (0x7F in highest or 0xFF in highest) and not all(map(math.isfinite, packer.unpack(payload))):
            raise OverflowError
    except OverflowError:
        bad = next(i for i, number in enumerate(numbers) if not abs(number) <= MAX_FLOAT32)
        raise _invalid(f"not finite as float32 at position {bad}", "finite float32 numbers") from None
    except (struct.error, TypeError):
        raise _invalid(
            "a sequence with something in it that is not a number", "a flat sequence of numbers"
        ) from None
    return Vector(FLOAT32 + payload, SUBTYPE)


@lru_cache(maxsize=8)
def _packer(dimensions: int) -> struct.Struct:
    """Packs little-endian float32; the machine's own order is faster where it is the same."""
    return struct.Struct(f"{'' if sys.byteorder == 'little' else '<'}{dimensions}f")


def _invalid(problem: str, expected: str) -> CallError:
    return CallError(
        f"The query vector is {problem}",
        expected=expected,
        next_step="pass the embedder's output for one text",
        code=Code.INVALID_VECTOR,
    )
