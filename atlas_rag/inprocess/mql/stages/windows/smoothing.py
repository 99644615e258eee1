"""`$expMovingAvg`: an average in which older rows count less and less."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from bson import Decimal128

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.scope import Variables
from atlas_rag.inprocess.mql.stages.windows.call import Call, CompileWindow, WindowFunction
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import (
    DECIMAL,
    from_decimal,
    saturated,
    to_decimal,
    to_float,
    whole,
)
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.rendering import render_field

_EXACTLY_TWO = (
    "$expMovingAvg sub object must have exactly two fields: An 'input' field, and either an 'N' field "
    "or an 'alpha' field"
)


def _exponential(call: Call) -> WindowFunction:
    """Formula: the first number, then alpha · number + (1 - alpha) · average before; N means 2 / (N + 1).

    All in decimals of 34 digits, whatever the input; shown as a double until a decimal came.
    Source: measured on a server of release 6.0.5, equal to the last bit.
    """
    _check_form(call)
    expression = call.compiled(call.argument["input"])
    alpha = _weight(call.argument)
    rest = DECIMAL.subtract(Decimal(1), alpha)

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        averages: list[Any] = []
        average: Decimal | None = None
        is_decimal = False
        for row in rows:
            value = expression(row, variables)
            if is_number(value):
                number = to_decimal(value)
                is_decimal = is_decimal or isinstance(value, Decimal128)
                if average is not None:
                    number = DECIMAL.add(DECIMAL.multiply(number, alpha), DECIMAL.multiply(average, rest))
                average = number
            averages.append(_shown(average, is_decimal))
        return averages

    return function


def _shown(average: Decimal | None, is_decimal: bool) -> Any:
    if average is None:
        return None
    return from_decimal(average) if is_decimal else float(average)


def _check_form(call: Call) -> None:
    argument = call.argument
    if len(call.specification) > 1 or not isinstance(argument, Mapping):
        raise CommandError(9, "$expMovingAvg must have exactly one argument that is an object")
    if len(argument) != 2 or "input" not in argument:
        raise CommandError(9, _EXACTLY_TWO)
    if not call.sort.is_given:
        raise CommandError(9, "$expMovingAvg requires an explicit 'sortBy'")


def _weight(argument: Mapping[str, Any]) -> Decimal:
    if "N" in argument:
        return DECIMAL.divide(Decimal(2), Decimal(_steps(argument["N"]) + 1))
    if "alpha" in argument:
        return _alpha(argument["alpha"])
    raise CommandError(9, f"Got unrecognized field in $expMovingAvg{_EXACTLY_TWO}")


def _steps(value: Any) -> int:
    if not is_number(value):
        raise CommandError(9, f"'N' field must be an integer, but found type {type_name(value)}")
    if whole(value) is None and math.isfinite(to_float(value)):
        found = (
            f"but found  {render_field('N', value)}. To use a non-integer, use the 'alpha' argument instead"
        )
        raise CommandError(9, f"'N' field must be an integer, {found}")
    steps = saturated(value)
    if steps <= 0:
        raise CommandError(9, f"'N' must be greater than zero. Got {steps}")
    return steps


def _alpha(value: Any) -> Decimal:
    if not is_number(value):
        raise CommandError(9, "'alpha' must be a number")
    alpha = to_decimal(value)
    if alpha.is_nan() or not 0 < alpha < 1:
        text = f"'alpha' must be between 0 and 1 (exclusive), found {render_field('alpha', value)}"
        raise CommandError(9, text)
    return alpha


FUNCTIONS: dict[str, CompileWindow] = {"$expMovingAvg": _exponential}
