"""`atlas-rag search`: your own question to the index that the demo has built."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from atlas_rag.cli import places


def command(
    question: Annotated[str, typer.Argument(help="What to look for.")],
    mode: Annotated[str, typer.Option(help="hybrid, vector or keyword.")] = "hybrid",
    limit: Annotated[int, typer.Option(min=1, help="Hits to show.")] = 5,
    kind: Annotated[str | None, typer.Option(help="Only module, class or function.")] = None,
    local: Annotated[Path | None, typer.Option("--folder", help="Folder of the in-process engine.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Evidence as JSON instead of a table.")] = False,
) -> None:
    """Ask the index that `make demo` has built.

    Example: atlas-rag search "read a csv file" --mode keyword
    """
    from atlas_rag.retriever.blueprint import Blueprint

    blueprint = Blueprint.read(places.folder(local) / "retriever.json")
    condition = {"kind": kind} if kind else None
    with places.client(local=local) as client:
        retriever = blueprint.retriever(client)
        result = retriever.retrieve(question, mode=mode, limit=limit, filter=condition)
    if as_json:
        typer.echo(result.evidence.model_dump_json(indent=2))
        return
    from rich.console import Console

    from atlas_rag.cli.tables import result_table

    Console().print(result_table(result))
