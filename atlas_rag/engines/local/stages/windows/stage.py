"""`$setWindowFields`: fields computed from neighbouring documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from atlas_rag.engines.local.expressions.compiler import compile_expression
from atlas_rag.engines.local.expressions.fields import check_path
from atlas_rag.engines.local.expressions.scope import Constant, Evaluate
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.stages.registry import Build, Rows, Run, stage
from atlas_rag.engines.local.stages.shaping.projection import Node
from atlas_rag.engines.local.stages.sorting import Order, compile_sort
from atlas_rag.engines.local.stages.windows.bounds import WindowSort
from atlas_rag.engines.local.stages.windows.call import WindowFunction
from atlas_rag.engines.local.stages.windows.functions import compile_window_function
from atlas_rag.engines.local.values import MISSING, sort_key, type_name
from atlas_rag.engines.local.values.paths import value_at
from atlas_rag.engines.local.values.row import Row

_TYPES = {"sortBy": "object", "output": "object"}


@stage("$setWindowFields")
def set_window_fields(argument: Any, build: Build) -> Run:
    """Sorts documents into partitions, and adds to each what its window gives."""
    _check(argument)
    pattern = argument.get("sortBy")
    order = compile_sort(pattern, build.scope) if pattern else None
    partition = _partition(argument, build)
    sort = WindowSort(pattern)
    outputs: dict[str, WindowFunction] = {}
    for path, specification in argument["output"].items():
        _check_output(path, list(outputs))
        outputs[path] = compile_window_function(path, specification, sort, build.scope)
    placed = _places(outputs)
    sort_path = next(iter(pattern)).split(".") if sort.is_single and pattern else []

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        for members in _partitions(list(rows), partition, order, variables):
            values = [value_at(row.doc, sort_path) for row in members] if sort_path else [None] * len(members)
            columns = {path: give(members, values, variables) for path, give in outputs.items()}
            for position, row in enumerate(members):
                added = {path: column[position] for path, column in columns.items()}
                yield Row(placed.apply(row.doc, row, added), row.meta)

    return run


def _places(paths: Iterable[str]) -> Node:
    """Returns what puts values, given by path in place of variables, where `$addFields` would."""
    root = Node(keeps_others=True)
    for path in paths:
        root.place(path, lambda row, added, path=path: added[path])  # type: ignore[misc]
    return root.finish()


def _check(argument: Any) -> None:
    if not isinstance(argument, Mapping):
        text = f"the $setWindowFields stage specification must be an object, found {type_name(argument)}"
        raise CommandError(9, text)
    for name, value in argument.items():
        if name not in ("partitionBy", "sortBy", "output"):
            raise CommandError(40415, f"BSON field '$setWindowFields.{name}' is an unknown field.")
        is_absent = name == "sortBy" and value is None
        if name in _TYPES and not isinstance(value, Mapping) and not is_absent:
            text = f"is the wrong type '{type_name(value)}', expected type 'object'"
            raise CommandError(14, f"BSON field '$setWindowFields.{name}' {text}")
    if "output" not in argument:
        raise CommandError(40414, "BSON field '$setWindowFields.output' is missing but a required field")


def _check_output(path: str, before: list[str]) -> None:
    check_path(path)
    for other in before:
        if path == other or path.startswith(other + ".") or other.startswith(path + "."):
            text = "$setWindowFields 'output' specification contains two conflicting paths"
            raise CommandError(6307900, text)


def _partition(argument: Mapping[str, Any], build: Build) -> Evaluate | None:
    """Returns what tells partitions apart, None where there is one for all."""
    expression = compile_expression(argument.get("partitionBy"), build.scope)
    if not isinstance(expression, Constant):
        return expression
    _check_partition_key(expression.value)
    return None


def _check_partition_key(value: Any) -> Any:
    if isinstance(value, list):
        text = "An expression used to partition cannot evaluate to value of type array"
        raise CommandError(14, text)
    return None if value is MISSING else value


def _partitions(
    rows: list[Row], partition: Evaluate | None, order: Order | None, variables: Mapping[str, Any]
) -> Iterator[list[Row]]:
    ordered = order.sorted(rows) if order is not None else rows
    if partition is None:
        yield from [ordered] if ordered else []
        return
    keyed = [(sort_key(_check_partition_key(partition(row, variables))), row) for row in ordered]
    keyed.sort(key=lambda pair: pair[0])
    for _, members in groupby(keyed, key=lambda pair: pair[0]):
        yield [row for _, row in members]
