"""Which BSON type a Python value is.

An `int` outside 32 bits counts as a long, as the driver would send it; `bson.Int64` is a long of any size.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from bson import (
    Binary,
    Code,
    DatetimeMS,
    DBRef,
    Decimal128,
    Int64,
    MaxKey,
    MinKey,
    ObjectId,
    Regex,
    Timestamp,
)

Document = Mapping[str, Any]


class Missing(Enum):
    """The value of a field that is not there: different from null, and never stored."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Final = Missing.MISSING

INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

_NAMES: dict[type, str] = {
    Missing: "missing",
    type(None): "null",
    bool: "bool",
    int: "int",
    Int64: "long",
    float: "double",
    Decimal128: "decimal",
    str: "string",
    dict: "object",
    DBRef: "object",
    list: "array",
    tuple: "array",
    bytes: "binData",
    Binary: "binData",
    uuid.UUID: "binData",
    ObjectId: "objectId",
    dt.datetime: "date",
    DatetimeMS: "date",
    Timestamp: "timestamp",
    Regex: "regex",
    re.Pattern: "regex",
    Code: "javascript",
    MinKey: "minKey",
    MaxKey: "maxKey",
}

# Type codes and aliases as `$type` takes them; the deprecated ones never occur in a document here.
TYPE_CODES: dict[str, int] = {
    "double": 1,
    "string": 2,
    "object": 3,
    "array": 4,
    "binData": 5,
    "undefined": 6,
    "objectId": 7,
    "bool": 8,
    "date": 9,
    "null": 10,
    "regex": 11,
    "dbPointer": 12,
    "javascript": 13,
    "symbol": 14,
    "javascriptWithScope": 15,
    "int": 16,
    "timestamp": 17,
    "long": 18,
    "decimal": 19,
    "minKey": -1,
    "maxKey": 127,
}

_NUMBER_CLASSES: Final = frozenset({int, float, Int64, Decimal128})
NUMBERS: Final = frozenset({"int", "long", "double", "decimal"})


def type_name(value: Any) -> str:
    """Returns the alias of the value's BSON type, as `$type` does."""
    kind = type(value)
    if kind is int and not INT32_MIN <= value <= INT32_MAX:
        return "long"
    if kind is Code and value.scope is not None:
        return "javascriptWithScope"
    return _NAMES.get(kind) or _name_of_subclass(value)


def _name_of_subclass(value: Any) -> str:
    if isinstance(value, Mapping):
        return "object"
    for kind in type(value).__mro__:
        if kind in _NAMES:
            return _NAMES[kind]
    raise TypeError(f"{type(value).__name__} is not a BSON value")


def is_number(value: Any) -> bool:
    """True for int, long, double and decimal; a bool is not a number."""
    return value.__class__ in _NUMBER_CLASSES or (
        isinstance(value, (int, float, Decimal128)) and not isinstance(value, bool)
    )


def is_truthy(value: Any) -> bool:
    """False for missing, null, false and every zero; true for all else, also NaN and empty strings."""
    if value is None or value is MISSING or value is False:
        return False
    if isinstance(value, (int, float)):
        return value != 0
    return not isinstance(value, Decimal128) or value.to_decimal() != 0
