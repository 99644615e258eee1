"""Window functions that fill gaps: `$locf` from the last value, `$linearFill` on a line between two."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.operands import is_date, nullish
from atlas_rag.inprocess.mql.expressions.operators.arithmetic import divide, multiply, subtract
from atlas_rag.inprocess.mql.expressions.scope import Variables
from atlas_rag.inprocess.mql.stages.windows.call import Call, CompileWindow, WindowFunction
from atlas_rag.inprocess.mql.values import equal, type_name
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import is_number


def _last_carried_forward(call: Call) -> WindowFunction:
    expression = call.input_without_window()

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        carried: list[Any] = []
        last: Any = None
        for row in rows:
            value = expression(row, variables)
            last = last if nullish(value) else value
            carried.append(last)
        return carried

    return function


def _linear(call: Call) -> WindowFunction:
    expression = call.input_without_window()
    if not call.sort.is_single:
        text = "must be specified with a top level sortBy expression with exactly one element"
        raise CommandError(605001, f"$linearFill {text}")

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        return _interpolated(values, [expression(row, variables) for row in rows])

    return function


def _interpolated(positions: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
    """Returns the inputs with each gap between two of them filled; gaps at either end become null."""
    filled: list[Any] = []
    for position, value in zip(positions, inputs, strict=True):
        filled.append(None if nullish(value) else _number(value))
        _check_position(position, positions[len(filled) - 2] if len(filled) > 1 else None)
    known = [at for at, value in enumerate(filled) if value is not None]
    for left, right in pairwise(known):
        if right - left > 1:
            rise = subtract(filled[right], filled[left])
            slope = divide(rise, subtract(positions[right], positions[left]))
            for at in range(left + 1, right):
                run = subtract(positions[left], positions[at])
                # Not `$add`, which takes a double into a decimal sum with all its digits.
                filled[at] = subtract(filled[left], multiply([slope, run]))
    return filled


def _number(value: Any) -> Any:
    if not is_number(value):
        text = f"Value to be filled must be numeric or nullish, but found {type_name(value)}"
        raise CommandError(14, text)
    return value


def _check_position(position: Any, previous: Any) -> None:
    """Numbers or dates, of one kind, each another than the one before."""
    if not (is_number(position) or is_date(position)):
        text = f"Value of the sortBy field must be numeric or a date, but found {type_name(position)}"
        raise CommandError(14, text)
    if previous is not None and is_date(position) != is_date(previous):
        before, now = type_name(previous), type_name(position)
        text = f"Conflicting sort value types, previously received type {before}, but found {now}"
        raise CommandError(14, text)
    if previous is not None and equal(position, previous):
        raise CommandError(6050106, "There can be no repeated values in the sort field")


FUNCTIONS: dict[str, CompileWindow] = {"$locf": _last_carried_forward, "$linearFill": _linear}
