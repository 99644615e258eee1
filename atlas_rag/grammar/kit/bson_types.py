"""BSON types of Python values, by the names that the engine prints.

Python's `int` stands for int32 where it fits and int64 elsewhere, as a driver would encode it; `bson.Int64`
is int64 whatever its size. `bool` is never a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, TypeGuard
from uuid import UUID

from bson.binary import Binary
from bson.code import Code
from bson.datetime_ms import DatetimeMS
from bson.dbref import DBRef
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.max_key import MaxKey
from bson.min_key import MinKey
from bson.objectid import ObjectId
from bson.regex import Regex
from bson.timestamp import Timestamp

UUID_SUBTYPE: Final = 4
VECTOR_SUBTYPE: Final = 9

_INT32_LIMIT: Final = 1 << 31
_NUMBER_TYPES: Final = frozenset({int, float, Int64})

_NAMES: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (bool, "BOOLEAN"),
    (Int64, "INT64"),
    (float, "DOUBLE"),
    (Code, "JAVASCRIPT"),
    (str, "STRING"),
    ((Mapping, DBRef), "DOCUMENT"),
    ((list, tuple), "ARRAY"),
    ((bytes, UUID), "BINARY"),
    (ObjectId, "OBJECT_ID"),
    ((datetime, DatetimeMS), "DATE_TIME"),
    ((Regex, re.Pattern), "REGULAR_EXPRESSION"),
    (Timestamp, "TIMESTAMP"),
    (Decimal128, "DECIMAL128"),
    (MinKey, "MIN_KEY"),
    (MaxKey, "MAX_KEY"),
    (type(None), "NULL"),
)


_EXACT: Final = {types: name for types, name in _NAMES if isinstance(types, type)} | {
    dict: "DOCUMENT",
    list: "ARRAY",
    Binary: "BINARY",
    UUID: "BINARY",
    datetime: "DATE_TIME",
}
"""The usual Python types; subclasses of them are looked up in order."""


def type_name(value: Any) -> str:
    """BSON's name of a value's type (`INT32`, `OBJECT_ID`, …); Python's name for what BSON cannot hold."""
    exact = _EXACT.get(type(value))
    if exact is not None:
        return exact
    if isinstance(value, int) and not isinstance(value, bool | Int64):
        return "INT32" if -_INT32_LIMIT <= value < _INT32_LIMIT else "INT64"
    for types, name in _NAMES:
        if isinstance(value, types):
            return name
    return type(value).__name__


def is_number(value: Any) -> bool:
    """Whether a value is an int32, int64 or double (Decimal128 and bool are none of them)."""
    return type(value) in _NUMBER_TYPES or (isinstance(value, int | float) and not isinstance(value, bool))


def is_string(value: Any) -> bool:
    """Whether a value is a BSON string (`bson.Code` is a `str` in Python only)."""
    return type(value) is str or (isinstance(value, str) and not isinstance(value, Code))


def is_document(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value is a BSON document."""
    return type(value) is dict or isinstance(value, Mapping)


def is_array(value: Any) -> bool:
    """Whether a value is a BSON array."""
    return type(value) is list or isinstance(value, list | tuple)


def binary_subtype(value: Any) -> int | None:
    """The subtype of a binary value (a `uuid.UUID` is subtype 4), or None for anything else."""
    if isinstance(value, Binary):
        return value.subtype
    if isinstance(value, UUID):
        return UUID_SUBTYPE
    return 0 if isinstance(value, bytes) else None
