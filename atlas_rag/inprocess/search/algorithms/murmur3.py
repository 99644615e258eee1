"""Which partition of an index a document belongs to.

Source: the x64 128-bit variant of MurmurHash3 by Austin Appleby (public domain).
"""

from __future__ import annotations

import struct
from typing import Any

import bson

PARTITION_SEED = 1867391047
_MASK = (1 << 64) - 1
_C1 = 0x87C37B91114253D5
_C2 = 0x4CF5AD432745937F


def murmur3_128(data: bytes, seed: int = 0) -> tuple[int, int]:
    """The two unsigned 64-bit halves of the hash, the first being the low one."""
    first = second = seed
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        one, two = struct.unpack_from("<QQ", data, at)
        first = ((_rotate(first ^ _mix_one(one), 27) + second) * 5 + 0x52DCE729) & _MASK
        second = ((_rotate(second ^ _mix_two(two), 31) + first) * 5 + 0x38495AB5) & _MASK
    one, two = struct.unpack("<QQ", data[whole:].ljust(16, b"\0"))
    first ^= _mix_one(one) ^ len(data)
    second ^= _mix_two(two) ^ len(data)
    first = (first + second) & _MASK
    second = (second + first) & _MASK
    first, second = _finish(first), _finish(second)
    first = (first + second) & _MASK
    return first, (second + first) & _MASK


def partition(document_id: Any, partitions: int) -> int:
    """The partition, 0 up to `partitions`, that holds the document with this `_id`."""
    low, _ = murmur3_128(bson.encode({"_id": document_id}), PARTITION_SEED)
    return (low & 0xFFFFFFFF) % partitions


def _rotate(value: int, bits: int) -> int:
    return (value << bits | value >> 64 - bits) & _MASK


def _mix_one(block: int) -> int:
    return _rotate(block * _C1 & _MASK, 31) * _C2 & _MASK


def _mix_two(block: int) -> int:
    return _rotate(block * _C2 & _MASK, 33) * _C1 & _MASK


def _finish(value: int) -> int:
    value ^= value >> 33
    value = value * 0xFF51AFD7ED558CCD & _MASK
    value ^= value >> 33
    value = value * 0xC4CEB9FE1A85EC53 & _MASK
    return value ^ value >> 33
