"""Window functions of a row's place in its partition: ranks, and the values of neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.engines.local.expressions.folding import parsing_constant
from atlas_rag.engines.local.expressions.scope import Constant, Variables
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render_field
from atlas_rag.engines.local.stages.windows.call import Call, CompileWindow, WindowFunction
from atlas_rag.engines.local.values import sort_key
from atlas_rag.engines.local.values.numbers import is_int32, to_decimal
from atlas_rag.engines.local.values.row import Row


def _rank(call: Call) -> WindowFunction:
    if call.argument != {}:
        raise CommandError(5371603, "(None) must be specified with '{}' as the value")
    if len(call.specification) > 1:
        raise CommandError(5371601, "Rank style window functions take no other arguments")
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


def _shift(call: Call) -> WindowFunction:
    argument = call.argument
    if len(call.specification) > 1:
        raise CommandError(9, "$shift does not accept a 'window' field")
    if not call.sort.is_given:
        raise CommandError(9, "'$shift' requires a sortBy")
    if not isinstance(argument, Mapping):
        raise CommandError(9, "Argument to $shift must be an object")
    if not set(argument) <= {"output", "by", "default"}:
        raise CommandError(9, "Unknown argument in $shift")
    if "by" in argument and not is_int32(argument["by"]):
        found = render_field("by", argument["by"])
        raise CommandError(9, f"'$shift:by' field must be an integer, but found  {found}")
    output = call.compiled(argument.get("output"))
    with parsing_constant():
        default = call.compiled(argument.get("default"))
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


FUNCTIONS: dict[str, CompileWindow] = {
    **dict.fromkeys(("$rank", "$denseRank", "$documentNumber"), _rank),
    "$shift": _shift,
}
