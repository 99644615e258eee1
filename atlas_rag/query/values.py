"""What a filter may be compared with: literals, nothing that a server could read as syntax.

A value of a subclass (a `StrEnum` member, an `Int64` read from the database, a numpy scalar) is the plain
literal that it stands for. What stands for none is refused. Either takes constant time.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Final, TypeAlias
from uuid import UUID

from bson.binary import OLD_UUID_SUBTYPE, UUID_SUBTYPE, Binary
from bson.code import Code as JavaScript
from bson.codec_options import CodecOptions
from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.errors import InvalidBSON
from bson.objectid import ObjectId

from atlas_rag.errors import CallError, Code

Value: TypeAlias = bool | int | float | str | datetime | ObjectId | UUID | None
"""A filter value: the types that `$vectorSearch.filter`, `$search` and `$match` all compare alike."""

TYPES: Final = "bool, int (64 bit), finite float, str, datetime, ObjectId, UUID or None"
_LONG_LIMIT: Final = 2**63
_UUID_BYTES: Final = 16
_NAIVE_UTC: Final = CodecOptions[dict[str, Any]](tz_aware=False)

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
    """The BSON type bracket of a literal; int and float share one."""
    return TYPE_NAMES[type(value)]


def literal(value: Any, path: str) -> Value:
    """The plain literal that a value stands for.

    Dates are naive UTC, cut to the millisecond as BSON stores them (an aware one is converted, a naive one
    is UTC). A float without a fraction is the int it equals, and -0.0 is 0: equal filters look equal.

    Raises:
        CallError: VALUE_NOT_LITERAL for a document with a `$` key, else INVALID_FILTER.
    """
    read = _READERS.get(type(value))
    if read is None:
        read = next((reader for kind, reader in _KINDS if isinstance(value, kind)), _other)
    return read(value, path)


def text(value: str, what: str) -> str:
    """A plain str of the same characters.

    Raises:
        CallError: INVALID_FILTER for half of a surrogate pair, which no database can store.
    """
    plain = str.__str__(value)
    if not plain.isascii():
        try:
            plain.encode()
        except UnicodeEncodeError:
            raise CallError(
                f"{what} holds half of a surrogate pair, which is no text",
                expected="a str that UTF-8 can encode",
                next_step="decode the source with the encoding it was written in",
                code=Code.INVALID_FILTER,
            ) from None
    return plain


def _null(value: None, path: str) -> Value:
    return value


def _bool(value: bool, path: str) -> Value:
    return value


def _integer(value: int, path: str) -> Value:
    plain = int.__index__(value)
    if not -_LONG_LIMIT <= plain < _LONG_LIMIT:
        raise _refused(path, "an integer beyond 64 bits", "store and compare such numbers as strings")
    return plain


def _float(value: float, path: str) -> Value:
    plain = float.__float__(value)
    if not math.isfinite(plain):
        raise _refused(path, "a float that is not finite", "compare with a finite bound")
    return int(plain) if plain.is_integer() and -_LONG_LIMIT <= plain < _LONG_LIMIT else plain


def _string(value: str, path: str) -> Value:
    if isinstance(value, JavaScript):
        raise _refused(path, "JavaScript code", "filter on a str")
    return text(value, f"The filter value for {path!r}")


def _date(value: datetime | DatetimeMS, path: str) -> Value:
    try:
        moment = value if isinstance(value, DatetimeMS) else DatetimeMS(value)
        return moment.as_datetime(_NAIVE_UTC)
    except (InvalidBSON, OverflowError, ValueError, TypeError, AttributeError):  # NaT looks like a datetime
        raise _refused(path, "no moment of the years 1 to 9999", "pass a datetime in that range") from None


def _object_id(value: ObjectId, path: str) -> Value:
    return value if type(value) is ObjectId else ObjectId(value.binary)


def _uuid(value: UUID, path: str) -> Value:
    return value if type(value) is UUID else UUID(int=value.int)


def _binary(value: Binary, path: str) -> Value:
    if value.subtype == UUID_SUBTYPE and len(value) == _UUID_BYTES:
        return UUID(bytes=bytes(value))
    if value.subtype == OLD_UUID_SUBTYPE:
        next_step = "store UUIDs as subtype 4 and pass binary.as_uuid(representation)"
        raise _refused(path, "a legacy UUID (binary of subtype 3), which no search index holds", next_step)
    raise _refused(path, f"a binary of subtype {value.subtype}", "filter on a str that names the value")


def plain_number(value: Any) -> Any:
    """A number of numpy as the Python number that it is; anything else as it is. Does not import numpy."""
    numpy = sys.modules.get("numpy")
    return value.item() if numpy is not None and isinstance(value, numpy.number) else value


def _other(value: Any, path: str) -> Value:
    """Scalars of numpy, without importing it; nothing else."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, numpy.generic):
        raise _refused_type(value, path)
    if isinstance(value, numpy.datetime64):  # item() would be a bare int where nanoseconds are counted
        moment = value.astype("datetime64[ms]").item()
        if not isinstance(moment, datetime):
            raise _refused(path, "no moment of the years 1 to 9999", "pass a datetime in that range")
        return _date(moment, path)
    plain = value.item()
    if isinstance(plain, numpy.generic):  # wider than any type of Python
        raise _refused_type(value, path)
    return literal(plain, path)


_READERS: dict[type, Callable[[Any, str], Value]] = {
    type(None): _null,
    bool: _bool,
    str: _string,
    int: _integer,
    float: _float,
    datetime: _date,
    ObjectId: _object_id,
    UUID: _uuid,
    Binary: _binary,
    DatetimeMS: _date,
}
_KINDS: Final = tuple(_READERS.items())


def _refused_type(value: Any, path: str) -> CallError:
    if isinstance(value, Mapping):
        if any(str(key).startswith("$") for key in value):
            return CallError(
                f"The filter value for {path!r} is a document with a '$' key",
                expected="a literal; a value is never read as an operator",
                next_step="build the condition with field(path) or Filter.from_dict from trusted input only",
                code=Code.VALUE_NOT_LITERAL,
            )
        return _refused(path, "a sub-document", "filter on the dotted path of one of its fields")
    if isinstance(value, list | tuple | set | frozenset):
        return _refused(path, "a collection of values", "use where_in / field(path).in_([...])")
    if isinstance(value, date):
        return _refused(path, "a date without a time", "pass a datetime (aware, or naive UTC)")
    if isinstance(value, Decimal128 | Decimal):
        return _refused(
            path, f"a {type(value).__name__}, which no search index holds", "store an int or float"
        )
    if isinstance(value, Enum):
        return _refused(
            path, f"a member of {type(value).__name__}", "pass its value, or use StrEnum or IntEnum"
        )
    return _refused(path, f"of type {type(value).__name__}", "convert it first")


def _refused(path: str, what: str, next_step: str) -> CallError:
    return CallError(
        f"The filter value for {path!r} is {what}",
        expected=TYPES,
        next_step=next_step,
        code=Code.INVALID_FILTER,
    )
