"""What each rule is worth on queries that it has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atlas_rag.errors import Code, ExperimentError
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.selection.rules import RULES, Rule
from atlas_rag.tuning.selection.surface import Surface
from atlas_rag.tuning.statistics.error import standard_error


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Held-out values by rule.

    Args:
        values: rule name → mean over repetitions of each query's held-out value.
        spread: rule name → standard deviation over repetitions of the mean over queries.
        folds, repeats: as asked.
    """

    values: Mapping[str, Floats]
    spread: Mapping[str, float]
    folds: int
    repeats: int

    def mean(self, rule: str) -> float:
        """Mean held-out value of a rule."""
        return float(self.values[rule].mean())

    def error(self, rule: str, other: str) -> float:
        """Paired standard error of the difference of two rules, over queries."""
        return float(standard_error(self.values[rule] - self.values[other]))


def cross_validate(
    surface: Surface,
    *,
    rules: Mapping[str, Rule] = RULES,
    folds: int = 5,
    repeats: int = 20,
    groups: Sequence[str] = (),
    seed: int = 0,
) -> CrossValidation:
    """Repeated cross-validation: every query is held out once in each repetition.

    Args:
        folds: parts, 2 up to the number of queries.
        repeats: ≥ 1, each with another division.
        groups: query type of each query; parts are dealt evenly from each.
        seed: of the divisions and of the rules' own draws.
    """
    queries = len(surface.values)
    draw = np.random.default_rng(seed)
    parts = np.array([deal(queries, folds, groups, draw) for _ in range(repeats)])
    values: dict[str, Floats] = {}
    spread: dict[str, float] = {}
    for name, rule in rules.items():
        held = _held_out(surface, rule, parts, folds, np.random.default_rng(seed + 1))
        values[name] = held.mean(axis=0)
        spread[name] = float(held.mean(axis=1).std())
    return CrossValidation(values, spread, folds, repeats)


def _held_out(
    surface: Surface, rule: Rule, parts: NDArray[np.intp], folds: int, draw: np.random.Generator
) -> Floats:
    """Held-out value of each query (second axis) in each repetition (first axis)."""
    chosen = [rule(surface, surface.values[part != fold], draw) for part in parts for fold in range(folds)]
    distinct, which = np.unique(np.array(chosen), axis=0, return_inverse=True)
    values = surface.evaluate(distinct)
    column = which.reshape(len(parts), folds)[np.arange(len(parts))[:, None], parts]
    return values[np.arange(values.shape[0]), column]


def deal(queries: int, folds: int, groups: Sequence[str], draw: np.random.Generator) -> NDArray[np.intp]:
    """The part of each query: shuffled, then dealt in turn, one group after the other."""
    if not 2 <= folds <= queries:
        raise ExperimentError(
            f"{queries} queries cannot be divided into {folds} parts",
            expected="2 folds at least and a query for each",
            next_step="judge more queries or use fewer folds",
            code=Code.TOO_FEW_JUDGMENTS,
        )
    order = draw.permutation(queries)
    if groups:
        order = order[np.argsort(np.array(groups)[order], kind="stable")]
    part = np.empty(queries, dtype=np.intp)
    part[order] = np.arange(queries) % folds
    return part
