"""`atlas-rag tune diff`: what changed between two runs of an experiment."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from atlas_rag.cli import places
from atlas_rag.errors import CallError

if TYPE_CHECKING:
    from atlas_rag.tuning.experiment.history import RunDifference

SHOWN = 10


def command(
    name: Annotated[str, typer.Argument(help="The experiment's name, or the folder of a history.")],
    first: Annotated[int | None, typer.Argument(help="Number of a run; the last but one by default.")] = None,
    second: Annotated[int | None, typer.Argument(help="Number of a run; the last by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the difference as JSON.")] = False,
) -> None:
    """Say what changed between two runs: inputs, weights, and the queries that win and lose.

    Example: atlas-rag tune diff scifact 1 2
    """
    from atlas_rag.tuning.experiment.history import History, difference, read_record

    files = {int(path.stem): path for path in History(places.history(name)).files}
    numbers = list(files)
    chosen = [first if first is not None else (numbers[-2:] or [0])[0], second or (numbers or [0])[-1]]
    if missing := [number for number in chosen if number not in files]:
        raise CallError(
            f"there is no run {missing[0]} of {name!r}",
            expected=f"one of {numbers}" if numbers else "an experiment that was run",
        )
    found = difference(*(read_record(files[number]) for number in chosen))
    typer.echo(json.dumps(asdict(found), indent=2) if as_json else _as_text(found, chosen))


def _as_text(found: RunDifference, chosen: list[int]) -> str:
    lines = [f"run {chosen[0]} to run {chosen[1]}"]
    lines.append("inputs that changed: " + (", ".join(found.inputs) or "none"))
    if found.fusion[0] != found.fusion[1]:
        lines.append(f"fusion: {found.fusion[0]} to {found.fusion[1]}")
    lines += [
        f"weight of {name}: {_number(old)} to {_number(new)}" for name, (old, new) in found.weights.items()
    ]
    lines.append(f"mean of the common queries: {found.mean[0]:.4f} to {found.mean[1]:.4f}")
    lines.append(
        f"queries: {len(found.queries)} changed, {len(found.added)} added, {len(found.removed)} removed"
    )
    changed = list(found.queries.items())
    shown = changed if len(changed) <= 2 * SHOWN else [*changed[:SHOWN], *changed[-SHOWN:]]
    lines += [f"  {query}: {old:.4f} to {new:.4f}" for query, (old, new) in shown]
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.4g}"
