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
    (middle,) = mids_ms(ask, [questions], passes=passes)
    return middle


def mids_ms(
    ask: Callable[[Any], object], sets: Sequence[Sequence[Any]], *, passes: int = PASSES
) -> list[float]:
    """The same for several sets of questions, their passes in turn, so that all meet the same minutes."""
    for _ in range(WARM_UPS):
        for questions in sets:
            for question in questions:
                ask(question)
    medians = [[_median_ms(ask, questions) for questions in sets] for _ in range(passes)]
    return [statistics.median(of_one) for of_one in zip(*medians, strict=True)]


def _median_ms(ask: Callable[[Any], object], questions: Sequence[Any]) -> float:
    times = []
    for question in questions:
        start = time.thread_time_ns()
        ask(question)
        times.append((time.thread_time_ns() - start) / 1e6)
    return statistics.median(times)


def rate(work: Callable[[], object], count: int) -> float:
    """Items a second of CPU of the calling thread."""
    start = time.thread_time()
    work()
    return count / (time.thread_time() - start)
