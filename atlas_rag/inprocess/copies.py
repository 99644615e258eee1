"""Documents on their way in and out: each side owns its copy, as with a driver.

On the way in, values become what BSON would make of them: a tuple becomes a list, a large int an Int64, an
aware datetime a naive UTC one of whole milliseconds. Plain values are copied directly; everything rare goes
through `bson` itself, so that it is converted, or refused, exactly as a driver would.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import countOf
from typing import Any

import bson
from bson import Int64, ObjectId
from bson.errors import InvalidDocument
from bson.raw_bson import RawBSONDocument

_INT32_LIMIT, _INT64_LIMIT = 1 << 31, 1 << 63
_UNCHANGED = frozenset({float, bool, type(None), ObjectId, Int64, bson.Decimal128, bson.Timestamp})

Document = dict[str, Any]


def owned(document: Mapping[str, Any]) -> Document:
    """Returns a deep copy of a document as a server would store it.

    Raises:
        InvalidDocument, OverflowError, ValueError, UnicodeEncodeError: as `bson.encode` does.
        TypeError: it is not a mapping.
    """
    if not isinstance(document, Mapping):
        raise TypeError(f"a document must be a mapping, not {type(document).__name__}")
    return _fields(document)


def given(value: Any) -> Any:
    """Returns a copy of a stored value that the caller may change."""
    kind = type(value)
    if kind is dict:
        if _CONTAINERS.isdisjoint(map(type, value.values())):  # nothing inside can be changed in place
            return value.copy()
        return {name: given(inner) for name, inner in value.items()}
    if kind is list:
        return value[:] if _CONTAINERS.isdisjoint(map(type, value)) else [*map(given, value)]
    if kind is RawBSONDocument:  # encoded for a reply that travels, and asked for here
        return bson.decode(value.raw)
    return value


_CONTAINERS = frozenset({dict, list, RawBSONDocument})


def _fields(document: Mapping[str, Any]) -> Document:
    return {
        name if type(name) is str and name.isascii() and "\0" not in name else _name(name): _stored(value)
        for name, value in document.items()
    }


def _name(name: Any) -> str:
    if type(name) is not str:
        if not isinstance(name, str):
            raise InvalidDocument(f"documents must have only string keys, key was {name!r}")
        name = str(name)
    if "\0" in name:
        raise InvalidDocument(f"Key names must not contain the NULL byte: {name!r}")
    return _text(name)


def _text(text: str) -> str:
    if not text.isascii():
        text.encode()  # a lone surrogate is no text: UnicodeEncodeError, as the driver raises
    return text


def _stored(value: Any) -> Any:
    kind = type(value)
    if kind is str:
        return value if value.isascii() else _text(value)
    if kind is int:
        return value if -_INT32_LIMIT <= value < _INT32_LIMIT else _large(value)
    if kind in _UNCHANGED:
        return value
    if kind is dict:
        return _fields(value)
    if kind is list:
        plain = countOf(map(type, value), float) == len(value)  # a vector, mostly
        return value[:] if plain else [*map(_stored, value)]
    if kind is tuple:
        return [*map(_stored, value)]
    return bson.decode(bson.encode({"": value}))[""]


def _large(value: int) -> Int64:
    if not -_INT64_LIMIT <= value < _INT64_LIMIT:
        raise OverflowError("MongoDB can only handle up to 8-byte ints")
    return Int64(value)
