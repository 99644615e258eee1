"""`atlas-rag load`: a file of JSON lines into a collection, with vectors."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atlas_rag.cli import places
from atlas_rag.cli.embedders import HELP, embedder_named
from atlas_rag.cli.index.options import AsJson, Local, Namespace, Uri, UriFile
from atlas_rag.cli.recipes import HELP as RECIPE_HELP
from atlas_rag.cli.recipes import recipe as find_recipe
from atlas_rag.cli.running import NOT_WELL
from atlas_rag.errors import CallError

if TYPE_CHECKING:
    from atlas_rag.embed import Embedder
    from atlas_rag.loading import Loading


def command(
    namespace: Namespace,
    file: Annotated[Path, typer.Argument(help="One JSON object a line.", show_default=False)],
    text: Annotated[str, typer.Option(help="Field that is embedded.")] = "text",
    id: Annotated[str, typer.Option(help="Field that holds the id.")] = "_id",  # noqa: A002  # the option's name
    embedder: Annotated[str | None, typer.Option(help=HELP, show_default=False)] = None,
    recipe: Annotated[str | None, typer.Option(help=f"Its embedder is used. {RECIPE_HELP}")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count the items, change nothing.")] = False,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
    as_json: AsJson = False,
) -> None:
    """Embed each text and upsert the documents. May be killed and run again: only what changed is embedded.

    Leaves with 1 where an item failed; all others are loaded.

    Example: atlas-rag load shop.notes notes.jsonl --text body --id key --embedder minilm
    """
    from atlas_rag.drivers.choose import engine_for
    from atlas_rag.loading import load, read_jsonl
    from atlas_rag.wire import drive

    items = read_jsonl(file, text=text, id=id)
    count = sum(1 for _ in items)
    if dry_run:
        typer.echo(json.dumps({"items": count}))
        return
    made = _embedder(embedder, recipe)
    checkpoint = places.folder(local) / "loading" / f"{namespace}.json"
    with places.collection(namespace, uri, local, uri_file) as collection, showing(count) as progress:
        flow = load(namespace, items, made, checkpoint=checkpoint, progress=progress)
        report = drive(flow, engine_for(collection))
    typer.echo(json.dumps(report.to_dict()) if as_json else str(report))
    raise typer.Exit(NOT_WELL if report.failures else 0)


def _embedder(embedder: str | None, recipe: str | None) -> Embedder:
    name = embedder or (find_recipe(recipe).embedder if recipe else None)
    if not name:
        raise CallError("No embedder is named", expected="--embedder, or a --recipe that names one")
    return embedder_named(name)


@contextmanager
def showing(total: int) -> Iterator[Callable[[Loading], None]]:
    """What to tell of every batch: a bar on a terminal, nothing elsewhere; all of it to standard error."""
    if not sys.stderr.isatty():
        yield lambda loading: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("embed and load", total=total)
        yield lambda loading: progress.update(task, completed=loading.read)
