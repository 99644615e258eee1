"""`$derivative` and `$integral` of a field over the sort field: rates of change, and areas."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import read_in_order, require
from atlas_rag.inprocess.mql.expressions.dates.units import DAY_MILLISECONDS, UNITS
from atlas_rag.inprocess.mql.expressions.operands import is_date, nullish
from atlas_rag.inprocess.mql.expressions.operators.arithmetic import divide, multiply, subtract
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Variables
from atlas_rag.inprocess.mql.stages.windows.bounds import Bounds
from atlas_rag.inprocess.mql.stages.windows.call import Call, CompileWindow, WindowFunction
from atlas_rag.inprocess.mql.stages.windows.sliding import SlidingTotal
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import is_nan
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import is_number, is_truthy
from atlas_rag.inprocess.rendering import render_field

Point = tuple[Any, Any]


def _arguments(call: Call) -> tuple[Evaluate, int | None, Bounds]:
    """Returns the input, the milliseconds of the unit if there is one, and the bounds of the window."""
    name = call.name
    if not call.sort.is_given:
        raise CommandError(9, f"{name} requires a sortBy")
    if not call.sort.is_single:
        raise CommandError(9, f"{name} requires a non-compound sortBy")
    argument, bounds = call.read(lambda given: given)
    if not isinstance(argument, Mapping):
        text = f"{name} expects an object, but got a {type_name(argument)}: {render_field(name, argument)}"
        raise CommandError(9, text)
    readers: dict[str, Callable[[Any], Any]] = {"input": call.compiled, "unit": _unit_milliseconds}
    given = read_in_order(argument, readers, (9, f"{name} got unexpected argument: {{}}"))
    require(given, f"{name} requires an '{{}}' expression", {"input": 9})
    return given["input"], given.get("unit"), bounds


def _unit_milliseconds(unit: Any) -> int:
    if not isinstance(unit, str):
        raise CommandError(9, f"unit' must be a string, but got {type_name(unit)}")
    if unit not in UNITS:
        raise CommandError(9, f"unknown time unit value: {unit}")
    if unit not in DAY_MILLISECONDS:
        raise CommandError(5490710, "unit must be 'week' or smaller")
    return DAY_MILLISECONDS[unit]


def _derivative(call: Call) -> WindowFunction:
    """The slope between the first and the last row of a window, null for a single row."""
    expression, unit, bounds = _arguments(call)
    if "window" not in call.specification:
        raise CommandError(9, "$derivative requires explicit window bounds")

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        def point(at: int) -> Point:
            return values[at], expression(rows[at], variables)

        return [
            _slope(point(start), point(end - 1), unit) if start < end else None
            for start, end in bounds.spans(values)
        ]

    return function


def _slope(left: Point, right: Point, unit: int | None) -> Any:
    _check_ends(left, right, unit)
    run = subtract(right[0], left[0])
    rise = subtract(right[1], left[1])
    if not is_truthy(run):
        return None
    slope = divide(rise, run)
    return slope if unit is None else multiply([slope, unit])


def _check_ends(left: Point, right: Point, unit: int | None) -> None:
    for position in (left[0], right[0]):
        if unit is not None and not is_date(position):
            raise CommandError(5624900, "$derivative with 'unit' expects the sortBy field to be a Date")
        if unit is None and is_date(position):
            raise CommandError(5624901, "$derivative where the sortBy is a Date requires an 'unit'")
    if unit is None and not (is_number(left[0]) and is_number(right[0])):
        text = "$derivative (with no 'unit') expects the sortBy field to be numeric"
        raise CommandError(5624902, text)
    if nullish(left[1]) or nullish(right[1]):
        raise CommandError(5624903, "$derivative input must not be null or missing")


def _integral(call: Call) -> WindowFunction:
    """The area below the line through a window's points, by the trapezoidal rule; NaN while one is NaN."""
    expression, unit, bounds = _arguments(call)

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        points = [(value, expression(row, variables)) for value, row in zip(values, rows, strict=True)]
        area, unknown, first, last = SlidingTotal(), 0, 0, 0
        results: list[Any] = []
        for begin, end in bounds.spans(values):
            for at in range(last, end):
                _check_integral(points[at], unit)
                if at > first:
                    area.add(_trapezoid(points[at - 1], points[at]))
            for at in range(first, min(begin, end - 1)):
                area.remove(_trapezoid(points[at], points[at + 1]))
            unknown += sum(map(_is_unknown, points[last:end])) - sum(map(_is_unknown, points[first:begin]))
            first, last = max(first, begin), max(last, end)
            results.append(None if begin >= end else math.nan if unknown else _area(area, unit))
        return results

    return function


def _area(total: SlidingTotal, unit: int | None) -> Any:
    return total.result() if unit is None else divide(total.result(), unit)


def _is_unknown(point: Point) -> bool:
    return is_nan(point[0]) or is_nan(point[1])


def _trapezoid(left: Point, right: Point) -> Any:
    if _is_unknown(left) or _is_unknown(right):
        return 0
    # Not `$add`, which takes a double into a decimal sum with all its digits.
    both = subtract(right[1], multiply([left[1], -1]))
    return divide(multiply([subtract(right[0], left[0]), both]), 2.0)  # a double: it decides decimal places


def _check_integral(point: Point, unit: int | None) -> None:
    position, value = point
    if not (is_number(position) or is_date(position)) or not is_number(value):
        text = "The input value of $integral window function must be a vector of 2 value, the first value "
        raise CommandError(5423900, text + "must be numeric or date type and the second must be numeric.")
    if unit is not None and not is_date(position):
        raise CommandError(5423901, "$integral with 'unit' expects the sortBy field to be a Date")
    if unit is None and is_date(position):
        text = "$integral (with no 'unit') expects the sortBy field to be numeric"
        raise CommandError(5423902, text)


FUNCTIONS: dict[str, CompileWindow] = {"$derivative": _derivative, "$integral": _integral}
