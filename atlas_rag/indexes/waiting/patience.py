"""How long to wait, and how often to look."""

from __future__ import annotations

from atlas_rag.errors import CallError
from atlas_rag.wire import Clock, Pause

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
"""Seconds between looks: doubled from one to the other."""


class Patience:
    """One wait from now on.

    Args:
        timeout: seconds, 0 or more.
    """

    def __init__(self, timeout: float, clock: Clock) -> None:
        if not timeout >= 0:
            raise CallError(f"timeout is {timeout}", expected="seconds, 0 or more")
        self._timeout, self._clock = timeout, clock
        self._start, self._next = clock.time(), FIRST_PAUSE

    @property
    def waited(self) -> float:
        """Seconds since the start."""
        return self._clock.time() - self._start

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self.waited >= self._timeout

    def pause(self) -> Pause:
        """The pause before the next look; never longer than the time that is left."""
        pause, self._next = self._next, min(self._next * 2, LONGEST_PAUSE)
        return Pause(min(pause, max(self._timeout - self.waited, 0.01)))
