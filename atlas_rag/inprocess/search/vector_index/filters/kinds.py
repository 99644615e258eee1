"""Which BSON values a filter can compare, and as what."""

from __future__ import annotations

import datetime
import uuid
from typing import Any, Literal

from bson.binary import UUID_SUBTYPE, Binary
from bson.datetime_ms import DatetimeMS
from bson.objectid import ObjectId

TypeBracket = Literal["number", "string", "date", "objectId", "uuid", "boolean"]

# the engine's own limit for a filter string, in characters
_LONGEST_STRING = 8191
_EPOCH = datetime.datetime(1970, 1, 1)
_MILLISECOND = datetime.timedelta(milliseconds=1)


def comparable(value: Any) -> tuple[TypeBracket, Any] | None:
    """The type bracket of a value and a key that orders within it; None for what a filter cannot see.

    Not seen: decimals, documents, binary other than UUIDs, timestamps, regular expressions. NaN is seen as
    nothing too: no comparison finds it. Numbers of all kinds compare as doubles.
    """
    match value:
        case bool():
            return "boolean", value
        case int() | float():
            return None if value != value else ("number", _as_double(value))
        case str():
            return "string", value[:_LONGEST_STRING]
        case DatetimeMS():
            return "date", int(value)
        case datetime.datetime():
            return "date", _milliseconds(value)
        case ObjectId():
            return "objectId", value.binary
        case uuid.UUID():
            return "uuid", value.bytes
        case Binary() if value.subtype == UUID_SUBTYPE:
            return "uuid", bytes(value)
    return None


def _as_double(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:  # beyond what BSON can hold; kept comparable
        return float("inf") if value > 0 else float("-inf")


def _milliseconds(value: datetime.datetime) -> int:
    if value.tzinfo is not None:
        value = value.astimezone(datetime.UTC).replace(tzinfo=None)
    return (value - _EPOCH) // _MILLISECOND
