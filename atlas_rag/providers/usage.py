"""What calls of providers cost, as they count it themselves."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Usage:
    """What providers reported for some requests; `a + b` is both.

    Args:
        requests: that were answered. tokens: billed, text and images together.
        pixels: of images and videos. search_units: Cohere's unit, one question with up to 100 texts.
    """

    requests: int = 0
    tokens: int = 0
    pixels: int = 0
    search_units: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    def __bool__(self) -> bool:
        return self != Usage()


class Meter:
    """Adds up usage, from any thread."""

    def __init__(self) -> None:
        self._usage = Usage()
        self._adding = threading.Lock()

    @property
    def usage(self) -> Usage:
        """Everything so far."""
        return self._usage

    def add(self, usage: Usage) -> None:
        """Adds what one request cost."""
        with self._adding:
            self._usage += usage

    def __getstate__(self) -> Usage:
        return self._usage

    def __setstate__(self, usage: Usage) -> None:
        self._usage = usage
        self._adding = threading.Lock()


_METERS: ContextVar[tuple[Meter, ...]] = ContextVar("atlas_rag_meters", default=())


@contextmanager
def metered() -> Iterator[Meter]:
    """A meter of everything that is asked of providers inside, by this thread or task and those it starts.

    with metered() as meter:
        embedder.embed_documents(texts)
    print(meter.usage.tokens)
    """
    meter = Meter()
    token = _METERS.set((*_METERS.get(), meter))
    try:
        yield meter
    finally:
        _METERS.reset(token)


def report(usage: Usage) -> None:
    """Tells every meter that is running what one request cost."""
    for meter in _METERS.get():
        meter.add(usage)
