"""The recipes of `pipelines/`, which belong to the project and not to the package."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from atlas_rag.errors import CallError

if TYPE_CHECKING:
    from atlas_rag.indexes import WantedIndex


def recipe(name: str) -> Any:
    """The recipe of this name, of the `pipelines` package in this folder or on the path.

    Raises:
        CallError: INVALID_OPTION, there is no such package, or no such recipe in it.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        recipes: dict[str, Any] = import_module("pipelines").RECIPES
    except (ModuleNotFoundError, AttributeError) as error:
        raise CallError(
            "There is no package 'pipelines' here",
            expected="the project's folder",
            next_step="use --definitions",
        ) from error
    if name not in recipes:
        raise CallError(f"There is no recipe {name!r}", expected=f"one of {', '.join(sorted(recipes))}")
    return recipes[name]


def recipe_indexes(name: str) -> tuple[WantedIndex, ...]:
    """The index definitions that a recipe needs."""
    found: tuple[WantedIndex, ...] = recipe(name).indexes
    return found
