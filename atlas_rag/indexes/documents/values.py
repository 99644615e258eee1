"""What stands at a path of a document, and of what kind it is."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from bson.binary import UUID_SUBTYPE, Binary
from bson.datetime_ms import DatetimeMS
from bson.objectid import ObjectId

EXACT_DOUBLES: Final = 2**53
"""Below it every integer is a double of its own."""

_KINDS: Final = {
    ObjectId: "objectId",
    str: "string",
    datetime.datetime: "date",
    DatetimeMS: "date",
    UUID: "uuid",
    bytes: "binData",
    dict: "document",
    list: "array",
    type(None): "null",
}


def raw_values(value: Any, path: Sequence[str]) -> list[Any]:
    """What stands at a path, arrays on the way followed, an array at the end taken as one value."""
    if not path:
        return [value]
    if isinstance(value, list):
        return [found for one in value for found in raw_values(one, path)]
    return raw_values(value[path[0]], path[1:]) if isinstance(value, Mapping) and path[0] in value else []


def values_at(document: Mapping[str, Any], path: str) -> list[Any]:
    """The values at a dotted path, arrays followed and taken apart."""
    values = raw_values(document, path.split("."))
    return [one for value in values for one in (value if isinstance(value, list) else [value])]


def kind(value: Any) -> str:
    """The kind of a value as filters tell them apart: all numbers are one."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, Binary):
        return "uuid" if value.subtype == UUID_SUBTYPE else "binData"
    return _KINDS.get(type(value), type(value).__name__)
