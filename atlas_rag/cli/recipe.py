"""`atlas-rag recipe`: what recipes there are, what one says, and whether it is right."""

from __future__ import annotations

import difflib
import json
from typing import Annotated

import typer

from atlas_rag.cli.embedders import HELP as EMBEDDERS
from atlas_rag.cli.recipes import HELP
from atlas_rag.cli.recipes import recipe as find_recipe
from atlas_rag.errors import CallError

app = typer.Typer(no_args_is_help=True, help="Write, list, show, check and compare recipes.")
Given = Annotated[str, typer.Argument(help=HELP, show_default=False)]


@app.command("list")
def names() -> None:
    """The recipes that come along, one a line."""
    from atlas_rag.recipes import recipe_names

    for name in recipe_names():
        typer.echo(find_recipe(name).id)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Small letters, digits, - and _; the file is NAME.toml.")],
    embedder: Annotated[str, typer.Option(help=EMBEDDERS)] = "minilm",
    text: Annotated[list[str] | None, typer.Option(help="String field to look in; may be repeated.")] = None,
    filters: Annotated[
        list[str] | None, typer.Option("--filter", help="Path that every call has to filter by.")
    ] = None,
) -> None:
    """Write a recipe to start from: vectors and keywords, the index definitions they need, equal weights.

    Example: atlas-rag recipe new notes --embedder minilm --text title --text text --filter tenant
    """
    from atlas_rag.cli.embedders import embedder_named
    from atlas_rag.recipes.new import new_recipe
    from atlas_rag.recipes.writing import write_recipe

    content = new_recipe(name, embedder_named(embedder), tuple(text or ["text"]), tuple(filters or ()))
    typer.echo(f"written: {write_recipe(f'{name}.toml', content)}")


@app.command()
def check(given: Given) -> None:
    """Read a recipe; every problem is told at once, with its place and remedy. Leaves with 2 if there is one.

    A recipe that is locked must still send the same, see `recipe lock`.

    Example: atlas-rag recipe check mine.toml
    """
    from atlas_rag.cli.locking import as_text, file_beside

    found = find_recipe(given)
    kept = file_beside(found, given)
    if kept.exists() and kept.read_text(encoding="utf-8") != as_text(found):
        raise CallError(
            f"{found.id} sends something else than {kept.name} holds",
            expected="the same for each version",
            next_step="give it a new version, and lock that",
        )
    inputs = ", ".join(f"{one.name} ({type(one).__name__})" for one in found.inputs)
    typer.echo(
        f"{found.id}: {found.mode.value}, {inputs}; fusion: {found.fusion}; {len(found.indexes)} indexes"
    )


@app.command()
def show(given: Given) -> None:
    """A recipe as JSON, index definitions and where its numbers come from among it."""
    typer.echo(_as_json(given))


@app.command()
def lock(given: Given) -> None:
    """Write down what a recipe sends on every route, beside it: `recipe check` then tells a change.

    A version that is locked already is compared, never replaced.

    Example: atlas-rag recipe lock mine.toml
    """
    from atlas_rag.cli.locking import as_text, file_beside

    found = find_recipe(given)
    kept = file_beside(found, given)
    if kept.exists():
        check(given)
        return
    kept.write_text(as_text(found), encoding="utf-8")
    typer.echo(f"locked: {kept}")


@app.command()
def schema() -> None:
    """The JSON Schema of a recipe file, for editors.

    Example: atlas-rag recipe schema > recipe.schema.json
    """
    from atlas_rag.recipes.model import recipe_schema

    typer.echo(json.dumps(recipe_schema(), indent=2))


@app.command()
def diff(one: Given, other: Given) -> None:
    """What differs between two recipes. Leaves with 1 if anything does."""
    left, right = (_as_json(given).splitlines(keepends=True) for given in (one, other))
    changed = list(difflib.unified_diff(left, right, fromfile=one, tofile=other))
    typer.echo("".join(changed), nl=False)
    if changed:
        raise typer.Exit(1)


def _as_json(given: str) -> str:
    from atlas_rag.recipes import recipe_document

    return json.dumps(recipe_document(find_recipe(given)), indent=2, ensure_ascii=False, sort_keys=True)
