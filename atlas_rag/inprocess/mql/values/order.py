"""The order in which BSON values compare, across all types.

A value's *key* is a tuple that compares, and hashes, as the value does: the rank of its type first, then a
Python value of one kind per rank. Numbers of the four numeric types compare by value.

Source: the manual's "Comparison/Sort Order", checked against a server by tests/inprocess/property.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Callable, Mapping
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

from atlas_rag.inprocess.mql.values.types import Missing

Key = tuple[Any, ...]

NULL_RANK, NUMBER_RANK, STRING_RANK, OBJECT_RANK, ARRAY_RANK, REGEX_RANK = 5, 10, 15, 20, 25, 50
_EPOCH = dt.datetime(1970, 1, 1)
_MILLISECOND = dt.timedelta(milliseconds=1)


class _NotANumber:
    """NaN's place among the numbers: below all of them, and equal to itself."""

    def __lt__(self, other: object) -> bool:
        return self is not other

    def __gt__(self, other: object) -> bool:
        return False

    def __le__(self, other: object) -> bool:
        return True

    def __ge__(self, other: object) -> bool:
        return self is other


NAN_KEY: Final[Key] = (NUMBER_RANK, _NotANumber())
# Undefined is deprecated as a value, but an empty array sorts as it: between missing and null.
EMPTY_ARRAY_KEY: Final[Key] = (0, 1)


def milliseconds(value: dt.datetime | DatetimeMS) -> int:
    """Returns a date's milliseconds since 1970 in UTC; a date without zone is in UTC."""
    if isinstance(value, DatetimeMS):
        return int(value)
    if value.tzinfo is not None:
        value = value.astimezone(dt.UTC).replace(tzinfo=None)
    return (value - _EPOCH) // _MILLISECOND


def regex_flags(value: Regex[Any] | re.Pattern[Any]) -> str:
    """Returns a regular expression's options as BSON stores them, in alphabetical order."""
    flags = [(re.I, "i"), (re.L, "l"), (re.M, "m"), (re.S, "s"), (re.U, "u"), (re.X, "x")]
    native = isinstance(value, re.Pattern)
    return "".join(letter for flag, letter in flags if value.flags & flag and not (native and flag == re.U))


def _float_key(value: float) -> Key:
    return (NUMBER_RANK, value) if value == value else NAN_KEY


def _decimal_key(value: Decimal128) -> Key:
    number = value.to_decimal()
    return NAN_KEY if number.is_nan() else (NUMBER_RANK, number)


def _object_key(value: Mapping[str, Any]) -> Key:
    fields = []
    for name, field in value.items():
        key = sort_key(field)
        fields.append((key[0], name, key))
    return (OBJECT_RANK, tuple(fields))


def _binary_key(value: bytes) -> Key:
    return (30, (len(value), value.subtype if isinstance(value, Binary) else 0, bytes(value)))


def _code_key(value: Code) -> Key:
    return (60, str(value)) if value.scope is None else (65, (str(value), _object_key(value.scope)))


_KEYS: dict[type, Callable[[Any], Key]] = {
    MinKey: lambda _: (-1,),
    Missing: lambda _: (0,),
    type(None): lambda _: (NULL_RANK,),
    bool: lambda value: (40, value),
    int: lambda value: (NUMBER_RANK, value),
    Int64: lambda value: (NUMBER_RANK, value),
    float: _float_key,
    Decimal128: _decimal_key,
    str: lambda value: (STRING_RANK, value),
    dict: _object_key,
    DBRef: lambda value: _object_key(value.as_doc()),
    list: lambda value: (ARRAY_RANK, tuple([sort_key(item) for item in value])),
    bytes: _binary_key,
    Binary: _binary_key,
    uuid.UUID: lambda value: (30, (16, 4, value.bytes)),
    ObjectId: lambda value: (35, value.binary),
    dt.datetime: lambda value: (45, milliseconds(value)),
    DatetimeMS: lambda value: (45, int(value)),
    Timestamp: lambda value: (47, (value.time, value.inc)),
    Regex: lambda value: (REGEX_RANK, (value.pattern, regex_flags(value))),
    re.Pattern: lambda value: (REGEX_RANK, (value.pattern, regex_flags(value))),
    Code: _code_key,
    MaxKey: lambda _: (127,),
}


def sort_key(value: Any) -> Key:
    """Returns the key of any BSON value, also of `MISSING`, which comes before null."""
    kind = type(value)
    if kind is str:
        return (STRING_RANK, value)
    if kind is int:
        return (NUMBER_RANK, value)
    return (_KEYS.get(kind) or _key_of_subclass(kind))(value)


def _key_of_subclass(kind: type) -> Callable[[Any], Key]:
    for base in kind.__mro__:
        if base in _KEYS:
            return _KEYS[base]
    if issubclass(kind, Mapping):
        return _object_key
    raise TypeError(f"{kind.__name__} is not a BSON value")


def compare(left: Any, right: Any) -> int:
    """Returns -1, 0 or 1: how two values compare."""
    first, second = sort_key(left), sort_key(right)
    return 0 if first == second else -1 if first < second else 1


def equal(left: Any, right: Any) -> bool:
    """True if two values compare as equal: 1 and 1.0 do, 1 and true do not."""
    return sort_key(left) == sort_key(right)
