"""Measuring and printing: medians, ratios of one run, and whether a figure is within its bound."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of a table: what was measured, its value and bound in a unit, lower is better unless said."""

    what: str
    value: float
    bound: float
    unit: str
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the bound is kept."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound


def median_us(action: Callable[[], object], *, repeats: int = 9, calls: int = 200) -> float:
    """Median over repeats of the mean CPU time of a call, in microseconds, after one warm-up round."""
    times = []
    for _ in range(repeats + 1):
        start = time.process_time()
        for _ in range(calls):
            action()
        times.append((time.process_time() - start) / calls * 1e6)
    return statistics.median(times[1:])


def show(title: str, figures: Sequence[Figure]) -> None:
    """Prints the figures as a table."""
    table = Table(title=title, title_justify="left")
    for column in ("what", "measured", "bound", ""):
        table.add_column(column, justify="left" if column == "what" else "right")
    for figure in figures:
        sign = "≥" if figure.at_least else "≤"
        table.add_row(
            figure.what,
            f"{figure.value:,.4g} {figure.unit}",
            f"{sign} {figure.bound:,.4g} {figure.unit}",
            "ok" if figure.holds else "MISSED",
        )
    Console().print(table)
