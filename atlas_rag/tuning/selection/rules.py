"""Rules that choose weights from the values of some queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.selection.surface import Surface
from atlas_rag.tuning.statistics.error import standard_error
from atlas_rag.tuning.statistics.resampling import bootstrap_counts

BAGS = 200


class Rule(Protocol):
    """Chooses weights (of sum 1) from the rows of a surface that are given; `draw` for what is random."""

    def __call__(self, surface: Surface, values: Floats, draw: np.random.Generator) -> Floats: ...


def equal(surface: Surface, values: Floats, draw: np.random.Generator) -> Floats:
    """The same weight for each input pipeline, whatever the queries say."""
    chosen: Floats = surface.weights[surface.equal]
    return chosen


def argmax(surface: Surface, values: Floats, draw: np.random.Generator) -> Floats:
    """The weights with the highest mean; the nearest to equal weights among equals."""
    chosen: Floats = surface.weights[_best(surface, values.mean(axis=0))]
    return chosen


def one_standard_error(surface: Surface, values: Floats, draw: np.random.Generator) -> Floats:
    """The weights nearest to equal ones whose mean is within one paired standard error of the best.

    Source: Breiman et al. 1984, on pruning; the error is that of the difference from the best.
    """
    best = _best(surface, values.mean(axis=0))
    differences = values[:, [best]] - values
    error = standard_error(differences) if len(values) > 1 else np.inf
    within = differences.mean(axis=0) <= error + 1e-12
    chosen: Floats = surface.weights[np.where(within, surface.distance, np.inf).argmin()]
    return chosen


def bagged(surface: Surface, values: Floats, draw: np.random.Generator) -> Floats:
    """The mean of the best weights of 200 resamples of the queries."""
    mean: Floats = resampled_optima(surface, values, draw).mean(axis=0)
    return mean


def resampled_optima(surface: Surface, values: Floats, draw: np.random.Generator, bags: int = BAGS) -> Floats:
    """The best weighting (a row) of each resample of the queries."""
    counts = bootstrap_counts(len(values), bags, draw)
    means = counts.astype(np.float64) @ values
    near = means >= means.max(axis=1, keepdims=True) - 1e-9
    chosen: Floats = surface.weights[np.where(near, surface.distance, np.inf).argmin(axis=1)]
    return chosen


RULES: Mapping[str, Rule] = {
    "equal": equal,
    "one_se": one_standard_error,
    "bagged": bagged,
    "argmax": argmax,
}
"""By name, the most cautious first: of rules that do equally well the first is preferred."""


def _best(surface: Surface, means: Floats) -> int:
    near = means >= means.max() - 1e-12
    return int(np.where(near, surface.distance, np.inf).argmin())
