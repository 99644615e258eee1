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
        return list(placed[_behind(placed, _mark(after, keys), keys) :][:limit]) if after else []
    if before is not None:
        mark = _mark(before, keys) if before else None
        return _backwards(placed, mark, keys)[:limit]
    return list(placed[:limit])


def _mark(token: str, keys: Sequence[SortKey]) -> Placed:
    """The place that a token names."""
    mark = _decoded(token)
    if len(mark.values) != len(keys):
        raise EngineRefusal("Invalid format for token value")
    return mark


def _behind(placed: Sequence[Placed], mark: Placed, keys: Sequence[SortKey]) -> int:
    """Finds the first hit behind a place."""
    for at, place in enumerate(placed):
        if (place.partition, place.doc) == (mark.partition, mark.doc):
            return at + 1
    for at, place in enumerate(placed):  # the hit is gone: where it would stand
        order = _compare(place, mark, keys)
        if order > 0 or (order == 0 and (place.partition, place.doc) > (mark.partition, mark.doc)):
            return at
    return len(placed)


def _backwards(placed: Sequence[Placed], mark: Placed | None, keys: Sequence[SortKey]) -> list[Placed]:
    """The hits behind a place (all, where there is none) when the sort is reversed.

    Only the sort is: equal hits still come by document, so the token's equals that follow it come first.
    """
    runs: list[list[Placed]] = []
    start = 0 if mark is None else _behind(placed, mark, keys)
    for at, place in enumerate(placed):
        order = -1 if mark is None else _compare(place, mark, keys)
        if order > 0:
            break
        if order == 0 and at < start:
            continue
        if not runs or _compare(runs[-1][0], place, keys):
            runs.append([])
        runs[-1].append(place)
    return [place for run in reversed(runs) for place in run]


def _compare(one: Placed, other: Placed, keys: Sequence[SortKey]) -> int:
    """Compares two hits by what they are sorted by: negative where the first comes first."""
    if keys:
        return compare_values(one.values, other.values, keys)
    return (one.score < other.score) - (one.score > other.score)


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
