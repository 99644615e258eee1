"""The functions of `$setWindowFields`: each gives one value per row of a partition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bson import Int64

from atlas_rag.engines.local.expressions.compiler import compile_expression
from atlas_rag.engines.local.expressions.operands import nullish
from atlas_rag.engines.local.expressions.scope import Constant, Evaluate, Scope, Variables
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render_field
from atlas_rag.engines.local.stages.grouping.accumulator_parser import (
    Accumulator,
    compile_call,
    is_accumulator,
)
from atlas_rag.engines.local.stages.windows.bounds import WHOLE_PARTITION, Bounds, WindowSort, compile_bounds
from atlas_rag.engines.local.values import sort_key, type_name
from atlas_rag.engines.local.values.numbers import integer, is_int32, to_decimal, to_float
from atlas_rag.engines.local.values.row import Row
from atlas_rag.engines.local.values.types import is_number

# (rows of one partition in order, their sort values, variables) -> one value per row
WindowFunction = Callable[[Sequence[Row], Sequence[Any], Variables], list[Any]]

_RANKS = ("$rank", "$denseRank", "$documentNumber")
_NOT_IN_WINDOWS = frozenset({"$mergeObjects"})
_REFUSED = frozenset(
    {"$derivative", "$integral", "$expMovingAvg", "$covariancePop", "$covarianceSamp", "$linearFill"}
)


def compile_window_function(path: str, specification: Any, sort: WindowSort, scope: Scope) -> WindowFunction:
    """Returns the function of one output field. Raises code 9 for what no release, or this one, has."""
    if not isinstance(specification, Mapping):
        raise CommandError(9, f"The field '{path}' must be an object")
    names = [name for name in specification if name.startswith("$")]
    for name in specification:
        if not name.startswith("$") and name != "window":
            raise CommandError(9, f"Window function found an unknown argument: {name}")
    if len(names) != 1:
        text = (
            "Expected a $-prefixed window function"
            if not names
            else "Cannot specify two functions in window function spec"
        )
        raise CommandError(9, text)
    (name,) = names
    return _compile(name, specification, sort, scope)


def _compile(name: str, specification: Mapping[str, Any], sort: WindowSort, scope: Scope) -> WindowFunction:
    argument = specification[name]
    if name in _RANKS:
        return _rank(name, argument, specification, sort)
    if name == "$shift":
        return _shift(argument, specification, sort, scope)
    if name == "$locf":
        return _last_carried_forward(compile_expression(argument, scope), specification)
    if name in _REFUSED:
        raise CommandError(115, f"{name} is not supported by the in-process engine")
    is_scaler = name == "$minMaxScaler" and scope.release >= (8, 2)
    if not is_scaler and (not is_accumulator(name) or name in _NOT_IN_WINDOWS):
        raise CommandError(9, f"Unrecognized window function, {name}")
    bounds = WHOLE_PARTITION
    if "window" in specification:
        bounds = compile_bounds(specification["window"], sort)
    if is_scaler:
        return _scaler(argument, bounds, scope)
    function = _accumulated(compile_call(name, argument, scope), bounds)
    return _narrowed(function) if name == "$sum" and bounds.slides else function


def _narrowed(function: WindowFunction) -> WindowFunction:
    """A sum over a sliding window is an int wherever it fits one, even of longs."""

    def narrow(value: Any) -> Any:
        return integer(value) if isinstance(value, Int64) else value

    return lambda rows, values, variables: [narrow(value) for value in function(rows, values, variables)]


def _rank(name: str, argument: Any, specification: Mapping[str, Any], sort: WindowSort) -> WindowFunction:
    if argument != {}:
        raise CommandError(5371603, "(None) must be specified with '{}' as the value")
    if len(specification) > 1:
        raise CommandError(5371601, "Rank style window functions take no other arguments")
    if not sort.is_single:
        text = "must be specified with a top level sortBy expression with exactly one element"
        raise CommandError(5371602, f"{name} {text}")

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        if name == "$documentNumber":
            return list(range(1, len(rows) + 1))
        return _ranks(values, dense=name == "$denseRank")

    return function


def _ranks(values: Sequence[Any], *, dense: bool) -> list[int]:
    """Returns ranks from 1; equal neighbours share one. Dense ranks leave no gaps after ties."""
    ranks: list[int] = []
    previous: Any = None
    for position, value in enumerate(values, 1):
        key = sort_key(value)
        if ranks and key == previous:
            ranks.append(ranks[-1])
        else:
            ranks.append(ranks[-1] + 1 if dense and ranks else position)
        previous = key
    return ranks


def _shift(argument: Any, specification: Mapping[str, Any], sort: WindowSort, scope: Scope) -> WindowFunction:
    if len(specification) > 1:
        raise CommandError(9, "$shift does not accept a 'window' field")
    if not sort.pattern:
        raise CommandError(9, "'$shift' requires a sortBy")
    if not isinstance(argument, Mapping):
        raise CommandError(9, "Argument to $shift must be an object")
    if not set(argument) <= {"output", "by", "default"}:
        raise CommandError(9, "Unknown argument in $shift")
    if "by" in argument and not is_int32(argument["by"]):
        found = render_field("by", argument["by"])
        raise CommandError(9, f"'$shift:by' field must be an integer, but found  {found}")
    output = compile_expression(argument.get("output"), scope)
    default = compile_expression(argument.get("default"), scope)
    if not isinstance(default, Constant):
        raise CommandError(9, "'$shift:default' expression must yield a constant value.")
    if "by" not in argument:
        raise CommandError(9, "$shift requires 'by' as an integer value.")
    if "output" not in argument:
        raise CommandError(9, "$shift requires an 'output' expression.")
    distance = int(to_decimal(argument["by"]))

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        sources = range(distance, distance + len(rows))
        return [output(rows[at], variables) if 0 <= at < len(rows) else default.value for at in sources]

    return function


def _last_carried_forward(expression: Evaluate, specification: Mapping[str, Any]) -> WindowFunction:
    if len(specification) > 1:
        raise CommandError(9, "'window' field is not allowed in $locf")

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        carried: list[Any] = []
        last: Any = None
        for row in rows:
            value = expression(row, variables)
            last = last if nullish(value) else value
            carried.append(last)
        return carried

    return function


def _accumulated(accumulator: Accumulator, bounds: Bounds) -> WindowFunction:
    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        inputs = [accumulator.input(row, variables) for row in rows]
        results: list[Any] = []
        state, covered = accumulator.start(Row({}), variables), (0, 0)
        for start, end in bounds.spans(values):
            if (start, end) == covered and results:
                results.append(results[-1])
                continue
            # A window that only grew goes on from the state it had.
            if start != covered[0] or end < covered[1]:
                state, covered = accumulator.start(Row({}), variables), (start, start)
            for value in inputs[covered[1] : end]:
                state.add(value)
            covered = (start, end)
            result = state.result()
            results.append(list(result) if isinstance(result, list) else result)
        return results

    return function


def _scaler(argument: Any, bounds: Bounds, scope: Scope) -> WindowFunction:
    """`$minMaxScaler`: where a number lies between the least and the greatest of its window."""
    if not isinstance(argument, Mapping) or "input" not in argument:
        raise CommandError(9, "$minMaxScaler requires an 'input' expression")
    if not set(argument) <= {"input", "min", "max"}:
        raise CommandError(9, "Unknown argument in $minMaxScaler")
    low, high = argument.get("min", 0), argument.get("max", 1)
    if not (is_number(low) and is_number(high) and to_float(low) < to_float(high)):
        raise CommandError(9, "$minMaxScaler requires numbers as bounds, with 'min' less than 'max'")
    expression = compile_expression(argument["input"], scope)

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        inputs = [_scaled_input(expression(row, variables)) for row in rows]
        return [
            _scaled(value, inputs[start:end], to_float(low), to_float(high))
            for value, (start, end) in zip(inputs, bounds.spans(values), strict=True)
        ]

    return function


def _scaled_input(value: Any) -> float:
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
