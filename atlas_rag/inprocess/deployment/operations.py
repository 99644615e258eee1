"""The commands at work, so that they can be listed and ended."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

from atlas_rag.inprocess import interruption
from atlas_rag.inprocess.interruption import KILLED, Operation


class Operations:
    """All operations under way, by a number that is never used again."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._running: dict[int, Operation] = {}
        self._lock = threading.Lock()

    @contextmanager
    def running(self, operation: Operation, database: str, command: Mapping[str, Any]) -> Iterator[Operation]:
        """Keeps an operation in the list, and current for this thread, while the block runs."""
        with self._lock:
            number = next(self._numbers)
            operation.begin(database, command)
            self._running[number] = operation
        try:
            with interruption.running(operation):
                yield operation
        finally:
            with self._lock:
                del self._running[number]

    def under_way(self) -> list[tuple[int, Operation]]:
        """Returns (number, operation) of all, the oldest first."""
        with self._lock:
            return sorted(self._running.items())

    def kill(self, number: int) -> bool:
        """Ends an operation at its next step; returns whether there is one of this number."""
        with self._lock:
            operation = self._running.get(number)
        if operation is None:
            return False
        operation.interrupt(KILLED)
        return True
