"""What a filter may be compared with: literals, nothing that a server could read as syntax."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, TypeAlias
from uuid import UUID

from bson.binary import Binary
from bson.decimal128 import Decimal128
from bson.objectid import ObjectId

from atlas_rag.errors import CallError, Code

Value: TypeAlias = bool | int | float | str | datetime | ObjectId | UUID | None
"""A filter value: the types that `$vectorSearch.filter`, `$search` and `$match` all compare alike."""

TYPES = "bool, int (64 bit), finite float, str, datetime, ObjectId, UUID or None"
AS_THEY_ARE = (str, bool, datetime, ObjectId, UUID, type(None))
INT64 = range(-(2**63), 2**63)


TYPE_NAMES: dict[type, str] = {
    type(None): "null",
    bool: "bool",
    str: "string",
    datetime: "date",
    ObjectId: "objectId",
    UUID: "uuid",
    int: "number",
    float: "number",
}


def type_name(value: Value) -> str:
    """The BSON type bracket of a value; int and float share one."""
    name = TYPE_NAMES.get(type(value))
    if name is None:
        name = next(name for kind, name in TYPE_NAMES.items() if isinstance(value, kind))
    return name


def literal(value: Any, path: str) -> Value:
    """Returns the value if it is a literal that every target compares alike.

    Raises:
        CallError: VALUE_NOT_LITERAL for a document with a `$` key, else INVALID_FILTER.
    """
    if type(value) in AS_THEY_ARE or isinstance(value, AS_THEY_ARE):
        return value  # type: ignore[no-any-return]
    if isinstance(value, int):
        if value not in INT64:
            raise _refused(
                value, path, "an integer beyond 64 bits", "store and compare such numbers as strings"
            )
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _refused(value, path, "a float that is not finite", "compare with a finite bound")
        return value
    if isinstance(value, Binary) and value.subtype == 4:
        return value.as_uuid()
    raise _refused_type(value, path)


def _refused_type(value: Any, path: str) -> CallError:
    if isinstance(value, Mapping):
        if any(str(key).startswith("$") for key in value):
            return CallError(
                f"The filter value for {path!r} is a document with a '$' key",
                expected="a literal; a value is never read as an operator",
                next_step="build the condition with field(path) or Filter.from_dict from trusted input only",
                code=Code.VALUE_NOT_LITERAL,
            )
        return _refused(value, path, "a sub-document", "filter on the dotted path of one of its fields")
    if isinstance(value, list | tuple | set | frozenset):
        return _refused(value, path, "a collection of values", "use where_in / field(path).in_([...])")
    if isinstance(value, date):
        return _refused(value, path, "a date without a time", "pass a datetime (aware, or naive UTC)")
    if isinstance(value, Decimal128):
        return _refused(value, path, "a Decimal128, which no search index holds", "store a float or an int64")
    return _refused(value, path, f"of type {type(value).__name__}", "convert it first")


def _refused(value: Any, path: str, what: str, next_step: str) -> CallError:
    return CallError(
        f"The filter value for {path!r} is {what}",
        expected=TYPES,
        next_step=next_step,
        code=Code.INVALID_FILTER,
    )
