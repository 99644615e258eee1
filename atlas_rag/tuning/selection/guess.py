"""The best guess: one procedure from some queries to a way to fuse and its weights.

Nothing here says that the guess is any better than equal weights. The whole procedure, with the choice among
rules, fusions, variants and single pipelines, is run again inside every training fold of the nested
cross-validation (`nested`), and only what it reaches on the other queries is reported.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.selection.alternatives import Alternatives, Ints, nearest
from atlas_rag.tuning.selection.cross_validation import deal
from atlas_rag.tuning.selection.rules import RULES, Rule
from atlas_rag.tuning.statistics.error import standard_error

INNER_FOLDS = 5
DEFAULT_RULE = "bagged"
"""The rule with the best held-out mean on seven collections: a mean of resampled optima shrinks by itself."""

Candidate = tuple[str, str]
"""(alternative, rule); the rule is `SINGLE` for the best input pipeline alone."""

SINGLE = "single"


def choose(alternatives: Alternatives, rows: Ints, candidate: Candidate, draw: np.random.Generator) -> int:
    """The column that a candidate takes when it sees only some queries."""
    name, rule = candidate
    if rule == SINGLE:
        return best_single(alternatives, rows)
    surface = alternatives.surfaces[name]
    weights = RULES[rule](surface, surface.values[rows], draw)
    return alternatives.column(name, nearest(surface, weights))


def best_single(alternatives: Alternatives, rows: Ints) -> int:
    """The input pipeline with the highest mean over some queries, alone; the first of equals."""
    columns = list(alternatives.singles)
    means = alternatives.values[rows][:, columns].mean(axis=0)
    return columns[int(means.argmax())]


def candidates(alternatives: Alternatives, rules: Mapping[str, Rule] | list[str]) -> list[Candidate]:
    """Every rule under every alternative, the default first, and the best single pipeline."""
    names = [rule for rule in rules if rule != "equal"] or [DEFAULT_RULE]
    first = DEFAULT_RULE if DEFAULT_RULE in names else names[0]
    ordered = [first, *(rule for rule in names if rule != first)]
    found = [(name, rule) for name in alternatives.names for rule in ordered]
    return [*found, (alternatives.names[0], SINGLE)]


def best_guess(
    alternatives: Alternatives, rows: Ints, options: list[Candidate], draw: np.random.Generator
) -> tuple[int, Candidate]:
    """(column, candidate) that these queries speak for, judged by a cross-validation among them.

    The default rule under what is in use now is left only for a candidate that is better by more than one
    paired standard error (Breiman et al. 1984, 3.4.3), or for a single input pipeline that is as good: it
    is simpler, and faster.
    """
    if len(rows) < 2 * INNER_FOLDS:
        return choose(alternatives, rows, options[0], draw), options[0]
    held = _held_out(alternatives, rows, options, draw)
    means = held.mean(axis=1)
    best = int(means.argmax())
    single = len(options) - 1
    if means[single] >= means.max() - 1e-12:
        best = single
    elif means[best] - means[0] <= float(standard_error(held[best] - held[0])):
        best = 0
    return choose(alternatives, rows, options[best], draw), options[best]


def _held_out(
    alternatives: Alternatives, rows: Ints, options: list[Candidate], draw: np.random.Generator
) -> Floats:
    """Value of each of the queries (second axis) for each candidate that did not see it (first axis)."""
    part = deal(len(rows), INNER_FOLDS, (), draw)
    held = np.empty((len(options), len(rows)))
    for fold in range(INNER_FOLDS):
        seen, unseen = rows[part != fold], rows[part == fold]
        for place, option in enumerate(options):
            column = choose(alternatives, seen, option, draw)
            held[place, part == fold] = alternatives.values[unseen, column]
    return held
