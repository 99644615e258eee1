"""Nested cross-validation: what every procedure reaches on queries that took no part in its choice.

Outer folds are dealt from the queries, evenly from each group. On all but one fold each procedure makes its
whole choice (the best guess with its own inner cross-validation); its value on that fold is kept. So the mean
of these values is an estimate of what the choice is worth that the choice itself has not inflated.
Source: Stone 1974; Varma and Simon 2006 (choosing by the cross-validated value and reporting the same value
is biased; a second, outer loop is not); Cawley and Talbot 2010.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.selection.alternatives import Alternatives, Ints
from atlas_rag.tuning.selection.cross_validation import deal
from atlas_rag.tuning.selection.guess import best_guess, best_single, candidates, choose
from atlas_rag.tuning.selection.rules import RULES

GUESS, BEST_SINGLE = "best guess", "best single"


@dataclass(frozen=True)
class Nested:
    """Held-out results by procedure: "equal", each rule, "best single", "best guess".

    Args:
        values: procedure → mean over repetitions of each query's held-out value.
        choices: procedure → the column chosen in each repetition (first axis) and fold (second axis).
        folds, repeats: as asked.
    """

    alternatives: Alternatives
    values: Mapping[str, Floats]
    choices: Mapping[str, Ints]
    folds: int
    repeats: int

    def mean(self, procedure: str) -> float:
        """Mean held-out value of a procedure."""
        return float(self.values[procedure].mean())

    def instability(self, procedure: str, other: str | Floats) -> float:
        """Variance that the difference of two procedures has because other queries lead to another choice.

        Formula: (folds - 1) · variance over folds of the mean difference at the choices of that fold, the
            delete-a-fold jackknife; mean over repetitions.
        Source: Shao and Wu 1989; without it an interval for what was finally chosen is too narrow where the
            choice wavers (Bengio and Grandvalet 2004: no unbiased estimate from the values alone).
        Args:
            other: a procedure, or fixed values of the queries.
        """
        means = self.alternatives.values.mean(axis=0)
        own = means[self.choices[procedure]]
        rest = means[self.choices[other]] if isinstance(other, str) else 0.0
        return float((self.folds - 1) * (own - rest).var(axis=1).mean())


def nest(
    alternatives: Alternatives,
    *,
    rules: Sequence[str] = tuple(RULES),
    folds: int = 10,
    repeats: int = 5,
    groups: Sequence[str] = (),
    families: Sequence[str] = (),
    seed: int = 0,
) -> Nested:
    """Runs every procedure inside every training fold.

    Args:
        rules: those that the best guess chooses from.
        folds: 2 up to the number of queries. repeats: ≥ 1, each with another division.
        groups: query type of each query.
        families: queries of one family (the same text) stay in one fold, so that none is seen twice.
        seed: of divisions, resamples and inner folds.
    """
    draw = np.random.default_rng(seed)
    queries = len(alternatives.values)
    parts = np.array([_together(deal(queries, folds, groups, draw), families) for _ in range(repeats)])
    options = candidates(alternatives, list(rules))
    names = ["equal", *(rule for rule in RULES if rule in rules and rule != "equal"), BEST_SINGLE, GUESS]
    choices = {name: np.full((repeats, folds), alternatives.equal, dtype=np.intp) for name in names}
    for repeat, part in enumerate(parts):
        for fold in range(folds):
            rows = np.flatnonzero(part != fold)
            for name in names[1:-2]:
                choice = choose(alternatives, rows, (alternatives.names[0], name), draw)
                choices[name][repeat, fold] = choice
            choices[BEST_SINGLE][repeat, fold] = best_single(alternatives, rows)
            choices[GUESS][repeat, fold] = best_guess(alternatives, rows, options, draw)[0]
    order = np.arange(queries)
    values = {
        name: np.mean(
            [alternatives.values[order, chosen[part]] for chosen, part in zip(own, parts, strict=True)],
            axis=0,
        )
        for name, own in choices.items()
    }
    return Nested(alternatives, values, choices, folds, repeats)


def _together(part: Ints, families: Sequence[str]) -> Ints:
    """The parts with every query in that of the first of its family."""
    leader: dict[str, int] = {}
    for place, family in enumerate(families):
        part[place] = part[leader.setdefault(family, place)]
    return part
