"""Writes recipe files; what is written can be read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.recipes.files import read_recipe


def write_recipe(path: str | Path, content: Mapping[str, Any]) -> Path:
    """Writes a recipe into a new file, and reads it back.

    Raises:
        CallError: INVALID_OPTION, there is such a file already; INVALID_DEFINITION, the content is no recipe.
    """
    import tomli_w

    file = Path(path)
    check_free(file)
    file.write_text(tomli_w.dumps(dict(content)), encoding="utf-8")
    try:
        read_recipe(file)
    except CallError:
        file.unlink()
        raise
    return file


def check_free(file: Path) -> None:
    """Refuses to write over a file.

    Raises:
        CallError: INVALID_OPTION.
    """
    if file.exists():
        raise CallError(
            f"{file.name} is there already",
            expected="a new file for each version",
            next_step="name another, or remove it",
        )
