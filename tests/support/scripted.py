"""A scriptable deployment on a real socket: speaks OP_MSG, answers as told, records what it got."""

from __future__ import annotations

import asyncio
import struct
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import bson

OP_QUERY, OP_REPLY, OP_MSG = 2004, 1, 2013
CHECKSUM = 1
DROP = "drop the connection"

Document = dict[str, Any]
Answer = Document | str | Awaitable[Document] | None
Script = Callable[[str, Document], Answer]


def rows(*documents: Document, namespace: str = "app.docs") -> Document:
    """A cursor that is exhausted with its first batch."""
    return {"cursor": {"id": bson.Int64(0), "ns": namespace, "firstBatch": list(documents)}, "ok": 1.0}


def failure(code: int | None, message: str, name: str = "", **more: Any) -> Document:
    """An error reply as a server writes it."""
    reply: Document = {"ok": 0.0, "errmsg": message, **more}
    return reply if code is None else {**reply, "code": code, "codeName": name or f"Location{code}"}


async def after(seconds: float, reply: Document) -> Document:
    """A late reply."""
    await asyncio.sleep(seconds)
    return reply


@dataclass
class ScriptedServer:
    """Answers hello, buildInfo and ping by itself and everything else by `script`.

    The wire version decides what drivers believe; the version string is what `buildInfo` says.
    """

    script: Script = lambda _name, _command: None
    version: str = "8.2.0"
    wire_version: int = 27
    modules: tuple[str, ...] = ("enterprise",)
    commands: list[Document] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._connections = count(1)
        self._requests = count(1)
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        self._server = self._in_loop(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self._in_loop(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    @property
    def uri(self) -> str:
        return f"mongodb://127.0.0.1:{self.port}/?directConnection=true"

    def sent(self, name: str) -> list[Document]:
        """The commands of this name, without what drivers add on their own."""
        noise = ("lsid", "$readPreference", "$db", "apiVersion", "$clusterTime", "txnNumber")
        return [
            {key: value for key, value in command.items() if key not in noise}
            for command in self.commands
            if next(iter(command)) == name
        ]

    def _in_loop(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    @property
    def open_connections(self) -> int:
        """Connections that are open now."""
        return len(self._writers)

    async def _stop(self) -> None:
        self._server.close()
        await _turns()  # so that a connection accepted just now is known
        tasks, writers = list(self._tasks), list(self._writers)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            writer.transport.abort()
        await _turns()  # so that sockets are closed before the loop ends

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Registered at once: a task that is cancelled before it began could not close anything.
        self._writers.add(writer)
        task = self._loop.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                length, request, _, opcode = struct.unpack("<iiii", await reader.readexactly(16))
                body = await reader.readexactly(length - 16)
                reply = self._reply(read_command(opcode, body))
                reply = await reply if isinstance(reply, Awaitable) else reply
                if reply == DROP:
                    break
                writer.write(write_reply(opcode, next(self._requests), request, reply))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        self._writers.discard(writer)
        writer.close()

    def _reply(self, command: Document) -> Answer:
        name = next(iter(command))
        if name.lower() in ("hello", "ismaster"):
            return self._hello()
        if name.lower() == "buildinfo":
            release = [int(part) for part in self.version.split(".")]
            return {
                "version": self.version,
                "versionArray": [*release, 0],
                "modules": list(self.modules),
                "ok": 1.0,
            }
        if name in ("ping", "endSessions", "killCursors"):
            return {"ok": 1.0}
        self.commands.append(command)
        reply = self.script(name, command)
        return failure(59, f"no such command: '{name}'", "CommandNotFound") if reply is None else reply

    def _hello(self) -> Document:
        return {
            "helloOk": True,
            "isWritablePrimary": True,
            "ismaster": True,
            "maxBsonObjectSize": 16_777_216,
            "maxMessageSizeBytes": 48_000_000,
            "maxWriteBatchSize": 100_000,
            "logicalSessionTimeoutMinutes": 30,
            "connectionId": next(self._connections),
            "minWireVersion": 0,
            "maxWireVersion": self.wire_version,
            "readOnly": False,
            "ok": 1.0,
        }


async def _turns() -> None:
    """Lets the loop do what is due."""
    for _ in range(5):
        await asyncio.sleep(0)


def read_command(opcode: int, body: bytes) -> Document:
    """The command of one message: an OP_MSG of any sections, or the legacy handshake."""
    if opcode == OP_QUERY:
        return bson.decode(body[body.index(0, 4) + 9 :])
    if opcode != OP_MSG:
        raise ConnectionError(f"opcode {opcode}")
    (flags,) = struct.unpack_from("<I", body)
    end, position = len(body) - (4 if flags & CHECKSUM else 0), 4
    command: Document = {}
    while position < end:
        kind = body[position]
        (size,) = struct.unpack_from("<i", body, position + 1)
        section = body[position + 1 : position + 1 + size]
        if kind == 0:
            command = {**bson.decode(section), **command}
        else:
            name_end = section.index(0, 4)
            command[section[4:name_end].decode()] = bson.decode_all(section[name_end + 1 :])
        position += 1 + size
    return command


def write_reply(opcode: int, request: int, response_to: int, reply: Mapping[str, Any]) -> bytes:
    """One reply in the kind of message that asked for it."""
    document = bson.encode(reply)
    if opcode == OP_QUERY:
        payload = struct.pack("<iqii", 8, 0, 0, 1) + document
        return struct.pack("<iiii", 16 + len(payload), request, response_to, OP_REPLY) + payload
    payload = struct.pack("<Ib", 0, 0) + document
    return struct.pack("<iiii", 16 + len(payload), request, response_to, OP_MSG) + payload
