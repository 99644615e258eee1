"""Finds and reads recipes: those of the package by name, others by path."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from atlas_rag.errors import AtlasRagError, CallError, Code
from atlas_rag.indexes import read_definitions
from atlas_rag.indexes.desired.wanted import read_definition
from atlas_rag.plan import Fusion, check_inputs, read_input
from atlas_rag.recipes.model import FORMAT, RecipeFile
from atlas_rag.recipes.recipe import Recipe

Part = TypeVar("Part")

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
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _no_recipe(file, f"{type(error).__name__}: {error}") from error
    _check_format(file, content)
    try:
        written = RecipeFile.model_validate(content)
    except ValidationError as error:
        raise _no_recipe(file, "; ".join([_problems(error), *_input_problems(content)])) from None
    return _made(file, written)


def _check_format(file: Path, content: dict[str, Any]) -> None:
    """Refuses a later format before its keys are read: what they mean there is not known here."""
    found = content.get("format")
    if isinstance(found, int) and found > FORMAT:
        raise CallError(
            f"{file.name} is a recipe of format {found}",
            expected=f"format {FORMAT}, which this version of atlas_rag reads",
            next_step="use a later atlas_rag, or write the recipe in the format expected",
            code=Code.INVALID_DEFINITION,
        )


def _input_problems(content: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the inputs of a file whose other keys are wrong too."""
    inputs = content.get("inputs")
    for position, one in enumerate(inputs if isinstance(inputs, list) else ()):
        try:
            read_input(one if isinstance(one, dict) else {})
        except AtlasRagError as error:
            yield f"inputs.{position}: {error.problem}"


def _made(file: Path, written: RecipeFile) -> Recipe:
    """The recipe, or every problem of its parts at once."""
    problems: list[str] = []

    def part(place: str, read: Callable[[], Part]) -> Part | None:
        try:
            return read()
        except AtlasRagError as error:
            problems.append(f"{place}: {error.problem} (expected: {error.expected}; {error.next_step})")
            return None

    inputs = [part(f"inputs.{i}", partial(read_input, one)) for i, one in enumerate(written.inputs)]
    fusion = part("fusion", partial(Fusion.from_dict, written.fusion))
    files = [file.parent / name for name in written.indexes if isinstance(name, str)]
    named = part("indexes", partial(read_definitions, *files)) if files else ()
    inline = [
        part(f"indexes.{i}", partial(read_definition, one))
        for i, one in enumerate(written.indexes)
        if isinstance(one, dict)
    ]
    indexes = (*(named or ()), *(one for one in inline if one is not None))
    recipe = Recipe(
        name=written.name,
        version=written.version,
        mode=written.mode,
        inputs=tuple(one for one in inputs if one is not None),
        indexes=indexes,
        options=written.options,
        embedder=written.embedder,
        fusion=fusion or Fusion(),
        required_filters=written.required_filters,
        thresholds=written.thresholds,
        provenance=written.provenance,
    )
    part("options", recipe.call_options)
    if not problems:
        part("inputs", partial(check_inputs, recipe.inputs))
    if problems:
        raise _no_recipe(file, "; ".join(problems))
    return recipe


def _problems(error: ValidationError) -> str:
    found = error.errors(include_input=False, include_url=False)
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found)


def _no_recipe(file: Path, problem: str) -> CallError:
    return CallError(
        f"{file.name} is not a recipe: {problem}",
        expected="a TOML file like those in pipelines/recipes",
        code=Code.INVALID_DEFINITION,
    )
