"""The order in which the engine lists the fields of an index: that of a Java HashSet of their names."""

from __future__ import annotations

from collections.abc import Collection

_SMALLEST_TABLE = 16
_LOAD = 0.75


def in_hash_order(names: Collection[str]) -> list[str]:
    """Returns names as a HashSet filled in the given order iterates over them."""
    buckets = _SMALLEST_TABLE
    while len(names) > _LOAD * buckets:
        buckets *= 2
    return sorted(names, key=lambda name: _bucket(name, buckets))


def _bucket(name: str, buckets: int) -> int:
    code = 0
    for unit in _units(name):
        code = (31 * code + unit) & 0xFFFFFFFF
    return (code ^ (code >> 16)) & (buckets - 1)


def _units(text: str) -> list[int]:
    encoded = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(encoded[at : at + 2]) for at in range(0, len(encoded), 2)]
