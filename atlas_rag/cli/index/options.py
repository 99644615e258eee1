"""What the index commands take in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from atlas_rag.cli.recipes import HELP, recipe_indexes

if TYPE_CHECKING:
    from atlas_rag.indexes import WantedIndex

Namespace: TypeAlias = Annotated[str, typer.Argument(help="database.collection", show_default=False)]
Definitions: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--definitions", "-d", help="File (.json, .toml, .py) or folder; can be repeated."),
]
RecipeName: TypeAlias = Annotated[
    str | None, typer.Option("--recipe", help=f"Definitions of a recipe. {HELP}")
]
Uri: TypeAlias = Annotated[
    str | None, typer.Option(help="Connection string. Others can see it in the list of processes.")
]
UriFile: TypeAlias = Annotated[Path | None, typer.Option(help="File that holds the connection string.")]
Local: TypeAlias = Annotated[Path | None, typer.Option("--folder", help="Folder of the in-process engine.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON document instead of lines.")]
Timeout: TypeAlias = Annotated[float, typer.Option(min=0, help="Seconds to wait.")]
Kept: TypeAlias = Annotated[
    Path | None,
    typer.Option("--keep", help="File of the previous definitions; .atlas_rag/previous/NAMESPACE.json."),
]


def wanted_indexes(definitions: list[Path] | None, recipe: str | None) -> tuple[WantedIndex, ...]:
    """The indexes that the options name.

    Raises:
        CallError: INVALID_OPTION where they name none; INVALID_DEFINITION.
    """
    from atlas_rag.errors import CallError
    from atlas_rag.indexes import read_definitions

    found = read_definitions(*(definitions or ())) + (recipe_indexes(recipe) if recipe else ())
    if not found:
        raise CallError("No index is named", expected="--definitions or --recipe")
    return found


def kept_file(given: Path | None, namespace: str) -> Path:
    """The file of the previous definitions."""
    from atlas_rag.cli import places

    return given or places.folder() / "previous" / f"{namespace}.json"
