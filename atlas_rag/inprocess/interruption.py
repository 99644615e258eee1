"""Whether the command at work may go on: its time limit, `killOp`, a client that left, a server that ends.

A command runs in one thread as one `Operation`. Whatever takes long calls `check` between its steps (rows,
array elements, slices of a text), often enough that an interruption is noticed within a fifth of a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from atlas_rag.inprocess.errors import CommandError

T = TypeVar("T")

TIME_LIMIT, SHUTDOWN, KILLED, CLIENT_GONE = 50, 11600, 11601, 279

_STEPS_BETWEEN_CHECKS = 16
_WORDS = {
    TIME_LIMIT: "operation exceeded time limit",
    SHUTDOWN: "interrupted at shutdown",
    KILLED: "operation was interrupted",
    CLIENT_GONE: "Client disconnected",
}


def is_interruption(error: CommandError) -> bool:
    """Whether a command was ended on its way: it fails as a whole then, whatever it had gathered."""
    return error.code in _WORDS


class Operation:
    """One command at work.

    Args:
        user: who sent it, None where nobody has to say so.
        client: the client's address.
        clock: monotonic seconds.

    Attributes:
        command, database: what it is doing; empty before it began.
        began: the moment of the clock at which it began.
    """

    def __init__(
        self, user: str | None = None, client: str = "", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.user = user
        self.client = client
        self.database = ""
        self.command: Mapping[str, Any] = {}
        self.began = clock()
        self._clock = clock
        self._deadline: float | None = None
        self._cause: int | None = None

    @property
    def name(self) -> str:
        """The name of the command."""
        return next(iter(self.command), "")

    @property
    def running_for(self) -> float:
        """Seconds since it began."""
        return self._clock() - self.began

    @property
    def is_interrupted(self) -> bool:
        """Whether it is to end at its next check."""
        return self._cause is not None

    def begin(self, database: str, command: Mapping[str, Any]) -> None:
        """Takes up a command; its `maxTimeMS` counts from now."""
        self.database, self.command, self.began = database, command, self._clock()
        limit = command.get("maxTimeMS")
        if isinstance(limit, (int, float)) and limit > 0:
            self._deadline = self.began + limit / 1000

    def interrupt(self, cause: int) -> None:
        """Ends it at its next check; may be called from any thread. The first cause counts."""
        if self._cause is None:
            self._cause = cause

    def check(self) -> None:
        """Raises code 50, 279, 11600 or 11601 once there is a cause."""
        if self._cause is not None:
            raise CommandError(self._cause, _WORDS[self._cause])
        if self._deadline is not None and self._clock() > self._deadline:
            raise CommandError(TIME_LIMIT, _WORDS[TIME_LIMIT])


class _Current(threading.local):
    operation: Operation | None = None


_current = _Current()


@contextmanager
def running(operation: Operation) -> Iterator[Operation]:
    """Makes an operation the one of this thread while the block runs."""
    outer, _current.operation = _current.operation, operation
    try:
        yield operation
    finally:
        _current.operation = outer


def current() -> Operation | None:
    """Returns the operation of this thread, None outside of any."""
    return _current.operation


def check() -> None:
    """Raises code 50, 279, 11600 or 11601 when the operation of this thread is not to go on."""
    operation = _current.operation
    if operation is not None:
        operation.check()


def watched(items: Sequence[T]) -> Iterator[T]:
    """Yields the items of a sequence and checks between some of them."""
    for start in range(0, len(items), _STEPS_BETWEEN_CHECKS):
        check()
        yield from items[start : start + _STEPS_BETWEEN_CHECKS]


def watched_rows(rows: Iterable[T]) -> Iterator[T]:
    """Yields rows and checks before each, since each may cost much behind."""
    operation = _current.operation
    if operation is None:
        yield from rows
        return
    for row in rows:
        operation.check()
        yield row
