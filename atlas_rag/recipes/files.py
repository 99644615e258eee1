"""Finds and reads recipes: those of the package by name, others by path."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from atlas_rag.errors import AtlasRagError, CallError, Code
from atlas_rag.indexes import read_definitions
from atlas_rag.indexes.desired.wanted import read_definition
from atlas_rag.plan import Fusion, Input, check_inputs, read_input
from atlas_rag.query.options import RetrievalOptions
from atlas_rag.query.refusal import nearest
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
    parts = _Parts()
    try:
        written = RecipeFile.model_validate(content)
    except ValidationError as error:
        parts.read(content.get("inputs"), content.get("fusion"), content.get("options"))
        raise _no_recipe(file, "; ".join([*map(_told, error.errors()), *parts.problems])) from None
    return _made(file, written, parts)


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


class _Parts:
    """Reads the parts of a recipe, and keeps every problem with its place and remedy."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def part(self, place: str, read: Callable[[], Part]) -> Part | None:
        try:
            return read()
        except AtlasRagError as error:
            remedy = "; ".join(part for part in (f"expected: {error.expected}", error.next_step) if part)
            self.problems.append(f"{place}: {error.problem} ({remedy})")
            return None

    def read(self, inputs: Any, fusion: Any, options: Any) -> tuple[tuple[Input, ...], Fusion]:
        """Input pipelines and fusion, and each option by itself; what is of another shape is left out."""
        found = [
            self.part(f"inputs.{i}", partial(read_input, one))
            for i, one in enumerate(inputs if isinstance(inputs, (list, tuple)) else ())
            if isinstance(one, dict)
        ]
        fused = self.part("fusion", partial(Fusion.from_dict, fusion)) if isinstance(fusion, dict) else None
        for name, value in options.items() if isinstance(options, dict) else ():
            self.part(f"options.{name}", partial(RetrievalOptions().override, {name: value}))
        return tuple(one for one in found if one is not None), fused or Fusion()


def _made(file: Path, written: RecipeFile, parts: _Parts) -> Recipe:
    """The recipe, or every problem of its parts at once."""
    inputs, fusion = parts.read(written.inputs, written.fusion, written.options)
    files = [file.parent / name for name in written.indexes if isinstance(name, str)]
    named = parts.part("indexes", partial(read_definitions, *files)) if files else ()
    inline = [
        parts.part(f"indexes.{i}", partial(read_definition, one))
        for i, one in enumerate(written.indexes)
        if isinstance(one, dict)
    ]
    recipe = Recipe(
        name=written.name,
        version=written.version,
        mode=written.mode,
        inputs=inputs,
        indexes=(*(named or ()), *(one for one in inline if one is not None)),
        options=written.options,
        embedder=written.embedder,
        fusion=fusion,
        required_filters=written.required_filters,
        thresholds=written.thresholds,
        provenance=written.provenance,
    )
    if not parts.problems:
        parts.part("options", recipe.call_options)
        parts.part("inputs", partial(check_inputs, recipe.inputs))
    if parts.problems:
        raise _no_recipe(file, "; ".join(parts.problems))
    return recipe


def _told(problem: Any) -> str:
    """A problem of the file's shape, with the key that was probably meant."""
    place = ".".join(map(str, problem["loc"]))
    if problem["type"] != "extra_forbidden":
        return f"{place}: {problem['msg']}"
    meant = nearest(problem["loc"][-1], RecipeFile.model_fields)
    return f"{place}: there is no such key ({f'did you mean {meant}?' if meant else 'leave it out'})"


def _no_recipe(file: Path, problem: str) -> CallError:
    return CallError(
        f"{file.name} is not a recipe: {problem}",
        expected="a TOML file like those in pipelines/recipes",
        code=Code.INVALID_DEFINITION,
    )
