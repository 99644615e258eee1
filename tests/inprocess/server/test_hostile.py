"""Malformed and hostile bytes end their own connection, and nothing else."""

from __future__ import annotations

import errno
import random
import socket
import struct
import time
import zlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import bson
import pytest
from pymongo import MongoClient

from atlas_rag.inprocess.server.messages import (
    LARGEST_MESSAGE,
    OP_COMPRESSED,
    OP_MSG,
    OP_QUERY,
    ProtocolError,
    crc32c,
    read_request,
)
from atlas_rag.serve import Options, serve

FUZZ_SECONDS = 3.0


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    with serve() as uri:
        parts = urlsplit(uri)
        assert parts.hostname is not None
        assert parts.port is not None
        yield parts.hostname, parts.port


def frame(body: bytes, *, opcode: int = OP_MSG, length: int | None = None) -> bytes:
    size = 16 + len(body) if length is None else length
    return struct.pack("<iiii", size, 1, 0, opcode) + body


def message(command: dict[str, Any], flags: int = 0) -> bytes:
    return struct.pack("<I", flags) + b"\0" + bson.encode(command)


PING = {"ping": 1, "$db": "admin"}


def exchange(address: tuple[str, int], data: bytes) -> bytes:
    """Sends bytes and returns what comes back until the server closes or falls silent."""
    with socket.create_connection(address, timeout=5) as client:
        try:
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)
            received = b""
            while part := client.recv(65536):
                received += part
        except OSError as error:  # closed before our goodbye: ENOTCONN is no ConnectionError
            if not (isinstance(error, ConnectionError) or error.errno == errno.ENOTCONN):
                raise
            return b""
        return received


def ask(address: tuple[str, int], data: bytes, answers: int = 1) -> list[bytes]:
    """Sends bytes and returns so many frames."""
    with socket.create_connection(address, timeout=10) as client, client.makefile("rb") as stream:
        client.sendall(data)
        frames = []
        for _ in range(answers):
            head = stream.read(4)
            frames.append(head + stream.read(struct.unpack("<i", head)[0] - 4))
        return frames


def is_alive(address: tuple[str, int]) -> bool:
    with MongoClient(*address, directConnection=True, serverSelectionTimeoutMS=3000) as client:
        return client.admin.command("ping")["ok"] == 1


def nested(depth: int) -> bytes:
    """BSON with documents inside documents."""
    document = b"\x05\0\0\0\0"
    for _ in range(depth):
        document = struct.pack("<i", len(document) + 8) + b"\x03a\0" + document + b"\0"
    return document


HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "text": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "length of zero": frame(b"", length=0),
    "negative length": frame(b"", length=-5),
    "length below a header": frame(b"", length=15),
    "length above the limit": frame(b"", length=LARGEST_MESSAGE + 1),
    "announced and never sent": frame(b"x" * 100, length=40_000_000),
    "header only": frame(b""),
    "unknown operation": frame(message(PING), opcode=1234),
    "OP_INSERT": frame(message(PING), opcode=2002),
    "unknown required flag": frame(message(PING, flags=1 << 5)),
    "wrong checksum": frame(message(PING, flags=1) + b"\0\0\0\0"),
    "checksum that is missing": frame(struct.pack("<I", 1)),
    "no section": frame(struct.pack("<I", 0)),
    "unknown section": frame(struct.pack("<I", 0) + b"\x07" + bson.encode(PING)),
    "two commands": frame(message(PING) + b"\0" + bson.encode(PING)),
    "section beyond the end": frame(struct.pack("<I", 0) + b"\0" + struct.pack("<i", 10_000)),
    "negative section": frame(struct.pack("<I", 0) + b"\0" + struct.pack("<i", -1) + b"xxxx"),
    "empty command": frame(message({})),
    "sequence without a name": frame(message(PING) + b"\x01" + struct.pack("<i", 8) + b"abcd"),
    "sequence twice": frame(
        message(PING) + 2 * (b"\x01" + struct.pack("<i", 11) + b"ab\0" + b"\x05\0\0\0"[:4])
    ),
    "broken BSON": frame(struct.pack("<I", 0) + b"\0" + b"\x0c\0\0\0\x10a\0\1\0"),
    "string that lies": frame(
        struct.pack("<I", 0) + b"\0" + b"\x16\0\0\0\x02a\0\xff\xff\xff\x7fabc\0\0\0\0\0\0\0"
    ),
    "deep nesting": frame(struct.pack("<I", 0) + b"\0" + nested(20_000)),
    "compressed garbage": frame(struct.pack("<iiB", OP_MSG, 100, 2) + b"garbage", opcode=OP_COMPRESSED),
    "compressed bomb": frame(
        struct.pack("<iiB", OP_MSG, 100, 2) + zlib.compress(b"\0" * 10_000_000), opcode=OP_COMPRESSED
    ),
    "compressed within compressed": frame(
        struct.pack("<iiB", OP_COMPRESSED, 20, 2) + zlib.compress(b"x" * 20), opcode=OP_COMPRESSED
    ),
    "unknown compressor": frame(struct.pack("<iiB", OP_MSG, 5, 9) + b"abcde", opcode=OP_COMPRESSED),
    "query on a collection": frame(
        struct.pack("<I", 0) + b"a.b\0" + struct.pack("<ii", 0, 1) + bson.encode({}), opcode=OP_QUERY
    ),
    "query without an end": frame(struct.pack("<I", 0) + b"admin.$cmd", opcode=OP_QUERY),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_bytes_end_their_connection_only(address: tuple[str, int], data: bytes) -> None:
    exchange(address, data)
    assert is_alive(address)


def test_a_right_checksum_is_accepted(address: tuple[str, int]) -> None:
    unchecked = frame(message(PING, flags=1) + b"\0\0\0\0")
    checked = unchecked[:-4] + struct.pack("<I", crc32c(unchecked[:-4]))
    assert exchange(address, checked) != b""
    assert crc32c(b"123456789") == 0xE3069283


def test_a_command_that_wants_no_reply_gets_none(address: tuple[str, int]) -> None:
    assert exchange(address, frame(message(PING, flags=2))) == b""
    assert exchange(address, frame(message(PING, flags=2)) + frame(message(PING))) != b""


def test_a_command_without_database_is_refused(address: tuple[str, int]) -> None:
    (reply,) = ask(address, frame(message({"ping": 1})))
    assert bson.decode(reply[21:])["code"] == 40571


def test_a_frame_may_come_byte_by_byte(address: tuple[str, int]) -> None:
    data = frame(message(PING))
    with socket.create_connection(address, timeout=5) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for position in range(len(data)):
            client.sendall(data[position : position + 1])
        assert bson.decode(client.recv(65536)[21:])["ok"] == 1


def test_many_frames_at_once_are_answered_in_order(address: tuple[str, int]) -> None:
    command = {"find": "absent", "$db": "a"}
    frames = b"".join(
        struct.pack("<iiii", 16 + len(body), number, 0, OP_MSG) + body
        for number, body in enumerate([message(command), message(PING)] * 20, start=1)
    )
    answered = [struct.unpack_from("<iiii", answer)[2] for answer in ask(address, frames, 40)]
    assert answered == list(range(1, 41))


def test_the_largest_message_is_taken(address: tuple[str, int]) -> None:
    with MongoClient(*address, directConnection=True) as client:
        documents = [{"_id": n, "x": b"y" * 11_000_000} for n in range(4)]
        client["large"]["things"].insert_many(documents)
        assert client["large"]["things"].count_documents({}) == 4
        client.drop_database("large")


def test_connections_beyond_the_limit_are_refused() -> None:
    with serve(options=Options(most_connections=2)) as uri:
        parts = urlsplit(uri)
        where = (parts.hostname, parts.port)
        with socket.create_connection(where) as one, socket.create_connection(where) as two:  # type: ignore[arg-type]
            for client in (one, two):
                client.settimeout(5)
                client.sendall(frame(message(PING)))
                assert client.recv(65536)
            assert exchange(where, frame(message(PING))) == b""  # type: ignore[arg-type]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Returns a frame with some bytes changed, cut out or doubled."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        position = chance.randrange(len(changed)) if changed else 0
        match chance.randrange(4):
            case 0 if changed:
                changed[position] = chance.randrange(256)
            case 1:
                del changed[position : position + chance.randint(1, 8)]
            case 2:
                changed[position:position] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 8)))
            case _:
                changed[position:position] = changed[position : position + 16]
    return bytes(changed)


SEEDS = [
    frame(message({"find": "things", "filter": {"a": {"$gt": 1}}, "$db": "a"})),
    frame(message({"aggregate": "things", "pipeline": [{"$match": {"a": 1}}], "cursor": {}, "$db": "a"})),
    frame(message({"insert": "things", "documents": [{"a": 1}, {"b": [1, "x"]}], "$db": "a"})),
    frame(message({"update": "things", "updates": [{"q": {}, "u": {"$set": {"a": 1}}}], "$db": "a"})),
    frame(message({"createSearchIndexes": "things", "indexes": [{"definition": {}}], "$db": "a"})),
    frame(message({"saslStart": 1, "mechanism": "SCRAM-SHA-256", "payload": b"n,,n=a,r=b", "$db": "admin"})),
    frame(message({"hello": 1, "$db": "admin", "compression": ["zlib"]})),
]


def test_a_reader_of_mutated_frames_only_ever_refuses() -> None:
    chance = random.Random(7)
    end = time.monotonic() + FUZZ_SECONDS
    while time.monotonic() < end:
        data = mutated(chance.choice(SEEDS), chance)
        if len(data) < 16:
            continue
        try:
            read_request(data)
        except ProtocolError:
            continue


def test_the_server_outlives_mutated_frames(address: tuple[str, int]) -> None:
    chance = random.Random(11)
    end = time.monotonic() + FUZZ_SECONDS
    while time.monotonic() < end:
        data = mutated(chance.choice(SEEDS), chance)
        if len(data) >= 4:  # a length that is right, so that the frame is read and not waited for
            data = struct.pack("<i", len(data)) + data[4:]
        exchange(address, data)
    assert is_alive(address)


ODD: list[Any] = [
    *(
        None,
        1,
        -1,
        1e308,
        float("nan"),
        "",
        "x",
        b"",
        True,
        [],
        [[]],
        [5],
        [None],
        {},
        [{}],
        {"a": 1},
        {"$x": 1},
    ),
    *({"a": {"$gt": []}}, {"$and": 5}, {"$or": [5]}, {"a": {"$in": 5}}, {"$push": {"a": {"$each": 5}}}),
    *([{"$match": {}}], [{"q": {}, "u": {}}], [{"q": 1}], [{"key": {"a": 1}, "name": "x"}], [{"key": 5}]),
    *([{"definition": {}}], [{"q": {}, "u": {"$set": {"a": 1}}, "arrayFilters": 5}], {"batchSize": "x"}),
    *([{"q": {}, "limit": 0, "hint": 7}], {"a.$": 1}, {"a": {"$slice": [1, 2]}}, {"find": "things"}),
]
FIELDS = {
    "find": ["filter", "sort", "projection", "hint", "skip", "limit", "batchSize", "let", "singleBatch"],
    "aggregate": ["pipeline", "cursor", "let", "hint", "explain"],
    "insert": ["documents", "ordered", "lsid", "txnNumber", "writeConcern"],
    "update": ["updates", "let"],
    "delete": ["deletes"],
    "findAndModify": ["query", "sort", "remove", "update", "new", "fields", "upsert", "arrayFilters", "hint"],
    "count": ["query", "limit", "skip", "hint"],
    "distinct": ["key", "query"],
    "explain": ["verbosity"],
    "createIndexes": ["indexes"],
    "dropIndexes": ["index"],
    "createSearchIndexes": ["indexes"],
    "updateSearchIndex": ["name", "id", "definition"],
    "getMore": ["collection", "batchSize"],
    "killCursors": ["cursors"],
    "listCollections": ["filter", "nameOnly", "cursor"],
    "saslStart": ["mechanism", "payload", "options"],
    "endSessions": [],
}
INTERNAL_ERROR = 1


def test_senseless_commands_are_refused_and_never_stumbled_over(address: tuple[str, int]) -> None:
    chance = random.Random(131)
    end = time.monotonic() + FUZZ_SECONDS
    with MongoClient(*address, directConnection=True) as client:
        client["a"]["things"].insert_one({"a": 1})
        while time.monotonic() < end:
            name = chance.choice(list(FIELDS))
            command = {name: chance.choice(["things", "things", chance.choice(ODD)])}
            command |= {field: chance.choice(ODD) for field in FIELDS[name] if chance.random() < 0.4}
            (reply,) = ask(address, frame(message({**command, "$db": "a"})))
            assert bson.decode(reply[21:]).get("code") != INTERNAL_ERROR, command
        assert client.admin.command("ping")["ok"] == 1
        client.drop_database("a")
