"""Other ways to fuse, and measures of one's own."""

from __future__ import annotations

import numpy as np
import pytest

from atlas_rag.errors import Code, ExperimentError
from atlas_rag.fusion import RankedList, compensated_sum, fuse_scores
from atlas_rag.tuning.data import Judgments, QuerySet, Runs
from atlas_rag.tuning.measures import CustomMeasure, parse
from atlas_rag.tuning.optimum import optimum, sweep
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.problem.expression import compile_expression
from atlas_rag.tuning.problem.score_fusion import ExpressionFusion, ScoreFusion
from atlas_rag.tuning.problem.score_fusion import compensated_sum as array_sum
from atlas_rag.tuning.problem.slow import ranking_values, reranked_values
from atlas_rag.tuning.procedure import Settings, tune
from atlas_rag.tuning.selection import Surface, cross_validate
from tests.support.synthetic import synthetic


def made_up(pipelines: int = 2, **options: object) -> FusionProblem:
    return FusionProblem(*synthetic(queries=25, depth=20, pipelines=pipelines, seed=3), **options)  # type: ignore[arg-type]


def reference(problem: FusionProblem, query: str, **options: object) -> list[tuple[object, float]]:
    lists = []
    for name in problem.pipelines:
        rows = problem.runs.ranked(name, query)
        lists.append(RankedList(name, [row[0] for row in rows], [row[1] for row in rows]))
    return [(item.id, item.score) for item in fuse_scores(lists, **options)]  # type: ignore[arg-type]


def test_min_max_with_weights_in_an_expression_has_the_bits_of_the_reference() -> None:
    problem = made_up(3, fusion=ScoreFusion("minMaxScaler", "sum"))
    weights = {"a": 0.7, "b": 0.1, "c": 0.4}

    def combine(_: object, scores: dict[str, float]) -> float:
        total = 0.0
        for name, score in scores.items():
            total += score * weights[name]
        return total

    for query in problem.queries[:8]:
        expected = reference(problem, query, normalization="minMaxScaler", combine=combine)
        assert problem.ranking(weights)[query] == expected


def test_weights_without_effect_are_not_tuned() -> None:
    with pytest.raises(ExperimentError, match="have no effect"):
        ScoreFusion("minMaxScaler", "avg")


def test_compensated_sums_have_the_bits_of_the_scalar_ones() -> None:
    rows = np.random.default_rng(0).standard_normal((5, 2000)) * 10.0 ** np.arange(-8, 2, 2)[:, None]
    assert array_sum(rows).tolist() == [compensated_sum(column) for column in rows.T.tolist()]


EXPRESSIONS = [
    ({"$add": ["$$a", {"$multiply": ["$$b", 3]}]}, lambda a, b: a + b * 3),
    ({"$max": ["$$a", "$$b"]}, max),
    ({"$min": ["$$a", {"$literal": 0.5}]}, lambda a, b: min(a, 0.5)),
    ({"$avg": ["$$a", "$$b"]}, lambda a, b: (a + b) / 2),
    ({"$subtract": [{"$divide": ["$$a", 2]}, "$$weight.b"]}, lambda a, b: a / 2 - 0.25),
    ({"$sum": ["$$b"]}, lambda a, b: b),
]


@pytest.mark.parametrize(("expression", "function"), EXPRESSIONS, ids=[str(pair[0]) for pair in EXPRESSIONS])
def test_an_expression_computes_what_it_says(expression: dict, function: object) -> None:
    scores = np.array([[0.25, 1.0, 0.0], [0.5, 0.125, 2.0]])
    found = compile_expression(expression, ["b", "a"])(scores, np.array([0.75, 0.25]))
    assert found.tolist() == [function(a, b) for a, b in scores.T.tolist()]  # type: ignore[operator]


@pytest.mark.parametrize(
    "expression", ["$title", "$$c", {"$pow": ["$$a", 2]}, {"$divide": ["$$a"]}, {"$add": []}, True, {}]
)
def test_what_an_expression_cannot_say_is_refused(expression: object) -> None:
    with pytest.raises(ExperimentError, match="cannot be evaluated offline"):
        compile_expression(expression, ["a", "b"])


def test_an_expression_that_is_a_weighted_sum_ranks_as_the_linear_fusion() -> None:
    expression = {"$add": [{"$multiply": ["$$a", "$$weight.a"]}, {"$multiply": ["$$b", "$$weight.b"]}]}
    fusion = ExpressionFusion(compile_expression(expression, ["a", "b"]), "sigmoid")
    points = np.random.default_rng(1).dirichlet(np.ones(2), 30)
    slow, fast = made_up(fusion=fusion), made_up(fusion=ScoreFusion("sigmoid", "sum"))
    assert (slow.per_query(points) == fast.per_query(points)).all()


def test_a_fusion_that_is_not_linear_is_searched_on_a_grid_and_never_called_exact() -> None:
    combine = compile_expression({"$max": [{"$multiply": ["$$a", "$$weight.a"]}, "$$b"]}, ["a", "b"])
    problem = made_up(fusion=ExpressionFusion(combine, "minMaxScaler"))
    best = optimum(problem)
    assert not best.exact
    assert best.value >= problem.mean([1, 1])[0]
    with pytest.raises(ExperimentError, match="not linear"):
        sweep(problem, [0, 1], [1, 0])
    runs, judgments = synthetic(queries=25, depth=20, pipelines=2, seed=3)
    settings = Settings(fusion=problem.fusion, repeats=2, draws=0)
    assert (
        tune(runs, judgments, QuerySet.of({query: query for query in runs.queries}), settings).plateau is None
    )


def test_a_measure_of_grades_works_everywhere() -> None:
    first_three = CustomMeasure("any of three", lambda grades, relevant: float(any(grades[:3])), 3)
    own, built_in = made_up(measure=first_three), made_up(measure="Hit@3")
    points = np.random.default_rng(2).dirichlet(np.ones(2), 50)
    assert (own.per_query(points) == built_in.per_query(points)).all()
    assert optimum(own).value == pytest.approx(optimum(built_in).value, abs=1e-12)


def test_a_function_of_the_ranking_takes_the_slow_path_through_cross_validation() -> None:
    problem = made_up(measure="RR@10")
    relevant = {query: set(problem.judgments.relevant(query)) for query in problem.queries}

    def reciprocal(query: str, documents: list) -> float:
        return next((1 / rank for rank, doc in enumerate(documents, 1) if doc in relevant[query]), 0.0)

    def slowly(points: np.ndarray) -> np.ndarray:
        return ranking_values(problem, points, reciprocal, limit=10)

    slow = Surface.of(problem, steps=10, evaluate=slowly)
    fast = Surface.of(problem, steps=10)
    np.testing.assert_allclose(slow.values, fast.values, rtol=0, atol=1e-15)
    validations = [cross_validate(surface, repeats=2) for surface in (slow, fast)]
    assert validations[0].mean("argmax") == pytest.approx(validations[1].mean("argmax"), abs=1e-12)


def test_reranking_reorders_the_first_documents_only() -> None:
    runs = Runs.of({"a": {"q": [("x", 3.0), ("y", 2.0), ("z", 1.0)]}})
    problem = FusionProblem(runs, Judgments.of({"q": {"z": 1}}), "RR@10")
    scores = {"q": {"z": 9.0, "y": 5.0}}
    assert reranked_values(problem, [1.0], scores, top=3).tolist() == [[1.0]]
    assert reranked_values(problem, [1.0], scores, top=2).tolist() == [[1 / 3]]
    assert reranked_values(problem, [1.0], {}, top=3).tolist() == [[1 / 3]]


@pytest.mark.parametrize("name", ["nDCG", "nDCG@0", "accuracy@10", "P", "RR@-1", ""])
def test_an_unknown_measure_is_refused(name: str) -> None:
    with pytest.raises(ExperimentError, match="no measure"):
        parse(name)


@pytest.mark.parametrize(
    "name", ["nDCG@10", "nDCG(exp)@5", "RR@10", "R@100", "Hit@3", "AP@20", "P@5", "AP", "RR"]
)
def test_a_measure_writes_its_canonical_name(name: str) -> None:
    assert str(parse(name)) == name
    assert parse(name.lower()) == parse(name)


@pytest.mark.parametrize("weights", [{"x": 1.0}, [1, 2, 3], [-1, 1], [float("nan"), 1], [[float("inf"), 1]]])
def test_weights_that_do_not_fit_are_refused(weights: object) -> None:
    with pytest.raises(ExperimentError) as caught:
        made_up().mean(weights)  # type: ignore[arg-type]
    assert caught.value.code == Code.INVALID_WEIGHTS


def test_unjudged_queries_are_left_out_and_none_at_all_is_an_error() -> None:
    runs = Runs.of({"a": {"q": [("x", 1.0)], "p": [("y", 1.0)]}})
    assert FusionProblem(runs, Judgments.of({"p": {"y": 1}, "elsewhere": {"y": 1}})).queries == ("p",)
    with pytest.raises(ExperimentError, match="no collected query has a judgment") as caught:
        FusionProblem(runs, Judgments.of({"other": {"x": 1}}))
    assert caught.value.code == Code.TOO_FEW_JUDGMENTS


def test_unknown_input_pipelines_are_named() -> None:
    runs = Runs.of({"a": {"q": [("x", 1.0)]}})
    for ask in (lambda: runs.only(["b"]), lambda: runs.above({"b": 1.0}), lambda: runs.to_depth({"b": 1})):
        with pytest.raises(ExperimentError, match="no input pipeline 'b'"):
            ask()


def test_queries_without_any_found_document_count_zero() -> None:
    runs = Runs.of({"a": {"q": [("x", 1.0)], "p": []}, "b": {"q": [], "p": []}})
    problem = FusionProblem(runs, Judgments.of({"q": {"x": 1}, "p": {"y": 1}}))
    assert problem.per_query([[1, 1], [1, 0], [0, 0]]).tolist() == [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    assert optimum(problem).value == 0.5
