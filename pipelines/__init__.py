"""Ready-made, versioned recipes: one file each, `RECIPES` by name.

A recipe says which input pipelines answer, over which index definitions, with which defaults. What each
version emits is locked in `locked/` (see `pipelines.lock`); a change of the emission is a new version.
"""

from pipelines.hybrid import HYBRID
from pipelines.keyword import KEYWORD
from pipelines.recipe import Recipe
from pipelines.vector import VECTOR

RECIPES = {recipe.name: recipe for recipe in (HYBRID, KEYWORD, VECTOR)}

__all__ = ["HYBRID", "KEYWORD", "RECIPES", "VECTOR", "Recipe"]
