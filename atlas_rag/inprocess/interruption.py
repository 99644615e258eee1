"""Whether the command at work may go on: its time limit, `killOp`, a client that left, a server that ends.

A command runs in one thread as one `Operation`. Whatever takes long calls `check` between its steps (rows,
array elements, slices of a text), often enough that an interruption is noticed within a fifth of a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from atlas_rag.inprocess.errors import CommandError

T = TypeVar("T")

TIME_LIMIT, SHUTDOWN, KILLED, CLIENT_GONE = 50, 11600, 11601, 279

_STEPS_BETWEEN_CHECKS = 64
_WORDS = {
    TIME_LIMIT: "operation exceeded time limit",
    SHUTDOWN: "interrupted at shutdown",
    KILLED: "operation was interrupted",
    CLIENT_GONE: "Client disconnected",
}


class Interrupted(CommandError):  # noqa: N818 - it names what happened
    """A command that was ended on its way; it fails as a whole, whatever it had gathered."""

    def __init__(self, code: int) -> None:
        super().__init__(code, _WORDS[code])

    def within(self, prefix: str) -> CommandError:
        """Returns itself: a server says nothing of the place."""
        return self


class Operation:
    """One command at work.

    Args:
        clock: monotonic seconds.

    Attributes:
        deadline: the moment of the clock at which it fails with code 50; None for never.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.deadline: float | None = None
        self._clock = clock
        self._cause: int | None = None

    def limit(self, milliseconds: float) -> None:
        """Sets `maxTimeMS`, counted from now; 0 for no limit."""
        self.deadline = self._clock() + milliseconds / 1000 if milliseconds else None

    def interrupt(self, cause: int) -> None:
        """Ends it at its next check; may be called from any thread. The first cause counts."""
        if self._cause is None:
            self._cause = cause

    def check(self) -> None:
        """Raises `Interrupted` once there is a cause."""
        if self._cause is not None:
            raise Interrupted(self._cause)
        if self.deadline is not None and self._clock() > self.deadline:
            raise Interrupted(TIME_LIMIT)


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
    """Raises `Interrupted` when the operation of this thread is not to go on."""
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
