"""One client's socket: bytes to frames, frames to answers, one at a time and in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor

from atlas_rag.inprocess.deployment.faults import ConnectionLost
from atlas_rag.inprocess.server.conversation import Conversation
from atlas_rag.inprocess.server.messages import (
    ProtocolError,
    Request,
    frame_length,
    read_request,
    write_reply,
)

SMALL = 16 * 1024
"""Bytes up to which a frame is read on the event loop; larger ones are read in a worker thread."""

READ_AHEAD = 64 * 1024
"""Bytes that are taken from a client while its last command is at work."""

LONGEST_AWAIT = 10.0
"""Seconds for which a `hello` may ask to be kept waiting."""


class Connection(asyncio.Protocol):
    """Reads frames and writes answers.

    While a command is at work little more is read (`READ_AHEAD`), so that a client holds at most one message,
    one answer and one socket buffer of memory; but so much that a client that has left is noticed.

    Args:
        begin: makes the conversation, from the server's address as the client sees it; None to refuse.
        executor: runs commands off the event loop.
        closed: called when the connection has ended.
    """

    def __init__(
        self,
        begin: Callable[[str], Conversation | None],
        executor: Executor,
        closed: Callable[[Connection], None],
    ) -> None:
        self._begin = begin
        self._executor = executor
        self._closed = closed
        self._buffer = bytearray()
        self._busy = False
        self._may_write = True
        self._transport: asyncio.Transport | None = None
        self._conversation: Conversation | None = None

    # ---------------------------------------------------------------- asyncio calls these

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - what a stream server gives
        self._transport = transport
        host, port = transport.get_extra_info("sockname")[:2]
        self._conversation = self._begin(f"[{host}]:{port}" if ":" in host else f"{host}:{port}")
        if self._conversation is None:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._busy and self._transport is not None:
            if len(self._buffer) > READ_AHEAD:
                self._transport.pause_reading()
        else:
            self._advance()

    def pause_writing(self) -> None:
        self._may_write = False

    def resume_writing(self) -> None:
        self._may_write = True
        self._advance()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._buffer.clear()
        if self._conversation is not None:
            self._conversation.leave()
            self._executor.submit(self._conversation.close)
        self._closed(self)

    # ---------------------------------------------------------------- frames

    def shut_down(self) -> None:
        """Ends the connection, and the command at work for it, since the server ends."""
        if self._conversation is not None:
            self._conversation.shut_down()
        self.close()

    def close(self) -> None:
        """Ends the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def _advance(self) -> None:
        """Handles the frames that have arrived, until one has to be waited for."""
        try:
            while not self._busy and self._may_write and (frame := self._next_frame()) is not None:
                self._handle(frame)
        except (ProtocolError, ConnectionLost):
            self.close()

    def _next_frame(self) -> bytes | None:
        if self._transport is None or self._conversation is None or len(self._buffer) < 4:
            return None
        length = frame_length(self._buffer, self._conversation.largest_message)
        if len(self._buffer) < length:
            return None
        frame = bytes(memoryview(self._buffer)[:length])
        del self._buffer[:length]
        return frame

    def _handle(self, frame: bytes) -> None:
        conversation = self._conversation
        assert conversation is not None  # noqa: S101 - set before any data arrives
        if len(frame) > SMALL:
            self._in_background(lambda: _answered(conversation, read_request(frame)))
            return
        request = read_request(frame)
        if not conversation.is_quick(request.command):
            self._in_background(lambda: _answered(conversation, request))
        elif (wait := _asked_to_wait(request)) > 0:
            self._busy = True
            asyncio.get_running_loop().call_later(wait, self._finish, conversation, request)
        else:
            self._write(_answered(conversation, request))

    def _in_background(self, work: Callable[[], bytes]) -> None:
        self._busy = True
        future = asyncio.get_running_loop().run_in_executor(self._executor, work)
        future.add_done_callback(self._finished)

    def _finish(self, conversation: Conversation, request: Request) -> None:
        self._write(_answered(conversation, request))
        self._ready()

    def _finished(self, future: asyncio.Future[bytes]) -> None:
        if future.cancelled() or future.exception() is not None:
            self.close()
        else:
            self._write(future.result())
            self._ready()

    def _ready(self) -> None:
        self._busy = False
        if self._transport is not None:
            self._transport.resume_reading()
            self._advance()

    def _write(self, answer: bytes) -> None:
        if self._transport is not None and answer:
            self._transport.write(answer)


def _answered(conversation: Conversation, request: Request) -> bytes:
    """Returns the bytes of an answer; none where the client wants none."""
    reply = conversation.answer(request.command)
    return write_reply(request, reply) if request.wants_reply else b""


def _asked_to_wait(request: Request) -> float:
    """Returns the seconds for which a `hello` asks to wait for news, of which there never are any."""
    if "topologyVersion" not in request.command:
        return 0.0
    wish = request.command.get("maxAwaitTimeMS")
    if not isinstance(wish, (int, float)) or isinstance(wish, bool):
        return 0.0
    return min(max(wish / 1000, 0.0), LONGEST_AWAIT)
