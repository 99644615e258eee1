"""Weights for each class of questions: shrunken towards those of all, tested, and ready for a router."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from atlas_rag.tuning.data.queries import ExperimentQuery
from atlas_rag.tuning.data.question_class import CLASSES
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.selection.alternatives import nearest
from atlas_rag.tuning.selection.cross_validation import deal
from atlas_rag.tuning.selection.rules import bagged
from atlas_rag.tuning.selection.surface import Surface
from atlas_rag.tuning.settings import Settings

LEAST = 15
"""Queries that make a class; smaller ones are put together as `OTHER`."""

PRIOR = 50
"""Queries that the weights of all are worth: a class of so many goes half of the way to its own weights."""

OTHER = "other"
PERMUTATIONS = 999


@dataclass(frozen=True, slots=True)
class ClassRow:
    """One class.

    Args:
        weights: its own, shrunken, of sum 1.
        equal, common, own: mean of the measure at equal weights; held-out means at the weights of all and at
            those of the class.
    """

    name: str
    queries: int
    weights: Floats
    equal: float
    common: float
    own: float


@dataclass(frozen=True, slots=True)
class ClassStudy:
    """Whether classes of questions want different weights.

    Args:
        rule: how the class is told: "group" (given with the queries), or a rule on the question.
        p: of "all classes want the same weights", by permuting the classes of the queries.
    """

    rule: str
    pipelines: Sequence[str]
    rows: Sequence[ClassRow]
    p: float

    @property
    def differ(self) -> bool:
        """Whether classes are shown to differ, and gain on queries that took no part in the choice."""
        gained = sum(row.queries * (row.own - row.common) for row in self.rows)
        return self.p < 0.05 and gained > 0

    @property
    def routing(self) -> dict[str, Any] | None:
        """The routing table as data: rule and weights by class; None where no difference is shown."""
        if not self.differ:
            return None
        return {
            "rule": self.rule,
            "classes": {
                row.name: dict(
                    zip(self.pipelines, (round(float(one), 4) for one in row.weights), strict=True)
                )
                for row in self.rows
            },
        }


def class_study(
    surface: Surface, queries: Sequence[ExperimentQuery], settings: Settings
) -> ClassStudy | None:
    """Studies the classes of the tuning queries; None where there is only one.

    Formula: weights of a class of n queries = (n · its own bagged weights + 50 · those of all) / (n + 50).
    Source: shrinkage towards the common value, as in James and Stein 1961; the test permutes labels and
        compares the gain of a best weighting for each class over one for all.
    """
    rule, labels = _labels(queries, settings)
    names = sorted(set(labels))
    if len(names) < 2 or len(surface.problem.pipelines) < 2:
        return None
    membership = np.array([[label == name for label in labels] for name in names])
    draw = np.random.default_rng(settings.seed)
    values = surface.values
    held = _held_out(surface, membership, draw)
    common = bagged(surface, values, draw)
    rows = []
    for name, inside in zip(names, membership, strict=True):
        weights = _shrunken(surface, values[inside], common, draw)
        means = [float(column[inside].mean()) for column in (values[:, surface.equal], *held)]
        rows.append(ClassRow(name, int(inside.sum()), weights, *means))
    return ClassStudy(rule, surface.problem.pipelines, rows, _interaction_p(values, membership, draw))


def question_class(rule: str, query: ExperimentQuery) -> str:
    """The class of a query by a rule; `group` is the one given with the query."""
    return query.group if rule == "group" else CLASSES[rule](query.text)


def _labels(queries: Sequence[ExperimentQuery], settings: Settings) -> tuple[str, list[str]]:
    """(rule, class of each query); classes of few queries are one."""
    given = {query.group for query in queries}
    rule = settings.classes or ("group" if len(given) > 1 else "shape")
    labels = [question_class(rule, query) for query in queries]
    counts = {label: labels.count(label) for label in set(labels)}
    return rule, [label if counts[label] >= LEAST else OTHER for label in labels]


def _shrunken(surface: Surface, values: Floats, common: Floats, draw: np.random.Generator) -> Floats:
    share = len(values) / (len(values) + PRIOR)
    weights: Floats = share * bagged(surface, values, draw) + (1 - share) * common
    return weights


def _held_out(surface: Surface, membership: np.ndarray, draw: np.random.Generator) -> tuple[Floats, Floats]:
    """Values of each query at the weights of all and of its class, chosen without it."""
    values = surface.values
    part = deal(len(values), min(5, len(values)), (), draw)
    common, own = np.empty(len(values)), np.empty(len(values))
    for fold in range(int(part.max()) + 1):
        seen, unseen = part != fold, part == fold
        shared = bagged(surface, values[seen], draw)
        common[unseen] = values[unseen, nearest(surface, shared)]
        for inside in membership:
            rows = inside & seen
            weights = _shrunken(surface, values[rows], shared, draw) if rows.any() else shared
            own[inside & unseen] = values[inside & unseen, nearest(surface, weights)]
    return common, own


def _interaction_p(values: Floats, membership: np.ndarray, draw: np.random.Generator) -> float:
    """Share of permutations of the classes with at least as much to gain from weights of their own."""
    observed = _best_by_class(values, membership)
    exceeding = sum(
        _best_by_class(values, membership[:, draw.permutation(len(values))]) >= observed - 1e-12
        for _ in range(PERMUTATIONS)
    )
    return (1 + exceeding) / (PERMUTATIONS + 1)


def _best_by_class(values: Floats, membership: np.ndarray) -> float:
    return float((membership.astype(np.float64) @ values).max(axis=1).sum())


def routed(study: Mapping[str, Any], query: ExperimentQuery) -> dict[str, float] | None:
    """The weights that a routing table has for a query; None for a class that it does not know."""
    classes: Mapping[str, dict[str, float]] = study["classes"]
    return classes.get(question_class(study["rule"], query), classes.get(OTHER))
