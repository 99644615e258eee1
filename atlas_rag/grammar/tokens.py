"""Paging tokens: base64 of a small protocol buffer with a document number and a score.

    message Token { int32 document = 1; float score = 2; … }

Only what the engine checks when it parses a query is checked: the encoding, the wire format, and that neither
part is negative. An empty token is well formed.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Iterator
from typing import Any, Final

from atlas_rag.grammar.kit import is_string
from atlas_rag.grammar.problem import At, Found, problem

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_DOCUMENT: Final = (1, _VARINT)
_SCORE: Final = (2, _FIXED32)
_SIGN: Final = 1 << 31


class Token:
    """A `searchAfter` or `searchBefore` value."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_string(value):
            found.append(problem(at, "must be a string", "type"))
            return
        try:
            fields = dict(_fields(_decode(value)))
        except ValueError:
            found.append(problem(at, "Invalid format for token value", "token"))
            return
        (score,) = struct.unpack("<f", fields.get(_SCORE, bytes(4)))
        if int.from_bytes(fields.get(_DOCUMENT, b""), "little") & _SIGN or score < 0:
            found.append(problem(at, "Invalid token component", "token"))


def _decode(token: str) -> bytes:
    """Base64 of the standard alphabet; padding may be left out."""
    bare = token.rstrip("=")
    if len(token) - len(bare) > 2 or (len(token) != len(bare) and len(token) % 4):
        raise ValueError("padding")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError("alphabet") from error


def _fields(message: bytes) -> Iterator[tuple[tuple[int, int], bytes]]:
    """The fields of a protocol buffer message: ((number, wire type), little-endian content)."""
    position = 0
    while position < len(message):
        tag, position = _varint(message, position)
        number, wire = tag >> 3, tag & 7
        if number == 0:
            raise ValueError("field number")
        if wire == _VARINT:
            value, position = _varint(message, position)
            yield (number, wire), value.to_bytes(8, "little")
            continue
        if wire == _BYTES:
            size, position = _varint(message, position)
        else:
            size = {_FIXED64: 8, _FIXED32: 4}.get(wire, -1)
        if size < 0 or position + size > len(message):
            raise ValueError("length")
        yield (number, wire), message[position : position + size]
        position += size


def _varint(message: bytes, position: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if position >= len(message):
            raise ValueError("truncated")
        byte = message[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & ((1 << 64) - 1), position
    raise ValueError("varint")
