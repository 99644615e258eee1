"""Trigonometry, with the interval that each function is defined on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from bson import Decimal128

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.define import operator
from atlas_rag.inprocess.mql.expressions.operands import nullish, number
from atlas_rag.inprocess.mql.values import decimal_functions
from atlas_rag.inprocess.mql.values.numbers import DECIMAL, from_decimal, to_decimal, to_float
from atlas_rag.inprocess.mql.values.shown import shown


def _trigonometric(
    name: str, function: Callable[[float], float], low: float = -math.inf, high: float = math.inf
) -> None:
    """Registers a function of one angle or ratio; infinite bounds are open for sines, closed for others."""
    is_open = name in ("sin", "cos", "tan")
    bounds = f"({_bound(low)},{_bound(high)})" if is_open else f"[{_bound(low)},{_bound(high)}]"

    def apply(value: Any) -> Any:
        if nullish(value):
            return None
        argument = to_float(number(f"${name}", value))
        inside = low < argument < high if is_open else low <= argument <= high
        if not (inside or math.isnan(argument)):
            given = value if isinstance(value, Decimal128) else argument
            text = f"cannot apply ${name} to {shown(given)}, value must be in {bounds}"
            raise CommandError(50989, text)
        if isinstance(value, Decimal128):
            return from_decimal(decimal_functions.computed(name, value.to_decimal()))
        return _overflowing(function, argument)

    operator(f"${name}")(apply)


def _bound(value: float) -> str:
    return str(value) if math.isinf(value) else str(int(value))


def _overflowing(function: Callable[[float], float], argument: float) -> float:
    try:
        return function(argument)
    except OverflowError:
        return math.copysign(math.inf, argument) if function is math.sinh else math.inf


def _inverse_hyperbolic_tangent(value: float) -> float:
    return math.copysign(math.inf, value) if abs(value) == 1 else math.atanh(value)


for _name in ("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh"):
    _trigonometric(_name, getattr(math, _name))
_trigonometric("asin", math.asin, -1, 1)
_trigonometric("acos", math.acos, -1, 1)
_trigonometric("atanh", _inverse_hyperbolic_tangent, -1, 1)
_trigonometric("acosh", math.acosh, 1)


def _conversion(name: str, numerator: float, denominator: float) -> None:
    """Registers a change of unit: the operand times a quotient, of which one side is π."""
    exact = [
        decimal_functions.PI if part == math.pi else to_decimal(int(part))
        for part in (numerator, denominator)
    ]
    factor = DECIMAL.divide(*exact)

    def apply(value: Any) -> Any:
        if nullish(value):
            return None
        if isinstance(number(name, value), Decimal128):
            return from_decimal(DECIMAL.multiply(value.to_decimal(), factor))
        return to_float(value) * (numerator / denominator)

    operator(name)(apply)


_conversion("$degreesToRadians", math.pi, 180)
_conversion("$radiansToDegrees", 180, math.pi)


@operator("$atan2", 2, lazy=True)
def arc_tangent(values: Iterator[Any]) -> Any:
    """Angle of a point."""
    operands = []
    for value, code in zip(values, (51044, 51045), strict=True):
        if nullish(value):
            return None
        operands.append(number("$atan2", value, code))
    opposite, adjacent = operands
    if isinstance(opposite, Decimal128) or isinstance(adjacent, Decimal128):
        return from_decimal(decimal_functions.arc_tangent_of(to_decimal(opposite), to_decimal(adjacent)))
    return math.atan2(to_float(opposite), to_float(adjacent))
