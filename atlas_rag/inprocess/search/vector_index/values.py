"""Vectors as BSON spells them: arrays of numbers, or binary of subtype 9."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from bson.binary import VECTOR_SUBTYPE, Binary

Kind = Literal["float", "byte", "bit"]

_KIND_OF_DTYPE: dict[int, Kind] = {0x27: "float", 0x03: "byte", 0x10: "bit"}
_BITS: dict[Kind, int] = {"float": 32, "byte": 8, "bit": 1}  # of each number
_FLOAT_ONE, _FLOAT_ZERO = struct.pack("<f", 1.0), struct.pack("<f", 0.0)


class Vector(NamedTuple):
    """One vector: little-endian float32, signed bytes, or bits packed eight to a byte (first bit highest)."""

    kind: Kind
    data: bytes

    @property
    def dimensions(self) -> int:
        """How many numbers (bits, for packed bits) it has."""
        return len(self.data) * 8 // _BITS[self.kind]


@lru_cache(maxsize=64)
def float_packer(dimensions: int) -> struct.Struct:
    """Packs that many numbers as float32; its `pack` raises `struct.error` or `OverflowError`."""
    return struct.Struct(f"<{dimensions}f")


def holds_booleans(numbers: list[Any], packed: bytes) -> bool:
    """Whether `struct` packed a boolean as 1 or 0. A look at the bytes spares most lists a look inside."""
    return (_FLOAT_ONE in packed or _FLOAT_ZERO in packed) and any(type(number) is bool for number in numbers)


def sound_vector(numbers: list[Any]) -> Vector:
    """Numbers as a vector; they are known to be numbers that fit a float32."""
    return Vector("float", float_packer(len(numbers)).pack(*numbers))


def read_vector(value: Any) -> Vector | None:
    """The vector that `value` spells, or None. Numbers are narrowed to float32; kinds may be mixed."""
    if isinstance(value, Binary):
        return _read_binary(value)
    if not isinstance(value, list):
        return None
    try:
        packed = float_packer(len(value)).pack(*value)
    except (struct.error, OverflowError):
        return None
    return None if holds_booleans(value, packed) else Vector("float", packed)


def first_vector(value: Any) -> Vector | None:
    """The first vector in `value`, or in arrays inside it at any depth: all that an index takes of it."""
    vector = read_vector(value)
    if vector is not None and vector.data:
        return vector
    for item in value if isinstance(value, list) else ():
        inner = first_vector(item) if isinstance(item, (list, Binary)) else None
        if inner is not None:
            return inner
    return None


def _read_binary(value: Binary) -> Vector | None:
    if value.subtype != VECTOR_SUBTYPE or len(value) < 2:
        return None
    kind = _KIND_OF_DTYPE.get(value[0])
    if kind is None or value[1] & 0b111:
        return None
    data = bytes(value[2:])
    return Vector(kind, data[: len(data) // 4 * 4] if kind == "float" else data)
