"""Degradations in `logging`: each kind at most once a minute, so that a log says it and is not drowned."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable

from atlas_rag.plan import Note

logger = logging.getLogger("atlas_rag.retriever")
INTERVAL = 60.0
"""Seconds between two warnings of one cause."""


class Warner:
    """Says notes at level WARNING, one cause at most once per interval.

    Args:
        clock: gives monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: dict[tuple[str, str], float] = {}

    def __reduce__(self) -> tuple[type[Warner], tuple[()]]:
        return Warner, ()

    def say(self, namespace: str, notes: Iterable[Note]) -> None:
        """Warns of what has not been said within the interval."""
        for note in notes:
            now, key = self._clock(), (note.cause.value, note.about)
            last = self._said.get(key)
            if last is None or now - last >= INTERVAL:
                self._said[key] = now
                logger.warning("%s: %s", namespace, note.text)
