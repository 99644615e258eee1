"""`$group`, and `$sortByCount` made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Variables
from atlas_rag.inprocess.mql.stages.grouping.accumulator_parser import Accumulator, compile_accumulator
from atlas_rag.inprocess.mql.stages.grouping.accumulators import State
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.values import MISSING, sort_key
from atlas_rag.inprocess.mql.values.order import Key
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import is_number


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
    return grouping(key, outputs)


def _group_key(value: Any, build: Build) -> Evaluate:
    """Returns what groups have in common; a document of one field has null where the field is missing."""
    if isinstance(value, Mapping) and not next(iter(value), "$").startswith("$"):
        if any(isinstance(item, bool) or is_number(item) for item in value.values()):
            raise CommandError(17390, "$group does not support inclusion-style expressions")
        if len(value) == 1:
            value = {name: {"$ifNull": [item, None]} for name, item in value.items()}
    return compile_expression(value, build.scope)


def grouping(key: Evaluate, outputs: Mapping[str, Accumulator]) -> Run:
    """Returns the stage that gives one document per key, in the order in which these first appear."""
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
    groups = group({"_id": argument, "count": {"$sum": 1}}, build)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        yield from sorted(groups(rows, variables), key=lambda row: row.doc["count"], reverse=True)

    return run


_COUNTED_FIELD = (
    "the sortByCount field must be defined as a $-prefixed path or an expression inside an object"
)
