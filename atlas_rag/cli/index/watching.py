"""Shows a wait: a bar on a terminal, a plain line for each change of state elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from atlas_rag.indexes import Waiting


@contextmanager
def watching() -> Iterator[Callable[[Waiting], None]]:
    """What to tell of every look; all of it goes to standard error."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("waiting", total=None)

        def show(waiting: Waiting) -> None:
            ready = sum(state == "ready" for _, state in waiting.states)
            progress.update(task, description=_states(waiting), total=len(waiting.states), completed=ready)

        yield show


def _lines() -> Callable[[Waiting], None]:
    said = ""

    def show(waiting: Waiting) -> None:
        nonlocal said
        states = _states(waiting)
        if states != said:
            typer.echo(f"{waiting.seconds:6.1f} s  {states}", err=True)
            said = states

    return show


def _states(waiting: Waiting) -> str:
    return ", ".join(f"{name} {state}" for name, state in waiting.states)
