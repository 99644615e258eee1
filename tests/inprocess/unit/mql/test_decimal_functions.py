"""Trigonometry of decimals, against identities and against doubles."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag.inprocess.mql.values import decimal_functions as functions

ANGLES = st.decimals(-50, 50, places=6)
RATIOS = st.decimals("-0.999", "0.999", places=6)
TINY = Decimal("1e-33")


@given(ANGLES)
def test_sine_and_cosine_lie_on_the_unit_circle(angle: Decimal) -> None:
    assert abs(functions.sine(angle) ** 2 + functions.cosine(angle) ** 2 - 1) < Decimal("1e-26")


@given(RATIOS)
def test_inverse_functions_lead_back(ratio: Decimal) -> None:
    assert abs(functions.sine(functions.arc_sine(ratio)) - ratio) < Decimal("1e-26")
    assert abs(functions.tangent(functions.arc_tangent(ratio)) - ratio) < Decimal("1e-26")
    leads_back = functions.hyperbolic_tangent(functions.inverse_hyperbolic_tangent(ratio))
    assert abs(leads_back - ratio) < Decimal("1e-26")


@pytest.mark.parametrize("name", sorted(functions.NAMED))
@pytest.mark.parametrize("value", ["0.25", "-0.75", "0.5"])
def test_each_function_agrees_with_the_one_of_doubles(name: str, value: str) -> None:
    argument = Decimal(value) + (2 if name == "acosh" else 0)
    expected = getattr(math, name)(float(argument))
    assert float(functions.NAMED[name](argument)) == pytest.approx(expected, rel=1e-15)


def test_a_known_sine_is_right_to_the_34th_digit() -> None:
    # Abramowitz and Stegun give sin 1 = 0.84147 09848 07896 50665 25...
    assert abs(functions.sine(Decimal(1)) - Decimal("0.8414709848078965066525023216302989996")) < TINY
