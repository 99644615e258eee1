"""Sums of fused multiply-adds against fractions, by the BLAS library and without it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from atlas_rag.inprocess.search.vector_index import fused_sums as module
from atlas_rag.inprocess.search.vector_index.fused_chain import chained, step_by_step
from atlas_rag.inprocess.search.vector_index.fused_sums import fused_sums

Array = np.ndarray[Any, Any]

# few bits, so that sums often lie half-way between two float32; and all sizes
COARSE = st.integers(-(2**6), 2**6).map(lambda number: number * 2.0**-9)
FLOATS = st.one_of(
    COARSE,
    st.sampled_from([1 + 2.0**-23, 2.0**-12 * (1 + 2.0**-15), 2.0**-12 * (1 - 2.0**-15), 2.0**-70, -3e-20]),
    st.floats(-4, 4, width=32),
)


def rows_of(columns: Any) -> st.SearchStrategy[Array]:
    shapes = st.tuples(st.integers(1, 3), columns)
    return shapes.flatmap(lambda shape: arrays.arrays(np.float32, shape, elements=FLOATS))


def nearest(number: Fraction) -> Fraction:
    """The float32 nearest to a fraction, ties to even; not for numbers beyond its range."""
    if not number:
        return number
    size = abs(number)
    power = size.numerator.bit_length() - size.denominator.bit_length()
    power -= size < Fraction(2) ** power
    grid = Fraction(2) ** max(power - 23, -149)
    return round(number / grid) * grid


def chain(left: Array, right: Array, start: Fraction = Fraction(0)) -> Fraction:
    for one, other in zip(left.tolist(), right.tolist(), strict=True):
        start = nearest(start + Fraction(one) * Fraction(other))
    return start


def dealt_sum(left: Array, right: Array, chains: int) -> Fraction:
    if len(left) <= 32:
        return chain(left, right)
    whole = len(left) // chains * chains
    ends = [chain(left[at:whole:chains], right[at:whole:chains]) for at in range(chains)]
    total = ends[0]
    for end in ends[1:]:
        total = nearest(total + end)
    return chain(left[whole:], right[whole:], total)


@pytest.fixture(params=["library", "emulated"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "emulated":
        monkeypatch.setattr(module, "_chaining_shape", lambda steps: None)
    return str(request.param)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("chains", [2, 4])
@pytest.mark.parametrize("dimensions", [1, 7, 32, 33, 34, 39, 384, 1541])
def test_sums_are_those_of_fractions(dimensions: int, chains: int) -> None:
    left, right = np.random.default_rng(dimensions).normal(size=(2, 2, dimensions)).astype(np.float32)
    wanted = [dealt_sum(one, other, chains) for one, other in zip(left, right, strict=True)]
    assert [*map(Fraction, fused_sums(left, right, chains).tolist())] == wanted
    shared = [dealt_sum(one, right[0], chains) for one in left]
    assert [*map(Fraction, fused_sums(left, right[:1], chains).tolist())] == shared


@given(rows_of(st.integers(1, 12)))
def test_a_chain_rounds_every_step_once(rows: Array) -> None:
    wanted = [chain(row, row[::-1]) for row in rows]
    products = rows.astype(np.float64) * rows[:, ::-1]
    assert [*map(Fraction, chained(products).tolist())] == wanted
    assert [*map(Fraction, step_by_step(products).tolist())] == wanted


def test_a_sum_that_a_double_rounds_to_half_way_is_rounded_the_right_way() -> None:
    left = np.array([[1 + 2.0**-23, 2.0**-12 * (1 + 2.0**-15)]], np.float32)
    right = np.array([[1, 2.0**-12 * (1 - 2.0**-15)]], np.float32)
    products = left.astype(np.float64) * right
    assert np.float32(products.sum()) == np.float32(1 + 2.0**-22)
    assert chained(products) == step_by_step(products) == np.float32(1 + 2.0**-23)


@pytest.mark.usefixtures("way")
def test_what_leaves_the_range_of_a_float_stays_infinite() -> None:
    left = np.array([[2.0**127, -(2.0**127), 1.0]], np.float32)
    assert fused_sums(left, np.full((1, 3), 4, np.float32), 2).tolist() == [np.inf]
    assert fused_sums(left, np.full((1, 3), 2.0**-126, np.float32), 2).tolist() == [2.0**-126]
