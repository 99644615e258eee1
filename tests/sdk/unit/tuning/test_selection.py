"""Rules, cross-validation and the verdict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from atlas_rag.errors import Code, ExperimentError
from atlas_rag.tuning.data import Judgments, Runs
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.problem.named import FUSIONS
from atlas_rag.tuning.selection import (
    RULES,
    Alternatives,
    Surface,
    cross_validate,
    decide,
    learning_curve,
    nest,
)
from atlas_rag.tuning.selection.equivalent import equivalent_range
from atlas_rag.tuning.selection.verdict import MARGIN, Verdict
from atlas_rag.tuning.statistics import equivalence_p
from tests.support.synthetic import synthetic


def surface(queries: int = 60, seed: int = 2, pipelines: int = 2) -> Surface:
    return Surface.of(FusionProblem(*synthetic(queries=queries, depth=30, pipelines=pipelines, seed=seed)))


def lopsided(queries: int) -> Surface:
    """One input pipeline finds the answer first, the other finds noise above it."""
    good = {f"q{n}": [(f"d{n}", 3.0), (f"x{n}", 2.0), (f"a{n}", 1.0)] for n in range(queries)}
    bad = {f"q{n}": [(f"a{n}", 3.0), (f"x{n}", 2.0), (f"d{n}", 1.0)] for n in range(queries)}
    judgments = Judgments.of({f"q{n}": {f"d{n}": 1} for n in range(queries)})
    return Surface.of(FusionProblem(Runs.of({"bad": bad, "good": good}), judgments))


def draw() -> np.random.Generator:
    return np.random.default_rng(0)


def test_a_surface_has_equal_weights_and_each_pipeline_alone() -> None:
    for pipelines in (1, 2, 3, 4, 5):
        some = surface(queries=6, pipelines=pipelines)
        assert np.allclose(some.weights[some.equal], 1 / pipelines, atol=1e-15)
        assert len(some.singles) == pipelines
        for place, column in enumerate(some.singles.values()):
            assert some.weights[column].tolist() == np.eye(pipelines)[place].tolist()


def test_argmax_is_the_best_column_and_nearest_to_equal_among_equals() -> None:
    some = lopsided(25)
    chosen = RULES["argmax"](some, some.values, draw())
    means = some.values.mean(axis=0)
    best = some.weights[means >= means.max() - 1e-12]
    assert abs(chosen[1] - 0.5) == np.abs(best[:, 1] - 0.5).min()
    assert chosen[1] > 0.5


def test_one_standard_error_is_never_further_from_equal_than_argmax() -> None:
    for seed in range(8):
        some = surface(seed=seed)
        cautious = RULES["one_se"](some, some.values, draw())
        bold = RULES["argmax"](some, some.values, draw())
        assert abs(cautious[0] - 0.5) <= abs(bold[0] - 0.5)


def test_bagged_weights_are_the_mean_of_resampled_optima() -> None:
    some = surface()
    chosen = RULES["bagged"](some, some.values, draw())
    assert chosen.sum() == pytest.approx(1)
    assert (chosen == RULES["bagged"](some, some.values, draw())).all()


def test_held_out_values_of_equal_weights_are_their_values() -> None:
    some = surface()
    validation = cross_validate(some, folds=5, repeats=3)
    np.testing.assert_allclose(validation.values["equal"], some.values[:, some.equal], rtol=0, atol=1e-15)
    assert validation.spread["equal"] == pytest.approx(0, abs=1e-15)


def test_choosing_on_seen_queries_flatters() -> None:
    some = surface(queries=30)
    validation = cross_validate(some, folds=5, repeats=10)
    assert validation.mean("argmax") < some.values.mean(axis=0).max()


def test_cross_validation_is_reproducible_and_depends_on_its_seed() -> None:
    some = surface()
    first, again, other = (cross_validate(some, repeats=2, seed=seed) for seed in (1, 1, 2))
    assert (first.values["argmax"] == again.values["argmax"]).all()
    assert (first.values["argmax"] != other.values["argmax"]).any()


def test_groups_are_dealt_evenly() -> None:
    some = surface(queries=40)
    seen = []

    def spy(surface: Surface, values: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        seen.append(len(values))
        return surface.weights[surface.equal]

    groups = ["rare"] * 5 + ["common"] * 35
    cross_validate(some, rules={"spy": spy}, folds=5, repeats=2, groups=groups)
    assert seen == [32] * 10


def test_too_few_queries_cannot_be_divided() -> None:
    with pytest.raises(ExperimentError, match="cannot be divided") as caught:
        cross_validate(surface(queries=3), folds=5)
    assert caught.value.code == Code.TOO_FEW_JUDGMENTS


def judged(some: Surface) -> Verdict:
    alternatives = Alternatives({"rank": some})
    few = len(some.values) < 20
    return decide(alternatives, None if few else nest(alternatives, folds=5, repeats=2))


def test_below_twenty_queries_no_winner_is_named() -> None:
    verdict = judged(lopsided(19))
    assert (verdict.rule, verdict.enough, verdict.gain) == ("equal", False, None)
    assert verdict.weights.tolist() == [0.5, 0.5]
    assert verdict.guess.weights[1] > 0.5
    assert "Too few judged queries to name a winner" in verdict.sentence


def test_between_twenty_and_fifty_the_winner_comes_with_a_warning() -> None:
    verdict = judged(lopsided(30))
    assert verdict.enough
    assert verdict.rule != "equal"
    assert verdict.weights[1] > 0.5
    assert "fewer than 50" in verdict.sentence
    assert verdict.against_equal is not None
    assert verdict.against_equal.shown


def test_a_perfect_pipeline_beside_noise_is_recommended_alone() -> None:
    verdict = judged(lopsided(60))
    assert (verdict.rule, verdict.single_name, verdict.weights.tolist()) == ("single", "good", [0.0, 1.0])
    assert verdict.single_suffices
    assert verdict.hybrid.startswith("Hybrid does not help here: good alone is as good or better")


def test_without_a_difference_equal_weights_stay() -> None:
    lists = {f"q{n}": [(f"d{n}", 2.0), (f"x{n}", 1.0)] for n in range(60)}
    judgments = Judgments.of({f"q{n}": {f"d{n}": 1} for n in range(60)})
    same = Surface.of(FusionProblem(Runs.of({"a": lists, "b": lists}), judgments))
    assert list(Alternatives({"rank": same, "score:none": same}).singles.values()) == ["a", "b"]
    verdict = judged(same)
    assert verdict.rule == "equal"
    assert verdict.sentence.startswith("No evidence to leave equal weights")
    assert verdict.against_equal is None
    assert verdict.gain is not None
    assert verdict.gain.interval == (0.0, 0.0)


def test_a_nested_cross_validation_holds_every_query_out_of_every_choice() -> None:
    some = surface()
    nested = nest(Alternatives({"rank": some}), folds=5, repeats=3)
    np.testing.assert_allclose(nested.values["equal"], some.values[:, some.equal], rtol=0, atol=1e-15)
    assert nested.choices["best guess"].shape == (3, 5)
    assert nested.mean("argmax") < some.values.mean(axis=0).max()
    assert nested.instability("equal", "equal") == 0


def test_queries_of_one_text_are_never_on_both_sides() -> None:
    """With every query twice, a choice by its twin would look as good as in-sample."""
    some = surface(queries=40, seed=7)
    twins = replace(some, values=np.repeat(some.values, 2, axis=0))
    families = [f"text {n // 2}" for n in range(80)]
    apart = nest(Alternatives({"rank": twins}), folds=5, repeats=4)
    together = nest(Alternatives({"rank": twins}), folds=5, repeats=4, families=families)
    assert together.mean("argmax") < apart.mean("argmax")


def test_another_fusion_is_chosen_inside_the_folds() -> None:
    problems = {name: FusionProblem(*scored(60), fusion=FUSIONS[name]) for name in ("rank", "score:none")}
    alternatives = Alternatives.of(problems)
    nested = nest(alternatives, folds=5, repeats=2)
    chosen = {alternatives.alternative(int(column)) for column in nested.choices["best guess"].ravel()}
    verdict = decide(alternatives, nested)
    assert chosen == {"score:none"}
    assert verdict.recommended.alternative == "score:none"


def scored(queries: int) -> tuple[Runs, Judgments]:
    """One of two tells the answer by a wide gap of scores; ranks put it behind what both find."""
    sure = {f"q{n}": [(f"d{n}", 9.0), (f"x{n}", 1.0)] for n in range(queries)}
    unsure = {f"q{n}": [(f"x{n}", 1.2), (f"y{n}", 1.1)] for n in range(queries)}
    a = {name: (sure if place % 2 else unsure)[name] for place, name in enumerate(sure)}
    b = {name: (unsure if place % 2 else sure)[name] for place, name in enumerate(sure)}
    return Runs.of({"a": a, "b": b}), Judgments.of({f"q{n}": {f"d{n}": 1} for n in range(queries)})


def test_the_current_weights_are_a_baseline_of_their_own() -> None:
    some = lopsided(40)
    alternatives = Alternatives({"rank": some})
    best = some.values[:, list(some.singles.values())[1]]
    verdict = decide(alternatives, nest(alternatives, folds=5, repeats=1), current=best)
    assert verdict.against_current is not None
    assert not verdict.against_current.shown
    assert verdict.against_equal is not None


def test_equivalence_is_said_of_what_a_test_shows_and_of_nothing_else() -> None:
    some = surface(queries=60)
    weights = np.array([0.5, 0.5])
    found = equivalent_range(some, weights)
    reference = some.problem.per_query(weights)[:, 0]
    low, high = found or (0.5, 0.5)
    for share, column in zip(some.weights[:, 0], some.values.T, strict=True):
        if low <= share <= high and share != 0.5:
            assert abs((column - reference).mean()) < MARGIN
            assert equivalence_p(column - reference, MARGIN) < 0.05
    flat = replace(some, values=np.repeat(reference[:, None], len(some.weights), axis=1))
    assert equivalent_range(flat, weights) == (0.0, 1.0)


def test_a_learning_curve_ends_with_all_queries() -> None:
    tuning, held = surface(queries=60, seed=5), surface(queries=60, seed=6)
    points = learning_curve(tuning, held, sizes=(10, 30), draws=20)
    assert [point.queries for point in points] == [10, 30, 60]
    equal = held.values[:, held.equal].mean()
    for point in points:
        assert point.mean["equal"] == pytest.approx(equal)
        assert all(point.low[rule] <= point.mean[rule] + 1e-12 for rule in RULES)
