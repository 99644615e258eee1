"""`$group` and the stages made of it: `$sortByCount`, `$bucket`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from atlas_rag.engines.local.expressions.compiler import compile_expression
from atlas_rag.engines.local.expressions.folding import parsing_constant
from atlas_rag.engines.local.expressions.scope import Constant, Evaluate, Variables
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render
from atlas_rag.engines.local.stages.grouping.accumulator_parser import Accumulator, compile_accumulator
from atlas_rag.engines.local.stages.grouping.accumulators import State
from atlas_rag.engines.local.stages.registry import Build, Rows, Run, stage
from atlas_rag.engines.local.values import MISSING, sort_key, type_name
from atlas_rag.engines.local.values.order import Key
from atlas_rag.engines.local.values.row import Row
from atlas_rag.engines.local.values.shown import shown


@stage("$group")
def group(argument: Any, build: Build) -> Run:
    """One document per distinct `_id`, in the order of first appearance."""
    if not isinstance(argument, Mapping):
        raise CommandError(15947, "a group's fields must be specified in an object")
    build.add_metadata("sortKey")  # not asked after inside a group
    outputs: dict[str, Accumulator] = {}
    key: Evaluate | None = None
    for name, value in argument.items():
        if name == "_id":
            key = _group_key(value, build)
        else:
            outputs[name] = compile_accumulator(name, value, build.scope)
    if key is None:
        raise CommandError(15955, "a group specification must include an _id")
    build.forget_metadata()
    return _grouping(key, outputs)


def _group_key(value: Any, build: Build) -> Evaluate:
    if isinstance(value, Mapping) and any("." in name for name in value):
        raise CommandError(17390, "$group does not support inclusion-style expressions")
    return compile_expression(value, build.scope)


def _grouping(key: Evaluate, outputs: Mapping[str, Accumulator]) -> Run:
    inputs = [accumulator.input for accumulator in outputs.values()]

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        groups: dict[Key, tuple[Any, list[State]]] = {}
        for row in rows:
            identity = key(row, variables)
            identity = None if identity is MISSING else identity
            found = groups.get(sort_key(identity))
            if found is None:
                found = identity, _started(outputs, identity, variables)
                groups[sort_key(identity)] = found
            for state, value in zip(found[1], inputs, strict=True):
                state.add(value(row, variables))
        for identity, states in groups.values():
            results = (state.result() for state in states)
            yield Row({"_id": identity, **dict(zip(outputs, results, strict=True))})

    return run


def _started(outputs: Mapping[str, Accumulator], identity: Any, variables: Variables) -> list[State]:
    row = Row(identity if isinstance(identity, Mapping) else {})
    return [accumulator.start(row, variables) for accumulator in outputs.values()]


@stage("$sortByCount")
def sort_by_count(argument: Any, build: Build) -> Run:
    """Groups by a value, the largest group first."""
    if isinstance(argument, Mapping):
        if not next(iter(argument), "").startswith("$"):
            raise CommandError(40147, _COUNTED_FIELD)
    elif not isinstance(argument, str):
        raise CommandError(40149, "the sortByCount field must be specified as a string or as an object")
    elif not argument.startswith("$"):
        raise CommandError(40148, _COUNTED_FIELD)
    grouping = group({"_id": argument, "count": {"$sum": 1}}, build)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        yield from sorted(grouping(rows, variables), key=lambda row: row.doc["count"], reverse=True)

    return run


_COUNTED_FIELD = (
    "the sortByCount field must be defined as a $-prefixed path or an expression inside an object"
)
_ONE_PER_ROW: Mapping[str, Any] = {"count": {"$sum": 1}}


@stage("$bucket")
def bucket(argument: Any, build: Build) -> Run:
    """Groups by intervals between given boundaries."""
    _check_bucket(argument)
    value = compile_expression(argument["groupBy"], build.scope)
    boundaries = _boundaries(argument["boundaries"], build)
    default = _default(argument, boundaries, build)
    outputs = {
        name: compile_accumulator(name, accumulator, build.scope)
        for name, accumulator in argument.get("output", _ONE_PER_ROW).items()
    }
    build.forget_metadata()
    keys = [sort_key(boundary) for boundary in boundaries]

    def lower_bound(row: Row, variables: Variables) -> Any:
        found = sort_key(value(row, variables))
        for (low, high), boundary in zip(pairwise(keys), boundaries, strict=False):
            if low <= found < high:
                return boundary
        if default is MISSING:
            text = "$switch could not find a matching branch for an input, and no default was specified."
            raise CommandError(4934200, text)
        return default

    grouping = _grouping(lower_bound, outputs)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        yield from sorted(grouping(rows, variables), key=lambda row: sort_key(row.doc["_id"]))

    return run


_BUCKET_OPTIONS = ("groupBy", "boundaries", "default", "output")


def _check_bucket(argument: Any) -> None:
    if not isinstance(argument, Mapping):
        text = f"Argument to $bucket stage must be an object, but found type: {type_name(argument)}."
        raise CommandError(40201, text)
    for name, value in argument.items():
        if name not in _BUCKET_OPTIONS:
            raise CommandError(40197, f"Unrecognized option to $bucket: {name}.")
        kind = type_name(value)
        if name == "groupBy" and not is_path_or_expression(value):
            text = f"must be defined as a $-prefixed path or an expression, but found: {render(value)}."
            raise CommandError(40202, f"The $bucket 'groupBy' field {text}")
        if name == "boundaries" and not isinstance(value, list):
            text = f"The $bucket 'boundaries' field must be an array, but found type: {kind}."
            raise CommandError(40200, text)
        if name == "output" and not isinstance(value, Mapping):
            text = f"The $bucket 'output' field must be an object, but found type: {kind}."
            raise CommandError(40196, text)
    if "groupBy" not in argument or "boundaries" not in argument:
        raise CommandError(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.")


def is_path_or_expression(value: Any) -> bool:
    """True for `"$path"` and `{$operator: …}`."""
    first = next(iter(value), "") if isinstance(value, Mapping) else value
    return isinstance(first, str) and first.startswith("$")


def _boundaries(items: list[Any], build: Build) -> list[Any]:
    boundaries = []
    for item in items:
        with parsing_constant():
            compiled = compile_expression(item, build.scope)
        if not isinstance(compiled, Constant):
            text = f"must be an array of constant values, but found value: {render(item)}."
            raise CommandError(40191, f"The $bucket 'boundaries' field {text}")
        boundaries.append(compiled.value)
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


def _default(argument: Mapping[str, Any], boundaries: list[Any], build: Build) -> Any:
    if "default" not in argument:
        return MISSING
    with parsing_constant():
        compiled = compile_expression(argument["default"], build.scope)
    if not isinstance(compiled, Constant):
        text = f"must be a constant expression, but found: {render(argument['default'])}."
        raise CommandError(40195, f"The $bucket 'default' field {text}")
    if sort_key(boundaries[0]) <= sort_key(compiled.value) < sort_key(boundaries[-1]):
        text = "must be less than the lowest boundary or greater than or equal to the highest boundary."
        raise CommandError(40199, f"The $bucket 'default' field {text}")
    return compiled.value
