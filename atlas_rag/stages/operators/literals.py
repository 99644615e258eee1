"""Values that conditions compare with: kinds, and the order within a kind."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any
from uuid import UUID

from bson.binary import Binary
from bson.datetime_ms import DatetimeMS
from bson.objectid import ObjectId

from atlas_rag.stages.spelling import frozen, invalid

_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "boolean"),
    ((int, float), "number"),
    (str, "string"),
    ((datetime, DatetimeMS), "date"),
    (ObjectId, "objectId"),
    (UUID, "uuid"),
)
_ORDERED = frozenset({"number", "string", "date", "objectId", "uuid"})
_LIMIT_INT64 = 2**63


def kind_of(value: Any) -> str | None:
    """What a value is comparable with, or None for what cannot stand in a condition."""
    kind = next((kind for types, kind in _KINDS if isinstance(value, types)), None)
    if kind == "number" and not isinstance(value, float) and not -_LIMIT_INT64 <= value < _LIMIT_INT64:
        return None
    return kind


def one(value: Any, name: str) -> None:
    """One comparable value."""
    if kind_of(value) is None:
        raise invalid(
            f"{name} is a {type(value).__name__}",
            "bool, int of 64 bits, float, str, datetime, ObjectId, UUID",
        )


def one_or_null(value: Any, name: str) -> None:
    """One comparable value, or None for an explicit null."""
    if value is not None:
        one(value, name)


def one_or_many(value: Any, name: str) -> None:
    """One comparable value, or a non-empty tuple of one kind; ints and floats are one kind."""
    if not isinstance(value, tuple):
        one(value, name)
        return
    if not value:
        raise invalid(f"{name} has no value", "a value or a non-empty tuple of values")
    for item in value:
        one(item, name)
    if len(set(map(kind_of, value))) > 1:
        raise invalid(f"{name} mixes kinds of values", "values of one kind")


def bound(value: Any, name: str) -> None:
    """A value that has an order; NaN has none."""
    if kind_of(value) not in _ORDERED or (isinstance(value, float) and math.isnan(value)):
        raise invalid(f"{name} is a {type(value).__name__}", "a number, str, datetime, ObjectId or UUID")


def compare(low: Any, high: Any) -> int:
    """Negative, 0 or positive for two bounds of one kind.

    An integer and a double are compared as doubles, −0.0 lies below 0.0. Source: measured on the engine.
    """
    if isinstance(low, float) and isinstance(high, float) and low == high:
        low, high = math.copysign(1.0, low) if low == 0 else 0, math.copysign(1.0, high) if high == 0 else 0
    elif isinstance(low, float) or isinstance(high, float):
        low, high = float(low), float(high)
    else:
        low, high = _order(low), _order(high)
    return bool(low > high) - bool(low < high)


def _order(value: Any) -> Any:
    if isinstance(value, datetime):
        return int(DatetimeMS(value))
    if isinstance(value, DatetimeMS):
        return int(value)
    return value.bytes if isinstance(value, UUID) else value


def read_literal(value: Any) -> Any:
    """A value as the wire brings it: BinData of subtype 4 is a UUID, an array a tuple."""
    if isinstance(value, list):
        return tuple(map(read_literal, value))
    is_uuid = isinstance(value, Binary) and value.subtype == 4 and len(value) == 16
    return UUID(bytes=bytes(value)) if is_uuid else frozen(value)
