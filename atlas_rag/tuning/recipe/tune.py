"""Tunes the fusion of a recipe on runs of its input pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atlas_rag.errors import ExperimentError
from atlas_rag.plan import Fusion
from atlas_rag.recipes import Recipe
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import QuerySet
from atlas_rag.tuning.data.runs import Runs
from atlas_rag.tuning.problem.named import RANK, fusion_named
from atlas_rag.tuning.procedure import Tuning, tune
from atlas_rag.tuning.settings import Settings


def tune_recipe(
    recipe: Recipe,
    runs: Runs,
    queries: QuerySet,
    judgments: Judgments,
    *,
    fusions: Sequence[str] = (),
    **settings: Any,
) -> Tuning:
    """Finds weights for the recipe's input pipelines, and whether leaving what is in use now is justified.

    Args:
        fusions: further fusions to choose from, see `atlas_rag.tuning.Settings`.
        settings: of `Settings`, such as measure, folds, seed.

    Raises:
        ExperimentError: one input pipeline alone, or an expression as its fusion (7602); too few judged
            queries (7601).
    """
    if len(recipe.inputs) < 2:
        raise ExperimentError(
            f"the recipe {recipe.id!r} has one input pipeline",
            expected="two or more, so that there is something to weigh",
            next_step="add an input, or compare two recipes with atlas-rag compare",
        )
    if recipe.fusion.expression is not None:
        raise ExperimentError(
            f"the fusion of the recipe {recipe.id!r} is an expression",
            expected="a fusion by rank, or by the mean of scores",
            next_step="tune it with Fusion.rank(), or vary the expression by hand",
        )
    current = dict(recipe.fusion.weights)
    own = fusion_name(recipe.fusion)
    others = [name for name in fusions if name != own]
    weights = {one.name: float(current.get(one.name, 1.0)) for one in recipe.inputs} if current else None
    return tune(
        runs,
        judgments,
        queries,
        Settings(fusion=fusion_named(own), fusions=others, current=weights, **settings),
    )


def fusion_name(fusion: Fusion) -> str:
    """The name that experiments have for a fusion: `rank`, `score:sigmoid` and the like."""
    return RANK if fusion.method == "rank" else f"score:{fusion.normalization}"
