"""Sequence tokens: where a hit stands, as text that `searchAfter` and `searchBefore` take back.

A token is a protocol buffer in base64, as the engine's are, with its document number and score; what else is
needed to find the place again is one field more, of our own.

    message Token { int32 document = 1; float score = 2; bytes place = 3; }
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import bson

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.ranking import Placed, compare_values
from atlas_rag.inprocess.search.search_index.sorting import SortKey

_DOCUMENT, _SCORE, _PLACE = 1 << 3, 2 << 3 | 5, 3 << 3 | 2


def token_of(place: Placed) -> str:
    """Encodes the place of a hit."""
    rest = bson.encode({"partition": place.partition, "values": list(place.values)})
    message = (
        bytes([_DOCUMENT])
        + _varint(place.doc)
        + bytes([_SCORE])
        + struct.pack("<f", place.score)
        + bytes([_PLACE])
        + _varint(len(rest))
        + rest
    )
    return base64.b64encode(message).decode()


def _varint(number: int) -> bytes:
    """Encodes seven bits to a byte, lowest first."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def _read_varint(message: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = message[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at


def page_of(
    placed: Sequence[Placed], body: Mapping[str, Any], keys: Sequence[SortKey], limit: int | None
) -> list[Placed]:
    """Cuts ranked hits to those after (or, nearest first, before) the token that a body names."""
    after, before = body.get("searchAfter"), body.get("searchBefore")
    if after is not None:
        start = _place(placed, after, keys, past=True) if after else len(placed)
        return list(placed[start:][:limit])
    if before is not None:
        end = _place(placed, before, keys, past=False) if before else len(placed)
        return list(reversed(placed[:end]))[:limit]
    return list(placed[:limit])


def _place(placed: Sequence[Placed], token: str, keys: Sequence[SortKey], *, past: bool) -> int:
    """Finds the first hit behind the token's place (`past`), or the first not before it."""
    mark = _decoded(token)
    if len(mark.values) != len(keys):
        raise EngineRefusal("Invalid format for token value")
    for at, place in enumerate(placed):
        if (place.partition, place.doc) == (mark.partition, mark.doc):
            return at + past
    for at, place in enumerate(placed):  # the hit is gone: where it would stand
        order = _compare(place, mark, keys)
        if order > 0 or (order == 0 and not past):
            return at
    return len(placed)


def _compare(one: Placed, other: Placed, keys: Sequence[SortKey]) -> int:
    order = compare_values(one.values, other.values, keys)
    if order == 0 and not keys:
        order = (one.score < other.score) - (one.score > other.score)
    if order == 0:
        left, right = (one.partition, one.doc), (other.partition, other.doc)
        order = (left > right) - (left < right)
    return order


def _decoded(token: str) -> Placed:
    try:
        message = base64.b64decode(token + "=" * (-len(token) % 4), validate=True)
        doc, at = _read_varint(message, 1)
        (score,) = struct.unpack_from("<f", message, at + 1)
        size, at = _read_varint(message, at + 6)
        rest = bson.decode(message[at : at + size])
        return Placed(int(rest["partition"]), doc, score, list(rest["values"]))
    except (binascii.Error, bson.errors.BSONError, struct.error, LookupError, ValueError):
        raise EngineRefusal("Invalid format for token value") from None
