"""`$setWindowFields`: fields computed from neighbouring documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.fields import check_path
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.stages.shaping.projection import Node
from atlas_rag.inprocess.mql.stages.sorting import Order, compile_sort
from atlas_rag.inprocess.mql.stages.structs import Struct
from atlas_rag.inprocess.mql.stages.windows.bounds import WindowSort
from atlas_rag.inprocess.mql.stages.windows.call import WindowFunction
from atlas_rag.inprocess.mql.stages.windows.functions import compile_window_function
from atlas_rag.inprocess.mql.values import MISSING, sort_key, type_name
from atlas_rag.inprocess.mql.values.paths import overlap, value_at
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.sorting import sorted_in_runs

_STRUCT = Struct({"partitionBy": "any", "sortBy": "object", "output": "object"}, ("output",))


@stage("$setWindowFields")
def set_window_fields(argument: Any, build: Build) -> Run:
    """Sorts documents into partitions, and adds to each what its window gives."""
    if not isinstance(argument, Mapping):
        text = f"the $setWindowFields stage specification must be an object, found {type_name(argument)}"
        raise CommandError(9, text)
    given = _STRUCT.read("$setWindowFields", argument)
    partition: Evaluate | None = compile_expression(given.get("partitionBy"), build.scope)
    pattern = given.get("sortBy")
    order = compile_sort(pattern, build.scope) if pattern else None
    sort = WindowSort(pattern)
    outputs: dict[str, WindowFunction] = {}
    for path, specification in given["output"].items():
        _check_conflicts(path, list(outputs))
        outputs[path] = compile_window_function(path, specification, sort, build.scope)
    if isinstance(partition, Constant):
        _check_partition_key(partition.value)
        partition = None
    for path in outputs:
        check_path(path)
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


def _check_conflicts(path: str, before: list[str]) -> None:
    for other in before:
        if overlap(path, other):
            text = "$setWindowFields 'output' specification contains two conflicting paths"
            raise CommandError(6307900, text)


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
    keyed = sorted_in_runs(keyed, lambda pair: pair[0])
    for _, members in groupby(keyed, key=lambda pair: pair[0]):
        yield [row for _, row in members]
