"""The whole of it on collected runs: optimum, honest selection, and all that a report shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.classes import ClassStudy, class_study
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import ExperimentQuery, QuerySet
from atlas_rag.tuning.data.runs import Floats, Runs
from atlas_rag.tuning.diagnosis import QueryOutcome, Unreachable, outcomes, unreachable, warnings
from atlas_rag.tuning.optimum import Optimum, Plateau, optimum, plateau_of, shortest_decimals
from atlas_rag.tuning.problem.problem import FusionProblem
from atlas_rag.tuning.selection import (
    RULES,
    Alternatives,
    Choice,
    LearningPoint,
    Nested,
    Surface,
    Verdict,
    decide,
    learning_curve,
    nest,
)
from atlas_rag.tuning.selection.equivalent import equivalent_range
from atlas_rag.tuning.selection.verdict import TOO_FEW
from atlas_rag.tuning.settings import Settings
from atlas_rag.tuning.statistics import Comparison, compare
from atlas_rag.tuning.ways import Ways


@dataclass(frozen=True, slots=True)
class Row:
    """One choice of weights and its means.

    Args:
        alternative: the fusion (and variant) that the weights are for.
        tuning: over the tuning queries.
        validated: cross-validated mean: of each query while it took no part in the choice; None for a fixed
            choice, whose mean over the tuning queries is fair already.
        held_out: over the hold-out, the queries kept out of tuning; None without one.
        also: further measures, over the hold-out if there is one.
    """

    name: str
    alternative: str
    weights: Floats
    tuning: float
    validated: float | None
    held_out: float | None
    also: Mapping[str, float]


@dataclass(frozen=True)
class Tuning:
    """What was found.

    Args:
        problem: the tuning queries, under what is recommended.
        current: the tuning queries, under what is in use now.
        held, held_current: the hold-out under either; None without one.
        weights: recommended, by input pipeline, of sum 1, with the fewest decimals that change no value.
        plateau: for two input pipelines, the range of the first one's weight with the same values.
        rows: equal weights, each pipeline alone, each rule, the best guess, and the optimum of the tuning
            queries.
        holdout_test: the recommended weights against equal ones on the hold-out.
        outcomes: of all queries, equal weights under what is in use now against what is recommended.
        held_queries: ids of the hold-out, for marking them.
        equivalent: range of the first weight shown to be as good as the recommended one to within `MARGIN`.
    """

    settings: Settings
    problem: FusionProblem
    current: FusionProblem
    held: FusionProblem | None
    held_current: FusionProblem | None
    alternatives: Alternatives
    surface: Surface
    optimum: Optimum
    nested: Nested | None
    verdict: Verdict
    weights: Mapping[str, float]
    plateau: Plateau | None
    rows: Sequence[Row]
    holdout_test: Comparison | None
    outcomes: Sequence[QueryOutcome]
    unreachable: Sequence[Unreachable]
    warnings: Sequence[str]
    learning: Sequence[LearningPoint]
    classes: ClassStudy | None
    equivalent: tuple[float, float] | None

    @property
    def measure(self) -> str:
        """Name of the measure that was maximised."""
        return str(self.problem.measure)

    @property
    def held_queries(self) -> frozenset[str]:
        """Ids of the queries kept out of tuning."""
        return frozenset(self.held.queries) if self.held else frozenset()


def tune(runs: Runs, judgments: Judgments, queries: QuerySet, settings: Settings | None = None) -> Tuning:
    """Tunes the weights of the runs' input pipelines.

    Raises:
        ExperimentError: no query is judged (7601), or an impossible setting (7602).
    """
    settings = settings or Settings()
    ways = Ways.of(runs, settings)
    judged = set(judgments.queries) & set(runs.queries)
    asked = QuerySet(query for query in queries if query.id in judged)
    chosen, kept = _split(asked, settings)
    tuning = ways.problems(judgments, chosen)
    held = ways.problems(judgments, kept) if kept else {}
    alternatives = Alternatives.of(tuning, seed=settings.seed)
    current = tuning[ways.first]
    nested = _nest(alternatives, settings, [asked.get(name) for name in current.queries])
    verdict = decide(
        alternatives,
        nested,
        rules=settings.rules,
        current=current.per_query(settings.current)[:, 0] if settings.current else None,
        seed=settings.seed,
    )
    name = verdict.recommended.alternative
    problem, surface = tuning[name], alternatives.surfaces[name]
    best = optimum(problem, seconds=settings.seconds, seed=settings.seed)
    weights = verdict.weights if verdict.rule == "equal" else shortest_decimals(problem, verdict.weights)
    equal = alternatives.first.weights[alternatives.equal]
    everyone = ways.problems(judgments, asked)
    shown = held.get(name)
    return Tuning(
        settings=settings,
        problem=problem,
        current=current,
        held=shown,
        held_current=held.get(ways.first),
        alternatives=alternatives,
        surface=surface,
        optimum=best,
        nested=nested,
        verdict=verdict,
        weights=dict(zip(problem.pipelines, map(float, weights), strict=True)),
        plateau=plateau_of(problem, weights),
        rows=_rows(settings, alternatives, verdict, nested, held, best),
        holdout_test=_holdout_test(held, ways.first, name, equal, weights),
        outcomes=outcomes(everyone[ways.first], equal, weights, then=everyone[name]),
        unreachable=unreachable(problem),
        warnings=warnings(problem, weights),
        learning=_learning(surface, shown, settings),
        classes=class_study(alternatives.first, [asked.get(one) for one in current.queries], settings),
        equivalent=equivalent_range(surface, weights),
    )


def _split(asked: QuerySet, settings: Settings) -> tuple[QuerySet, QuerySet]:
    """Tuning and held-out queries. Nothing is held out where that would leave too few to tune on."""
    if not settings.holdout or len(asked) * (1 - settings.holdout) < TOO_FEW:
        return asked, QuerySet(())
    return asked.split(settings.holdout, seed=settings.seed)


def _nest(
    alternatives: Alternatives, settings: Settings, queries: Sequence[ExperimentQuery]
) -> Nested | None:
    if len(queries) < max(TOO_FEW, settings.folds):
        return None
    return nest(
        alternatives,
        rules=[name for name in RULES if name in settings.rules],
        folds=settings.folds,
        repeats=settings.repeats,
        groups=[query.group for query in queries],
        families=[query.text.strip().casefold() for query in queries],
        seed=settings.seed,
    )


def _rows(
    settings: Settings,
    alternatives: Alternatives,
    verdict: Verdict,
    nested: Nested | None,
    held: Mapping[str, FusionProblem],
    best: Optimum,
) -> list[Row]:
    """Every choice that a reader may ask about."""
    first, draw = alternatives.first, np.random.default_rng(settings.seed)
    now = alternatives.names[0]
    choices = {"equal": Choice(now, first.weights[first.equal], "equal")}
    for rule in settings.rules:
        if rule != "equal":
            choices[rule] = Choice(now, RULES[rule](first, first.values, draw), rule)
    for column, name in alternatives.singles.items():
        own = Choice(alternatives.alternative(column), alternatives.weights(column), "single")
        choices[f"{name} alone"] = own
    choices["best guess"] = verdict.guess
    choices["optimum of the tuning queries"] = Choice(
        verdict.recommended.alternative, best.weights, "optimum"
    )
    return [_row(name, one, settings, alternatives, nested, held) for name, one in choices.items()]


def _row(
    name: str,
    choice: Choice,
    settings: Settings,
    alternatives: Alternatives,
    nested: Nested | None,
    held: Mapping[str, FusionProblem],
) -> Row:
    problem = alternatives.surfaces[choice.alternative].problem
    kept = held.get(choice.alternative)
    shown = kept or problem
    also = {
        measure: float(
            FusionProblem(shown.runs, shown.judgments, measure, shown.fusion).mean(choice.weights)[0]
        )
        for measure in settings.also
    }
    return Row(
        name,
        choice.alternative,
        choice.weights,
        float(problem.mean(choice.weights)[0]),
        nested.mean(name) if nested and name in nested.values else None,
        float(kept.mean(choice.weights)[0]) if kept is not None else None,
        also,
    )


def _holdout_test(
    held: Mapping[str, FusionProblem], now: str, chosen: str, equal: Floats, weights: Floats
) -> Comparison | None:
    if not held or len(held[now].queries) < 2:
        return None
    return compare(held[now].per_query(equal)[:, 0], held[chosen].per_query(weights)[:, 0])


def _learning(surface: Surface, held: FusionProblem | None, settings: Settings) -> list[LearningPoint]:
    if held is None or not settings.draws:
        return []
    rules = {name: RULES[name] for name in settings.rules}
    other = Surface(held, surface.weights, held.per_query(surface.weights), held.per_query)
    return learning_curve(surface, other, draws=settings.draws, rules=rules, seed=settings.seed)
