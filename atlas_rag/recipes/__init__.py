"""Recipes: versioned files that say which input pipelines answer, over which index definitions.

`pipelines/` at the top of the project holds them as data (`recipes/*.toml`, `indexes/*.json`,
`experiments/*.toml`, and in `locked/` what each version emits); all of it travels in the wheel.

recipe = read_recipe("hybrid")          # by name, or read_recipe(Path("mine.toml"))
retriever = Retriever(collection, inputs=recipe.inputs, embedder=embedder)
"""

from atlas_rag.recipes.files import data_folder, read_recipe, recipe_names
from atlas_rag.recipes.recipe import Recipe, check_embedder, recipe_document

__all__ = ["Recipe", "check_embedder", "data_folder", "read_recipe", "recipe_document", "recipe_names"]
