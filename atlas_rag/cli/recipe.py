"""`atlas-rag recipe`: what recipes there are, what one says, and whether it is right."""

from __future__ import annotations

import difflib
import json
from typing import Annotated, Any

import typer

from atlas_rag.cli.recipes import HELP
from atlas_rag.cli.recipes import recipe as find_recipe

app = typer.Typer(no_args_is_help=True, help="List, show, check and compare recipes.")
Given = Annotated[str, typer.Argument(help=HELP, show_default=False)]


@app.command("list")
def names() -> None:
    """The recipes that come along, one a line."""
    from atlas_rag.recipes import recipe_names

    for name in recipe_names():
        typer.echo(find_recipe(name).id)


@app.command()
def check(given: Given) -> None:
    """Read a recipe; every problem is told at once, with its place and remedy. Leaves with 2 if there is one.

    Example: atlas-rag recipe check mine.toml
    """
    found = find_recipe(given)
    inputs = ", ".join(f"{one.name} ({type(one).__name__})" for one in found.inputs)
    typer.echo(
        f"{found.id}: {found.mode.value}, {inputs}; fusion: {found.fusion}; {len(found.indexes)} indexes"
    )


@app.command()
def show(given: Given) -> None:
    """A recipe as JSON, index definitions and where its numbers come from among it."""
    typer.echo(_as_json(given))


@app.command()
def diff(one: Given, other: Given) -> None:
    """What differs between two recipes. Leaves with 1 if anything does."""
    left, right = (_as_json(given).splitlines(keepends=True) for given in (one, other))
    changed = list(difflib.unified_diff(left, right, fromfile=one, tofile=other))
    typer.echo("".join(changed), nl=False)
    if changed:
        raise typer.Exit(1)


def _as_json(given: str) -> str:
    found = find_recipe(given)
    document: dict[str, Any] = {
        "name": found.name,
        "version": found.version,
        "mode": found.mode.value,
        "inputs": [one.to_dict() for one in found.inputs],
        "fusion": found.fusion.to_dict(),
        "options": dict(found.options),
        "thresholds": dict(found.thresholds),
        "required_filters": list(found.required_filters),
        "embedder": found.embedder,
        "indexes": [index.to_dict() for index in found.indexes],
        "provenance": dict(found.provenance),
    }
    return json.dumps(document, indent=2, ensure_ascii=False, sort_keys=True)
