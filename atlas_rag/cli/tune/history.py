"""`atlas-rag tune history`: the runs of an experiment."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from atlas_rag.cli import places


def command(
    name: Annotated[str, typer.Argument(help="The experiment's name, or the folder of a history.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the records as JSON.")] = False,
) -> None:
    """List the runs of an experiment: weights, gain, hold-out.

    Example: atlas-rag tune history scifact
    """
    from atlas_rag.tuning.experiment.history import History, read_record

    records = {path.stem: read_record(path) for path in History(places.history(name)).files}
    if as_json:
        typer.echo(json.dumps(records, indent=2, ensure_ascii=False))
        return
    if not records:
        typer.echo(f"no run of {name!r} yet")
    for number, found in records.items():
        typer.echo(f"{number}  {_line(found)}")


def _line(found: dict[str, Any]) -> str:
    weights = ", ".join(f"{name} {weight:.4g}" for name, weight in found["weights"].items())
    gain = found["gain"]
    told = "too few queries" if gain is None else f"gain {gain['estimate']:+.4f} (p {gain['p']:.2g})"
    held = found["holdout"]
    beside = f", hold-out {held['difference']:+.4f}" if held else ""
    return f"{found['fusion']}: {weights}; {told}{beside}; {found['rule']}"
