"""`$minMaxScaler`: where a number lies between the least and the greatest of its window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.scope import Variables
from atlas_rag.inprocess.mql.stages.windows.call import Call, WindowFunction
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import to_float
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import is_number


def scaler(call: Call) -> WindowFunction:
    """Returns the function of `$minMaxScaler`, which came with release 8.2."""
    argument, bounds = call.read(lambda given: given)
    if not isinstance(argument, Mapping) or "input" not in argument:
        raise CommandError(9, "$minMaxScaler requires an 'input' expression")
    if not set(argument) <= {"input", "min", "max"}:
        raise CommandError(9, "Unknown argument in $minMaxScaler")
    low, high = argument.get("min", 0), argument.get("max", 1)
    if not (is_number(low) and is_number(high) and to_float(low) < to_float(high)):
        raise CommandError(9, "$minMaxScaler requires numbers as bounds, with 'min' less than 'max'")
    expression = call.compiled(argument["input"])

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        inputs = [_input(expression(row, variables)) for row in rows]
        return [
            _scaled(value, inputs[start:end], to_float(low), to_float(high))
            for value, (start, end) in zip(inputs, bounds.spans(values), strict=True)
        ]

    return function


def _input(value: Any) -> float:
    if not is_number(value):
        raise CommandError(
            14,
            f"'input' argument to $minMaxScaler must evaluate to a numeric type, but got {type_name(value)}",
        )
    return to_float(value)


def _scaled(value: float, window: Sequence[float], low: float, high: float) -> float:
    least, greatest = min(window), max(window)
    if least == greatest:
        return low
    return (value - least) / (greatest - least) * (high - low) + low
