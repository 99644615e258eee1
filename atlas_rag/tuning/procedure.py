"""The whole of it on collected runs: optimum, honest selection, and all that a report shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import QuerySet
from atlas_rag.tuning.data.runs import Floats, Runs
from atlas_rag.tuning.diagnosis import QueryOutcome, Unreachable, outcomes, unreachable, warnings
from atlas_rag.tuning.measures import Measure, parse
from atlas_rag.tuning.optimum import Optimum, Plateau, optimum, plateau_of, shortest_decimals
from atlas_rag.tuning.problem.fusion import Fusion, ReciprocalRankFusion
from atlas_rag.tuning.problem.problem import FusionProblem
from atlas_rag.tuning.selection import (
    RULES,
    CrossValidation,
    LearningPoint,
    Surface,
    Verdict,
    cross_validate,
    decide,
    learning_curve,
)
from atlas_rag.tuning.selection.verdict import TOO_FEW
from atlas_rag.tuning.statistics import Comparison, compare


@dataclass(frozen=True)
class Settings:
    """How to tune.

    Args:
        measure: what is maximised.
        also: measures that are only shown.
        fusion: `$rankFusion` unless given.
        holdout: share of the queries kept out of tuning, 0 (none) up to 1, exclusive. Where fewer than 20
            would be left to tune on, none are kept out.
        folds, repeats: of the cross-validation on the tuning queries.
        rules: names of rules to choose from.
        seconds: time limit of a certificate for three input pipelines.
        draws: subsets of each size for the learning curve; 0 for none.
        seed: of every random choice.
    """

    measure: str | Measure = "nDCG@10"
    also: Sequence[str] = ("R@100", "RR@10")
    fusion: Fusion = field(default_factory=ReciprocalRankFusion)
    holdout: float = 0.3
    folds: int = 5
    repeats: int = 20
    rules: Sequence[str] = tuple(RULES)
    seconds: float = 30.0
    draws: int = 50
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One choice of weights and its means.

    Args:
        tuning: over the tuning queries.
        validated: held-out mean of the rule in cross-validation; None for a fixed choice.
        held_out: over the queries kept out of tuning; None without a hold-out.
        also: further measures, over the hold-out if there is one.
    """

    name: str
    weights: Floats
    tuning: float
    validated: float | None
    held_out: float | None
    also: Mapping[str, float]


@dataclass(frozen=True)
class Tuning:
    """What was found.

    Args:
        weights: recommended, by input pipeline, of sum 1, with the fewest decimals that change no value.
        plateau: for two input pipelines, the range of the first one's weight with the same values.
        rows: equal weights, each pipeline alone, each rule, and the optimum of the tuning queries.
        holdout_test: the recommended weights against equal ones on the held-out queries.
        outcomes: of all queries, equal weights against the recommended ones.
    """

    settings: Settings
    problem: FusionProblem
    held: FusionProblem | None
    surface: Surface
    optimum: Optimum
    validation: CrossValidation | None
    verdict: Verdict
    weights: Mapping[str, float]
    plateau: Plateau | None
    rows: Sequence[Row]
    holdout_test: Comparison | None
    outcomes: Sequence[QueryOutcome]
    unreachable: Sequence[Unreachable]
    warnings: Sequence[str]
    learning: Sequence[LearningPoint]

    @property
    def measure(self) -> str:
        """Name of the measure that was maximised."""
        return str(self.problem.measure)


def tune(runs: Runs, judgments: Judgments, queries: QuerySet, settings: Settings | None = None) -> Tuning:
    """Tunes the weights of the runs' input pipelines.

    Raises:
        ExperimentError: no query is judged (7601), or an impossible setting (7602).
    """
    settings = settings or Settings()
    measure = parse(settings.measure) if isinstance(settings.measure, str) else settings.measure
    judged = set(judgments.queries) & set(runs.queries)
    asked = QuerySet(query for query in queries if query.id in judged)
    chosen, kept = _split(asked, settings)

    def problem(of: QuerySet) -> FusionProblem:
        return FusionProblem(runs.for_queries(query.id for query in of), judgments, measure, settings.fusion)

    tuning = problem(chosen)
    held = problem(kept) if kept else None
    surface = Surface.of(tuning, seed=settings.seed)
    validation = _validate(surface, settings, [asked.get(name).group for name in tuning.queries])
    verdict = decide(surface, validation, rules=settings.rules, seed=settings.seed)
    best = optimum(tuning, seconds=settings.seconds, seed=settings.seed)
    weights = verdict.weights if verdict.rule == "equal" else shortest_decimals(tuning, verdict.weights)
    equal = surface.weights[surface.equal]
    return Tuning(
        settings=settings,
        problem=tuning,
        held=held,
        surface=surface,
        optimum=best,
        validation=validation,
        verdict=verdict,
        weights=dict(zip(tuning.pipelines, map(float, weights), strict=True)),
        plateau=plateau_of(tuning, weights),
        rows=_rows(settings, surface, held, validation, best.weights),
        holdout_test=_holdout_test(held, equal, weights),
        outcomes=outcomes(problem(asked), equal, weights),
        unreachable=unreachable(tuning),
        warnings=warnings(tuning, weights, verdict.ranges),
        learning=_learning(surface, held, settings),
    )


def _split(asked: QuerySet, settings: Settings) -> tuple[QuerySet, QuerySet]:
    """Tuning and held-out queries. Nothing is held out where that would leave too few to tune on."""
    if not settings.holdout or len(asked) * (1 - settings.holdout) < TOO_FEW:
        return asked, QuerySet(())
    return asked.split(settings.holdout, seed=settings.seed)


def _validate(surface: Surface, settings: Settings, groups: Sequence[str]) -> CrossValidation | None:
    if len(surface.values) < max(TOO_FEW, settings.folds):
        return None
    rules = {name: RULES[name] for name in RULES if name in {*settings.rules, "equal"}}
    return cross_validate(
        surface,
        rules=rules,
        folds=settings.folds,
        repeats=settings.repeats,
        groups=groups,
        seed=settings.seed,
    )


def _rows(
    settings: Settings,
    surface: Surface,
    held: FusionProblem | None,
    validation: CrossValidation | None,
    best: Floats,
) -> list[Row]:
    draw = np.random.default_rng(settings.seed)
    names = ["equal", *(name for name in settings.rules if name != "equal")]
    choices = {name: RULES[name](surface, surface.values, draw) for name in names}
    choices |= {f"{name} alone": surface.weights[column] for name, column in surface.singles.items()}
    choices["optimum of the tuning queries"] = best
    points = np.array(list(choices.values()))
    tuned = surface.evaluate(points).mean(axis=0)
    kept = held.mean(points) if held else None
    shown = held or surface.problem
    also = {
        name: FusionProblem(shown.runs, shown.judgments, name, settings.fusion).mean(points)
        for name in settings.also
    }
    return [
        Row(
            name,
            points[place],
            float(tuned[place]),
            validation.mean(name) if validation and name in validation.values else None,
            float(kept[place]) if kept is not None else None,
            {measure: float(values[place]) for measure, values in also.items()},
        )
        for place, name in enumerate(choices)
    ]


def _holdout_test(held: FusionProblem | None, equal: Floats, weights: Floats) -> Comparison | None:
    if held is None or len(held.queries) < 2:
        return None
    values = held.per_query(np.array([equal, weights]))
    return compare(values[:, 0], values[:, 1])


def _learning(surface: Surface, held: FusionProblem | None, settings: Settings) -> list[LearningPoint]:
    if held is None or not settings.draws:
        return []
    rules = {name: RULES[name] for name in settings.rules}
    other = Surface(held, surface.weights, held.per_query(surface.weights), held.per_query)
    return learning_curve(surface, other, draws=settings.draws, rules=rules, seed=settings.seed)
