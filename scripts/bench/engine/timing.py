"""How the real core was measured: warm up, several passes, the middle of their medians."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

PASSES, WARM_UPS = 5, 2


def mid_ms(ask: Callable[[Any], object], questions: Sequence[Any], *, passes: int = PASSES) -> float:
    """Milliseconds of CPU per question: the median over passes of each pass's median.

    CPU of the calling thread, so that neighbours on the machine count less; the engine does not wait.
    """
    for _ in range(WARM_UPS):
        for question in questions:
            ask(question)
    medians = []
    for _ in range(passes):
        times = []
        for question in questions:
            start = time.thread_time_ns()
            ask(question)
            times.append((time.thread_time_ns() - start) / 1e6)
        medians.append(statistics.median(times))
    return statistics.median(medians)


def rate(work: Callable[[], object], count: int) -> float:
    """Items a second of CPU of the calling thread."""
    start = time.thread_time()
    work()
    return count / (time.thread_time() - start)
