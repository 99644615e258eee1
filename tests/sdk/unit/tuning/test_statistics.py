"""Tests and intervals, against closed forms and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.statistics import (
    best_of_many,
    bootstrap_interval,
    compare,
    detectable_difference,
    queries_needed,
    two_sided_p,
)


@pytest.mark.parametrize("t", [0.0, 0.1, 0.5, 1.0, 2.0, 7.5, 40.0])
def test_student_has_closed_forms_for_one_to_four_degrees_of_freedom(t: float) -> None:
    root = math.sqrt(t * t + 4)
    closed = {
        1: 1 - 2 / math.pi * math.atan(t),
        2: 1 - t / math.sqrt(2 + t * t),
        3: 1 - 2 / math.pi * (t / (math.sqrt(3) * (1 + t * t / 3)) + math.atan(t / math.sqrt(3))),
        4: 1 - (t / root) * (1 + 2 / (root * root)),
    }
    for freedom, expected in closed.items():
        assert two_sided_p(t, freedom) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("t", "freedom"), [(2.2281388519649385, 10), (1.9839715185235518, 100)])
def test_student_has_the_tabulated_five_percent_points(t: float, freedom: int) -> None:
    assert two_sided_p(t, freedom) == pytest.approx(0.05, rel=1e-10)


def test_student_tends_to_the_normal_distribution() -> None:
    assert two_sided_p(1.5, 10**7) == pytest.approx(math.erfc(1.5 / math.sqrt(2)), rel=1e-6)


def test_a_comparison_counts_and_measures() -> None:
    first = np.array([0.1, 0.5, 0.5, 0.9, 0.2])
    second = np.array([0.4, 0.5, 0.7, 0.8, 0.6])
    result = compare(first, second)
    assert (result.wins, result.losses, result.ties, result.queries) == (3, 1, 1, 5)
    assert result.difference == pytest.approx(0.16)
    assert result.deviation == pytest.approx(np.std(second - first, ddof=1))
    assert result.interval[0] < result.difference < result.interval[1]
    assert not result.significant


def test_the_sign_flip_test_of_few_queries_is_the_exact_one() -> None:
    result = compare(np.zeros(4), np.array([1.0, 2.0, 3.0, 4.0]), rounds=40_000)
    assert result.p_permutation == pytest.approx(2 / 16, abs=0.01)


def test_equal_rankings_differ_in_nothing() -> None:
    result = compare(np.ones(30), np.ones(30))
    assert (result.difference, result.p_student, result.interval) == (0.0, 1.0, (0.0, 0.0))
    assert result.p_permutation == 1.0


def test_tests_agree_on_a_clear_difference_and_on_none() -> None:
    draw = np.random.default_rng(3)
    base = draw.random(200)
    clear = compare(base, base + 0.02 + draw.normal(0, 0.05, 200))
    assert clear.significant
    assert clear.p_permutation < 0.001
    none = compare(base, base + draw.normal(0, 0.05, 200))
    assert not none.significant
    assert none.p_permutation == pytest.approx(none.p_student, abs=0.02)


def test_pairs_need_two_queries_and_the_same_number() -> None:
    with pytest.raises(ExperimentError, match="cannot be compared"):
        compare(np.ones(1), np.ones(1))
    with pytest.raises(ExperimentError, match="3 and 4 values"):
        compare(np.ones(3), np.ones(4))


def test_the_best_of_many_pretenders_is_not_significant() -> None:
    draw = np.random.default_rng(11)
    rejected = plain = 0
    for seed in range(60):
        baseline = draw.random(40)
        matrix = baseline[:, None] + draw.normal(0, 0.1, (40, 30))
        best, p = best_of_many(matrix, baseline, rounds=499, seed=seed)
        rejected += p < 0.05
        plain += compare(baseline, matrix[:, best], rounds=99).p_student < 0.05
    assert rejected <= 8  # 5 % of 60 is 3
    assert plain >= 25  # what forgetting about the choice would claim


def test_the_best_of_many_with_a_real_winner_is_found() -> None:
    draw = np.random.default_rng(12)
    baseline = draw.random(80)
    matrix = baseline[:, None] + draw.normal(0, 0.05, (80, 20))
    matrix[:, 7] += 0.04
    assert best_of_many(matrix, baseline, rounds=999)[0] == 7
    assert best_of_many(matrix, baseline, rounds=999)[1] < 0.01


def test_the_bootstrap_interval_is_the_normal_one_for_many_queries() -> None:
    values = np.random.default_rng(1).normal(0.3, 0.2, 2000)
    low, high = bootstrap_interval(values)
    half = 1.96 * values.std(ddof=1) / math.sqrt(len(values))
    assert low == pytest.approx(values.mean() - half, abs=half * 0.1)
    assert high == pytest.approx(values.mean() + half, abs=half * 0.1)


def test_sample_size_and_detectable_difference_are_inverse() -> None:
    assert detectable_difference(0.06, 282) == pytest.approx(0.01, rel=0.01)
    assert queries_needed(0.06, 0.01) == 283
    assert detectable_difference(0.06, queries_needed(0.06, 0.02)) <= 0.02
