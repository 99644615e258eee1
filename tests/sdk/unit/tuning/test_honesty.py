"""What tuning claims is true: a few fast simulations with known truth; `scripts.bench.honesty` has all."""

from __future__ import annotations

import math

import numpy as np
import pytest

from atlas_rag.tuning.statistics import gain
from atlas_rag.tuning.statistics.selected import beyond_test
from atlas_rag.tuning.statistics.student import quantile, two_sided_p
from tests.support.honesty import claims, coverage, inflation, moves, says_single
from tests.support.populations import made_up


def test_without_anything_to_gain_equal_weights_stay() -> None:
    found = claims(made_up((2.0, 2.0), 1500), (50, 100), 24, repeats=1)
    assert moves(found) <= 1 / 12
    assert coverage(found) >= 0.9


def test_a_large_gain_is_seen_and_not_inflated() -> None:
    found = claims(made_up((1.5, 2.45), 1500), (100,), 20, repeats=1)
    assert moves(found) >= 0.55
    assert coverage(found) >= 0.9
    assert inflation(found) <= 1.5


def test_a_useless_pipeline_is_said_to_be_one() -> None:
    found = claims(made_up((0.0, 2.4), 1500), (50,), 10, repeats=1)
    assert says_single(found) >= 0.9


@pytest.mark.parametrize("true", [0.0, 0.5, 1.0, 2.0, 4.0])
def test_beyond_a_test_the_estimate_is_as_often_too_low_as_too_high(true: float) -> None:
    """In units of the standard error, on 20,000 draws, of which those beyond the test are shown."""
    draws = true + np.random.default_rng(1).standard_normal(20_000)
    passed = draws[draws > 1.645]
    shown = np.array([beyond_test(float(z), 1.645) for z in passed[:400]])
    upper = passed[:400] + 1.96
    assert np.mean((shown[:, 1] <= true) & (true <= upper)) >= 0.94
    if true >= 1:  # below, the estimate stops at half of what was seen
        assert np.mean(shown[:, 0] > true) == pytest.approx(0.5, abs=0.08)


def test_far_beyond_the_test_nothing_is_taken_off() -> None:
    estimate, low = beyond_test(8.0, 1.645)
    assert estimate == pytest.approx(8.0, abs=1e-6)
    assert low == pytest.approx(8.0 - 1.959964, abs=1e-4)


def test_a_gain_that_fails_its_test_is_told_as_it_is() -> None:
    differences = np.array([0.1, -0.1, 0.05, 0.0, -0.02, 0.06])
    found = gain("equal weights", differences)
    assert not found.shown
    assert found.estimate == found.plain == pytest.approx(differences.mean())
    reach = quantile(0.975, 5) * differences.std(ddof=1) / math.sqrt(6)
    assert found.interval == pytest.approx((found.plain - reach, found.plain + reach))
    assert gain("x", differences, instability=1.0).interval[1] > found.interval[1]


@pytest.mark.parametrize(("share", "freedom"), [(0.95, 3), (0.975, 10), (0.6, 1), (0.999, 200)])
def test_a_quantile_is_where_the_tail_is_what_is_left(share: float, freedom: int) -> None:
    assert two_sided_p(quantile(share, freedom), freedom) / 2 == pytest.approx(1 - share, rel=1e-9)
