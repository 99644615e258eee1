"""`$bucket`: groups by intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import read_in_order
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.define import constant_value
from atlas_rag.inprocess.mql.expressions.scope import Variables
from atlas_rag.inprocess.mql.stages.grouping.accumulator_parser import Accumulator, compile_accumulator
from atlas_rag.inprocess.mql.stages.grouping.group import grouping
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.values import sort_key, type_name
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.shown import shown
from atlas_rag.inprocess.rendering import render


@stage("$bucket")
def bucket(argument: Any, build: Build) -> Run:
    """Groups by intervals between given boundaries."""
    given = _read(argument, build)
    boundaries, default = given["boundaries"], None
    if "default" in given:  # compiled once more, as by a server: a string with a dollar becomes a path
        default = compile_expression(given["default"], build.scope)
    outputs = _outputs(given.get("output", _ONE_PER_ROW), build)
    value = compile_expression(given["groupBy"], build.scope)
    build.forget_metadata()
    keys = [sort_key(boundary) for boundary in boundaries]

    def lower_bound(row: Row, variables: Variables) -> Any:
        found = sort_key(value(row, variables))
        for (low, high), boundary in zip(pairwise(keys), boundaries, strict=False):
            if low <= found < high:
                return boundary
        if default is None:
            text = "$switch could not find a matching branch for an input, and no default was specified."
            raise CommandError(4934200, text)
        return default(row, variables)

    groups = grouping(lower_bound, outputs)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        yield from sorted(groups(rows, variables), key=lambda row: sort_key(row.doc["_id"]))

    return run


_ONE_PER_ROW: Mapping[str, Any] = {"count": {"$sum": 1}}


def _outputs(argument: Mapping[str, Any], build: Build) -> dict[str, Accumulator]:
    if "_id" in argument:
        raise CommandError(15948, "a group's _id may only be specified once")
    return {
        name: compile_accumulator(name, accumulator, build.scope) for name, accumulator in argument.items()
    }


def _read(argument: Any, build: Build) -> dict[str, Any]:
    """Returns the options by name, each checked as it comes; boundaries and default by their values."""
    if not isinstance(argument, Mapping):
        text = f"Argument to $bucket stage must be an object, but found type: {type_name(argument)}."
        raise CommandError(40201, text)
    readers: dict[str, Callable[[Any], Any]] = {
        "groupBy": _group_by,
        "boundaries": lambda value: _boundaries(value, build),
        "default": lambda value: _default(value, build),
        "output": _output,
    }
    given = read_in_order(argument, readers, (40197, "Unrecognized option to $bucket: {}."))
    if "groupBy" not in given or "boundaries" not in given:
        raise CommandError(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.")
    _check_default(given)
    return given


def _group_by(value: Any) -> Any:
    if not is_path_or_expression(value):
        text = f"must be defined as a $-prefixed path or an expression, but found: {render(value)}."
        raise CommandError(40202, f"The $bucket 'groupBy' field {text}")
    return value


def is_path_or_expression(value: Any) -> bool:
    """True for `"$path"` and `{$operator: …}`."""
    first = next(iter(value), "") if isinstance(value, Mapping) else value
    return isinstance(first, str) and first.startswith("$")


def _output(value: Any) -> Any:
    if not isinstance(value, Mapping):
        text = f"The $bucket 'output' field must be an object, but found type: {type_name(value)}."
        raise CommandError(40196, text)
    return value


def _boundaries(items: Any, build: Build) -> list[Any]:
    if not isinstance(items, list):
        text = f"The $bucket 'boundaries' field must be an array, but found type: {type_name(items)}."
        raise CommandError(40200, text)
    text = "The $bucket 'boundaries' field must be an array of constant values, but found value"
    boundaries = [constant_value(item, build.scope, 40191, f"{text}: {render(item)}.") for item in items]
    if len(boundaries) < 2:
        text = f"must have at least 2 values, but found {len(boundaries)} value(s)."
        raise CommandError(40192, f"The $bucket 'boundaries' field {text}")
    for position, (low, high) in enumerate(pairwise(boundaries)):
        _check_ascending(position, low, high)
    return boundaries


def _check_ascending(position: int, low: Any, high: Any) -> None:
    if sort_key(low)[0] != sort_key(high)[0]:
        text = f"Found conflicting types {type_name(low)} and {type_name(high)}."
        option = "All values in the the 'boundaries' option to $bucket must have the same type."
        raise CommandError(40193, f"{option} {text}")
    if not sort_key(low) < sort_key(high):
        order = f"({shown(low)} is not less than {shown(high)})."
        text = f"but elements {position} and {position + 1} are not in ascending order {order}"
        raise CommandError(40194, f"The 'boundaries' option to $bucket must be sorted, {text}")


def _default(value: Any, build: Build) -> Any:
    text = f"The $bucket 'default' field must be a constant expression, but found: {render(value)}."
    return constant_value(value, build.scope, 40195, text)


def _check_default(given: Mapping[str, Any]) -> None:
    if "default" not in given:
        return
    low, default, high = map(sort_key, (given["boundaries"][0], given["default"], given["boundaries"][-1]))
    if low <= default < high:
        text = "must be less than the lowest boundary or greater than or equal to the highest boundary."
        raise CommandError(40199, f"The $bucket 'default' field {text}")
