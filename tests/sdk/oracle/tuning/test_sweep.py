"""The exact sweep against evaluating the middle of every plateau."""

from __future__ import annotations

import numpy as np
import pytest

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data import Judgments, Runs
from atlas_rag.tuning.optimum import certify, optimum, sweep
from atlas_rag.tuning.optimum.polygon import area, divided
from atlas_rag.tuning.optimum.sweep import NARROWEST
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.problem.score_fusion import ScoreFusion
from tests.support.synthetic import synthetic

MEASURES = ["nDCG@10", "nDCG(exp)@5", "RR@10", "R@20", "Hit@3", "AP@20"]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("pipelines", [2, 3, 4])
def test_every_plateau_has_the_value_of_its_middle(measure: str, pipelines: int) -> None:
    problem = FusionProblem(*synthetic(queries=40, depth=30, pipelines=pipelines, seed=3), measure)
    draw = np.random.default_rng(5)
    low, high = draw.dirichlet(np.ones(pipelines), 2)
    line = sweep(problem, low, high) if pipelines > 2 else sweep(problem, [0, 1], [1, 0])
    wide = np.flatnonzero(np.diff(line.edges) >= NARROWEST)
    middles = (line.edges[wide] + line.edges[wide + 1]) / 2
    dense = problem.mean(np.array([line.weights(middle) for middle in middles]))

    assert len(wide) > 50
    np.testing.assert_allclose(line.values[wide], dense, rtol=0, atol=1e-12)


def test_scores_can_be_swept_like_ranks() -> None:
    runs, judgments = synthetic(queries=40, depth=30, pipelines=2, seed=4)
    problem = FusionProblem(runs, judgments, fusion=ScoreFusion("minMaxScaler", "sum"))
    line = sweep(problem, [0, 1], [1, 0])
    wide = np.flatnonzero(np.diff(line.edges) >= NARROWEST)
    middles = (line.edges[wide] + line.edges[wide + 1]) / 2
    dense = problem.mean(np.stack([middles, 1 - middles], axis=1))
    np.testing.assert_allclose(line.values[wide], dense, rtol=0, atol=1e-12)


def test_the_exact_optimum_is_at_least_that_of_a_fine_grid() -> None:
    problem = FusionProblem(*synthetic(queries=60, depth=50, pipelines=2, seed=8))
    shares = np.arange(1, 2000) / 2000
    grid = problem.mean(np.stack([shares, 1 - shares], axis=1)).max()
    best = optimum(problem)
    assert best.exact
    assert best.value >= grid
    assert best.value == pytest.approx(float(problem.mean(best.weights)[0]), abs=1e-12)


@pytest.mark.parametrize("measure", ["nDCG@10", "RR@10", "AP@10"])
def test_a_certificate_bounds_whatever_a_random_search_finds(measure: str) -> None:
    problem = FusionProblem(*synthetic(queries=25, depth=20, pipelines=3, seed=9), measure)
    proof = certify(problem, [1, 1, 1], seconds=60)
    random = problem.mean(np.random.default_rng(1).dirichlet(np.ones(3), 4000)).max()
    assert proof.closed
    assert proof.gap == 0
    assert random <= proof.value + 1e-12
    assert proof.value == pytest.approx(float(problem.mean(proof.weights)[0]), abs=1e-12)


def test_a_certificate_that_runs_out_of_time_says_how_far_it_came() -> None:
    problem = FusionProblem(*synthetic(queries=25, depth=20, pipelines=3, seed=9))
    ticks = iter(range(10_000))
    proof = certify(problem, [1, 1, 1], gap=0.0, seconds=5, clock=lambda: float(next(ticks)))
    assert not proof.closed
    assert proof.gap > 0
    assert proof.cells == 9  # the whole, and two for each of four steps


@pytest.mark.parametrize("pipelines", [2, 4])
def test_a_certificate_is_for_three_pipelines(pipelines: int) -> None:
    problem = FusionProblem(*synthetic(queries=5, depth=5, pipelines=pipelines, seed=9))
    with pytest.raises(ExperimentError, match="no certificate"):
        certify(problem, np.ones(pipelines))


def test_polygons_are_divided_without_loss() -> None:
    draw = np.random.default_rng(0)
    for _ in range(200):
        parts = [np.eye(3)]
        for _ in range(6):
            line = draw.standard_normal(3)
            parts = [half for part in parts for half in divided(part, line - line @ parts[0].mean(axis=0))]
        assert sum(map(area, parts)) == pytest.approx(1, abs=1e-9)
        assert all(np.allclose(part.sum(axis=1), 1) for part in parts)


def test_a_perfect_pipeline_gets_all_the_weight() -> None:
    good = {f"q{n}": [(f"d{n}", 2.0), ("x", 1.0)] for n in range(5)}
    bad = {f"q{n}": [("x", 2.0), ("y", 1.5), (f"d{n}", 1.0)] for n in range(5)}
    judgments = Judgments.of({f"q{n}": {f"d{n}": 1} for n in range(5)})
    best = optimum(FusionProblem(Runs.of({"good": good, "bad": bad}), judgments))
    assert best.value == 1.0
    assert best.weights[1] > 0.5
