"""Finds and reads recipes: those of the package by name, others by path."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import ValidationError

from atlas_rag.errors import CallError, Code
from atlas_rag.indexes import read_definitions
from atlas_rag.plan import check_inputs
from atlas_rag.recipes.model import RecipeFile
from atlas_rag.recipes.recipe import Recipe

IN_WHEEL = Path(__file__).parent / "data"
IN_CHECKOUT = Path(__file__).parents[2] / "pipelines"


def data_folder() -> Path:
    """The folder `pipelines/`: of the checkout, or as the wheel carries it."""
    return IN_WHEEL if IN_WHEEL.is_dir() else IN_CHECKOUT


def recipe_names() -> tuple[str, ...]:
    """Names of the recipes that come with the package."""
    return tuple(sorted(file.stem for file in (data_folder() / "recipes").glob("*.toml")))


def read_recipe(given: str | Path) -> Recipe:
    """A recipe of the package by its name, or the recipe in a file.

    Args:
        given: a name of `recipe_names()`; or a path: anything that ends in `.toml`.

    Raises:
        CallError: INVALID_OPTION, there is no such recipe; INVALID_DEFINITION, the file is not one: every
            problem is told at once, with its place.
    """
    if str(given).endswith(".toml"):
        return _read(Path(given))
    if given not in recipe_names():
        raise CallError(
            f"There is no recipe {str(given)!r}",
            expected=f"one of {', '.join(recipe_names())}, or a file that ends in .toml",
        )
    return _read(data_folder() / "recipes" / f"{given}.toml")


def _read(file: Path) -> Recipe:
    try:
        written = RecipeFile.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _no_recipe(file, f"{type(error).__name__}: {error}") from error
    except ValidationError as error:
        raise _no_recipe(file, _problems(error)) from None
    try:
        inputs = tuple(part.input() for part in written.inputs)
        check_inputs(inputs)
    except CallError as error:
        raise _no_recipe(file, error.problem) from error
    return Recipe(
        name=written.name,
        version=written.version,
        mode=written.mode,
        inputs=inputs,
        indexes=read_definitions(*(file.parent / name for name in written.indexes)),
        options=written.options,
        embedder=written.embedder,
    )


def _problems(error: ValidationError) -> str:
    found = error.errors(include_input=False, include_url=False)
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found)


def _no_recipe(file: Path, problem: str) -> CallError:
    return CallError(
        f"{file.name} is not a recipe: {problem}",
        expected="a TOML file like those in pipelines/recipes",
        code=Code.INVALID_DEFINITION,
    )
