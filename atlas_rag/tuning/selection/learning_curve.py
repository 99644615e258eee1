"""How much more judging would help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.selection.rules import RULES, Rule
from atlas_rag.tuning.selection.surface import Surface

SIZES = (10, 20, 50, 100, 200, 400, 800)


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """Tuning on so many queries, scored on others: mean and 5th percentile of the draws, by rule."""

    queries: int
    mean: Mapping[str, float]
    low: Mapping[str, float]


def learning_curve(
    tuning: Surface,
    held: Surface,
    *,
    sizes: Sequence[int] = SIZES,
    draws: int = 200,
    rules: Mapping[str, Rule] = RULES,
    seed: int = 0,
) -> list[LearningPoint]:
    """Draws subsets of the tuning queries, chooses weights on each and scores them on the held-out queries.

    Args:
        sizes: numbers of queries; those above .8 of what there is are left out, and all of it is added.
        draws: subsets of each size, ≥ 1.
    """
    everyone = len(tuning.values)
    random = np.random.default_rng(seed)
    points = []
    for size in [*(size for size in sizes if size < 0.8 * everyone), everyone]:
        subsets = [
            random.choice(everyone, size, replace=False) for _ in range(draws if size < everyone else 1)
        ]
        reached = {name: _scores(tuning, held, rule, subsets, random) for name, rule in rules.items()}
        points.append(
            LearningPoint(
                size,
                {name: float(scores.mean()) for name, scores in reached.items()},
                {name: float(np.quantile(scores, 0.05)) for name, scores in reached.items()},
            )
        )
    return points


def _scores(
    tuning: Surface, held: Surface, rule: Rule, subsets: Sequence[np.ndarray], draw: np.random.Generator
) -> Floats:
    chosen = np.array([rule(tuning, tuning.values[subset], draw) for subset in subsets])
    mean: Floats = held.evaluate(chosen).mean(axis=0)
    return mean
