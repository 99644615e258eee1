"""Time that requests take, measured at the engine's door."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from atlas_rag.wire import AsyncEngine, Command, Engine, Reply


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds per request: count, median, 95th percentile and sum."""

    requests: int
    p50: float
    p95: float
    total: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Latency:
        """Nearest-rank percentiles; zeros for no request."""
        ordered = sorted(seconds)
        if not ordered:
            return cls(0, 0.0, 0.0, 0.0)
        return cls(len(ordered), _percentile(ordered, 50), _percentile(ordered, 95), sum(ordered))


def _percentile(ordered: Sequence[float], percent: int) -> float:
    return ordered[-(-percent * len(ordered) // 100) - 1]


@dataclass
class Times:
    """Seconds of each request by the comment that it carries."""

    clock: Callable[[], float] = time.perf_counter
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def note(self, command: Command, begin: float) -> None:
        label = str(command.body.get("comment", ""))
        self.seconds.setdefault(label, []).append(self.clock() - begin)


@dataclass
class TimedEngine:
    """An engine that notes how long each request takes."""

    engine: Engine
    times: Times

    @property
    def namespace(self) -> str:
        return self.engine.namespace

    def run(self, command: Command) -> Reply:
        begin = self.times.clock()
        try:
            return self.engine.run(command)
        finally:
            self.times.note(command, begin)


@dataclass
class TimedAsyncEngine:
    """The same for an asynchronous engine."""

    engine: AsyncEngine
    times: Times

    @property
    def namespace(self) -> str:
        return self.engine.namespace

    async def run(self, command: Command) -> Reply:
        begin = self.times.clock()
        try:
            return await self.engine.run(command)
        finally:
            self.times.note(command, begin)
