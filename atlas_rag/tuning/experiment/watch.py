"""How long each phase takes, and how far it has come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Say = Callable[[str], None]


class Watch:
    """Seconds by phase; tells of phases and progress.

    Args:
        say: told the name of each phase as it begins, then lines of progress that contain a colon.
    """

    def __init__(self, say: Say, clock: Callable[[], float] = time.perf_counter) -> None:
        self.seconds: dict[str, float] = {}
        self._say, self._clock = say, clock
        self._phase, self._begin = "", 0.0

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Times what is done inside."""
        self._phase, self._begin = name, self._clock()
        self._say(name)
        yield
        self.seconds[name] = self._clock() - self._begin

    def progress(self, done: int, total: int) -> None:
        """Requests answered so far in this phase."""
        passed = self._clock() - self._begin
        rate = done / passed if passed else 0.0
        left = (total - done) / rate if rate else 0.0
        self._say(f"{self._phase}: {done} of {total} requests, {rate:.0f} a second, {left:.0f} s left")
