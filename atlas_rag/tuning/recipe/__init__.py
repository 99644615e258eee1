"""A recipe's own input pipelines, tuned: out comes the next version of the recipe.

    tuned = tune_recipe(recipe, runs, queries, judgments)
    write_recipe("hybrid-3.toml", next_version(recipe, tuned, facts))

`collect_runs` asks a deployed collection or one in process; `read_runs` takes rankings made elsewhere.
"""

from atlas_rag.tuning.recipe.collecting import collect_runs, load_files
from atlas_rag.tuning.recipe.reading import read_judgments, read_queries, read_runs
from atlas_rag.tuning.recipe.tune import tune_recipe
from atlas_rag.tuning.recipe.versions import next_version

__all__ = [
    "collect_runs",
    "load_files",
    "next_version",
    "read_judgments",
    "read_queries",
    "read_runs",
    "tune_recipe",
]
