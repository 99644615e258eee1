"""Recipes as commands use them: by name or file, as index definitions and as retrievers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from atlas_rag.indexes import WantedIndex
    from atlas_rag.recipes import Recipe
    from atlas_rag.retriever import Retriever

HELP = "A recipe: hybrid, keyword, vector, or a file that ends in .toml."


def recipe(given: str) -> Recipe:
    """The recipe of this name, or in this file.

    Raises:
        CallError: INVALID_OPTION, INVALID_DEFINITION.
    """
    from atlas_rag.recipes import read_recipe

    return read_recipe(given)


def recipe_indexes(given: str) -> tuple[WantedIndex, ...]:
    """The index definitions that a recipe needs."""
    return recipe(given).indexes


def retriever_of(found: Recipe, collection: Any, **settings: Any) -> Retriever:
    """A retriever of this recipe; further settings as `Retriever` takes them."""
    from atlas_rag.retriever import Retriever

    return Retriever.from_recipe(found, collection, **settings)
