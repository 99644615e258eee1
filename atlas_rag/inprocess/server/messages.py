"""The wire format: frames in, command documents out, and back.

Source: the MongoDB wire protocol documentation (message header, OP_MSG, OP_QUERY, OP_REPLY, OP_COMPRESSED)
and RFC 3720 appendix B.4 (CRC-32C). Everything is checked before it is trusted: a frame that breaks a rule is
a `ProtocolError`, and its connection ends.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import bson
from bson.errors import BSONError

LARGEST_MESSAGE = 48_000_000
"""Bytes of a whole message, header included."""

LARGEST_FROM_STRANGERS = 64 * 1024
"""Bytes of a message from someone who has yet to authenticate."""

OP_REPLY, OP_QUERY, OP_COMPRESSED, OP_MSG = 1, 2004, 2012, 2013
CHECKSUM_PRESENT, MORE_TO_COME, EXHAUST_ALLOWED = 1, 1 << 1, 1 << 16
_REQUIRED_FLAGS = 0xFFFF

HEADER = struct.Struct("<iiii")
_INT32 = struct.Struct("<i")
_UINT32 = struct.Struct("<I")
_COMPRESSED = struct.Struct("<iiB")
ZLIB = 2

_request_ids = count(1)


class ProtocolError(Exception):
    """A frame that no driver sends; the connection cannot go on."""


@dataclass(frozen=True, slots=True)
class Request:
    """One message of a client.

    Attributes:
        identifier: to which the reply refers.
        command: the command document; document sequences are fields of it.
        wants_reply: False for fire-and-forget (`moreToCome`).
        legacy: an OP_QUERY, answered with an OP_REPLY.
        compressed: the client compressed it, so the reply may be, too.
    """

    identifier: int
    command: dict[str, Any]
    wants_reply: bool = True
    legacy: bool = False
    compressed: bool = False


def frame_length(header: bytes | bytearray, largest: int = LARGEST_MESSAGE) -> int:
    """Returns the length that a frame's first four bytes announce. Raises `ProtocolError`."""
    (length,) = _INT32.unpack_from(header)
    if not HEADER.size <= length <= largest:
        raise ProtocolError(f"a message of {length} bytes")
    return int(length)


def read_request(frame: bytes) -> Request:
    """Reads a whole frame.

    Raises:
        ProtocolError: it breaks the format.
    """
    _, identifier, _, opcode = HEADER.unpack_from(frame)
    body = memoryview(frame)[HEADER.size :]
    compressed = opcode == OP_COMPRESSED
    if compressed:
        opcode, body = _decompress(body)
    try:
        if opcode == OP_MSG:
            # Only an uncompressed message has a checksum over what was sent.
            return _read_msg(identifier, body, frame, compressed=compressed)
        if opcode == OP_QUERY:
            return _read_query(identifier, body)
    except (struct.error, IndexError, ValueError, BSONError) as error:
        raise ProtocolError(f"a malformed message: {error}") from error
    raise ProtocolError(f"operation code {opcode}")


def _decompress(body: memoryview) -> tuple[int, memoryview]:
    try:
        opcode, size, compressor = _COMPRESSED.unpack_from(body)
        packed = body[_COMPRESSED.size :]
        if compressor == 0:
            return opcode, packed
        if compressor != ZLIB or not 0 <= size <= LARGEST_MESSAGE:
            raise ProtocolError(f"compressor {compressor}, {size} bytes")
        inflater = zlib.decompressobj()
        plain = inflater.decompress(packed, size + 1)  # one more than allowed shows a lie
    except (struct.error, zlib.error) as error:
        raise ProtocolError(f"a malformed compressed message: {error}") from error
    if len(plain) != size:
        raise ProtocolError("a compressed message of another size than it says")
    return opcode, memoryview(plain)


def _read_msg(identifier: int, body: memoryview, frame: bytes, *, compressed: bool) -> Request:
    (flags,) = _UINT32.unpack_from(body)
    if flags & _REQUIRED_FLAGS & ~(CHECKSUM_PRESENT | MORE_TO_COME):
        raise ProtocolError(f"unknown required flags {flags:#x}")
    end = len(body)
    if flags & CHECKSUM_PRESENT:
        end -= _UINT32.size
        if not compressed and _UINT32.unpack_from(body, end)[0] != crc32c(memoryview(frame)[:-4]):
            raise ProtocolError("a wrong checksum")
    command = _read_sections(body, _UINT32.size, end)
    return Request(identifier, command, not flags & MORE_TO_COME, compressed=compressed)


def _read_sections(body: memoryview, position: int, end: int) -> dict[str, Any]:
    command: dict[str, Any] | None = None
    sequences: dict[str, Any] = {}
    while position < end:
        kind = body[position]
        position += 1
        (size,) = _INT32.unpack_from(body, position)
        section = body[position : position + size]
        if size < 5 or position + size > end:
            raise ProtocolError("a section that does not fit")
        if kind == 0 and command is None:
            command = bson.decode(section)
        elif kind == 1:
            name, documents = _read_sequence(section)
            if name in sequences:
                raise ProtocolError(f"two sequences {name!r}")
            sequences[name] = documents
        else:
            raise ProtocolError(f"a section of kind {kind}")
        position += size
    if command is None or not command or sequences.keys() & command.keys():
        raise ProtocolError("a message without one command")
    return {**command, **sequences} if sequences else command


def _read_sequence(section: memoryview) -> tuple[str, list[dict[str, Any]]]:
    content = bytes(section[_INT32.size :])
    end = content.index(0)
    return content[:end].decode(), bson.decode_all(content[end + 1 :])


def _read_query(identifier: int, body: memoryview) -> Request:
    """Reads the handshake that old drivers, and new ones at first, send."""
    content = bytes(body)
    end = content.index(0, 4)
    namespace = content[4:end].decode()
    database, _, collection = namespace.partition(".")
    if collection != "$cmd":
        raise ProtocolError("OP_QUERY on a collection")
    (size,) = _INT32.unpack_from(content, end + 9)
    command = bson.decode(content[end + 9 : end + 9 + size])
    inner = command.get("$query")
    command = dict(inner) if isinstance(inner, Mapping) else command
    if not command:
        raise ProtocolError("an empty command")
    return Request(identifier, {**command, "$db": database}, legacy=True)


def write_reply(request: Request, reply: Mapping[str, Any]) -> bytes:
    """Returns the frame that answers a request."""
    document = bson.encode(reply)
    if request.legacy:
        body = struct.pack("<iqii", 8, 0, 0, 1) + document
        return _header(len(body), request, OP_REPLY) + body
    body = b"\0\0\0\0\0" + document
    if request.compressed:
        packed = _COMPRESSED.pack(OP_MSG, len(body), ZLIB) + zlib.compress(body, 1)
        return _header(len(packed), request, OP_COMPRESSED) + packed
    return _header(len(body), request, OP_MSG) + body


def _header(size: int, request: Request, opcode: int) -> bytes:
    return HEADER.pack(HEADER.size + size, next(_request_ids) & 0x7FFFFFFF, request.identifier, opcode)


def _crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return tuple(table)


_CRC_TABLE = _crc_table()


def crc32c(data: bytes | memoryview) -> int:
    """Returns the CRC-32C (Castagnoli) of some bytes: `crc32c(b"123456789") == 0xE3069283`."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ _CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF
