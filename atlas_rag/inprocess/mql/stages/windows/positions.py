"""Window functions of a row's place in its partition: ranks, and the values of neighbours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import read_in_order
from atlas_rag.inprocess.mql.expressions.define import constant_value
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Variables
from atlas_rag.inprocess.mql.stages.windows.call import Call, CompileWindow, WindowFunction
from atlas_rag.inprocess.mql.values import sort_key
from atlas_rag.inprocess.mql.values.numbers import is_int32, to_decimal
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.rendering import render_field


def _rank(call: Call) -> WindowFunction:
    if len(call.specification) > 1:
        raise CommandError(5371601, "Rank style window functions take no other arguments")
    if call.argument != {}:
        raise CommandError(5371603, "(None) must be specified with '{}' as the value")
    if not call.sort.is_single:
        text = "must be specified with a top level sortBy expression with exactly one element"
        raise CommandError(5371602, f"{call.name} {text}")

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        if call.name == "$documentNumber":
            return list(range(1, len(rows) + 1))
        return _ranks(values, dense=call.name == "$denseRank")

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


_NOT_CONSTANT = "'$shift:default' expression must yield a constant value."


def _shift(call: Call) -> WindowFunction:
    for is_window, argument in call.fields():
        if is_window:
            raise CommandError(9, "$shift does not accept a 'window' field")
        output, distance, default = _shift_arguments(call, argument)
    if not call.sort.is_given:
        raise CommandError(9, "'$shift' requires a sortBy")

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        sources = range(distance, distance + len(rows))
        return [output(rows[at], variables) if 0 <= at < len(rows) else default for at in sources]

    return function


def _shift_arguments(call: Call, argument: Any) -> tuple[Evaluate, int, Any]:
    """Returns the output, the distance in rows, and the value beyond the partition."""
    if not isinstance(argument, Mapping):
        raise CommandError(9, "Argument to $shift must be an object")
    readers: dict[str, Callable[[Any], Any]] = {
        "output": call.compiled,
        "by": _distance,
        "default": lambda value: constant_value(value, call.scope, 9, _NOT_CONSTANT),
    }
    given = read_in_order(argument, readers, (9, "Unknown argument in $shift"))
    if "output" not in given:
        raise CommandError(9, "$shift requires an 'output' expression.")
    if "by" not in given:
        raise CommandError(9, "$shift requires 'by' as an integer value.")
    return given["output"], given["by"], given.get("default")


def _distance(value: Any) -> int:
    if not is_int32(value):
        found = render_field("by", value)
        raise CommandError(9, f"'$shift:by' field must be an integer, but found  {found}")
    return int(to_decimal(value))


FUNCTIONS: dict[str, CompileWindow] = {
    **dict.fromkeys(("$rank", "$denseRank", "$documentNumber"), _rank),
    "$shift": _shift,
}
