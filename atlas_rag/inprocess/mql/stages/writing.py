"""Stages that write what reaches them: `$out`, `$merge`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bson import ObjectId

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Variables
from atlas_rag.inprocess.mql.stages.context import Target
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.stages.shaping.unwind import plain_value
from atlas_rag.inprocess.mql.stages.update_pipeline import UpdateFunction, compile_update
from atlas_rag.inprocess.mql.values import MISSING, Document, equal, type_name
from atlas_rag.inprocess.mql.values.row import Row

_WRITES: dict[str, Any] = {"is_last": True, "in_facet": False, "in_lookup": None, "in_union": False}
_MODES = ("replace", "merge", "keepExisting", "fail")
_UNMATCHED = ("insert", "discard", "fail")


def _with_id(document: Document) -> Document:
    return document if "_id" in document else {"_id": ObjectId(), **document}


@stage("$out", **_WRITES)
def out(argument: Any, build: Build) -> Run:
    """Puts the documents in the place of a whole collection."""
    name, database = _out_target(argument)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        documents = [_with_id(row.doc) for row in rows]
        build.context.database.replace_collection(name, documents, database)
        yield from ()

    return run


def _out_target(argument: Any) -> tuple[str, str | None]:
    if isinstance(argument, str):
        if not argument:
            raise CommandError(73, "Invalid $out target namespace, ")
        return argument, None
    if not isinstance(argument, Mapping):
        text = f"$out only supports a string or object argument, but found {type_name(argument)}"
        raise CommandError(16990, text)
    if set(argument) != {"db", "coll"}:
        text = "If an object is passed to $out it must have exactly 2 fields: 'db' and 'coll'"
        raise CommandError(16994, text)
    return argument["coll"], argument["db"]


class _Merge(NamedTuple):
    """The parts of a `$merge`, checked."""

    name: str
    database: str | None
    on: tuple[str, ...]
    matched: str | UpdateFunction
    unmatched: str
    bindings: Mapping[str, Evaluate]


@stage("$merge", **_WRITES)
def merge(argument: Any, build: Build) -> Run:
    """Writes each document into a collection: over the one with the same `on` fields, or as a new one."""
    plan = _plan({"into": argument} if isinstance(argument, str) else argument, build)
    target = build.context.database.target(plan.name, plan.database)
    if not any(key == frozenset(plan.on) for key in target.unique_keys()):
        raise CommandError(51183, "Cannot find index to verify that join fields will be unique")

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        for row in list(rows):
            bound = {name: value(row, variables) for name, value in plan.bindings.items()}
            _write(plan, target, _with_id(row.doc), bound)
        yield from ()

    return run


def _write(plan: _Merge, target: Target, document: Document, bound: Variables) -> None:
    existing = target.find_one({path: _on_value(document, path) for path in plan.on})
    if existing is None:
        _write_unmatched(plan, target, document)
    elif plan.matched == "fail":
        text = "found an existing document with the same values for the 'on' fields"
        duplicate = f"E11000 duplicate key error collection: {plan.name}"
        raise CommandError(11000, f"$merge with whenMatched: fail {text} :: caused by :: {duplicate}")
    elif plan.matched != "keepExisting":
        _replace(plan, target, existing, document, bound)


def _write_unmatched(plan: _Merge, target: Target, document: Document) -> None:
    if plan.unmatched == "insert":
        target.insert(document)
    elif plan.unmatched == "fail":
        text = "could not find a matching document in the target collection"
        raise CommandError(13113, f"$merge {text} for at least one document in the source collection")


def _replace(plan: _Merge, target: Target, existing: Document, document: Document, bound: Variables) -> None:
    if isinstance(plan.matched, str):
        # The document keeps the `_id` it has in the target unless the new one sets it.
        merged = {**existing, **document} if plan.matched == "merge" else document
        if "_id" not in plan.on:
            merged = {**merged, "_id": existing["_id"]}
    else:
        merged = plan.matched(existing, {"new": document, **bound})
    if not equal(merged.get("_id", MISSING), existing["_id"]):
        text = "failed to update the matching document, did you attempt to modify the _id or the shard key?"
        raise CommandError(66, f"$merge {text}")
    target.replace(merged)


def _on_value(document: Document, path: str) -> Any:
    value = plain_value(document, path.split("."))
    if isinstance(value, list):
        raise CommandError(51185, f"$merge write error: 'on' field '{path}' is an array")
    if value is None or value is MISSING:
        text = f"'on' field '{path}' cannot be missing, null, undefined or an array"
        raise CommandError(51132, f"$merge write error: {text}")
    return value


def _plan(argument: Any, build: Build) -> _Merge:
    if not isinstance(argument, Mapping):
        text = f"$merge requires a string or object argument, but found {type_name(argument)}"
        raise CommandError(14, text)
    for name in argument:
        if name not in ("into", "on", "let", "whenMatched", "whenNotMatched"):
            raise CommandError(40415, f"BSON field '$merge.{name}' is an unknown field.")
    if "into" not in argument:
        raise CommandError(40414, "BSON field '$merge.into' is missing but a required field")
    name, database = _into(argument["into"])
    unmatched = argument.get("whenNotMatched", "insert")
    if unmatched not in _UNMATCHED:
        text = f"Enumeration value '{unmatched}' for field '$merge.whenNotMatched' is not a valid value."
        raise CommandError(2, text)
    bindings = {key: compile_expression(value, build.scope) for key, value in argument.get("let", {}).items()}
    matched = _matched(argument.get("whenMatched", "merge"), build, frozenset(bindings))
    if bindings and isinstance(matched, str):
        raise CommandError(51199, f"Cannot use 'let' variables with 'whenMatched: {matched}' mode")
    return _Merge(name, database, _on(argument), matched, unmatched, bindings)


def _into(argument: Any) -> tuple[str, str | None]:
    if isinstance(argument, str):
        if not argument:
            raise CommandError(5786800, "$merge 'into' field cannot be an empty string")
        return argument, None
    if not isinstance(argument, Mapping):
        text = f"must be either a string or an object, but found {type_name(argument)}"
        raise CommandError(51178, f"$merge 'into' field  {text}")
    if not argument.get("coll"):
        text = "must specify a 'coll' that is not empty, null or undefined"
        raise CommandError(5786801, f"$merge 'into' field {text}")
    return argument["coll"], argument.get("db")


def _matched(argument: Any, build: Build, bound: frozenset[str]) -> str | UpdateFunction:
    if isinstance(argument, list):
        return compile_update(argument, build.context, bound | {"new"})
    if not isinstance(argument, str):
        text = f"must be either a string or an array, but found {type_name(argument)}"
        raise CommandError(51191, f"$merge 'whenMatched' field  {text}")
    if argument not in _MODES:
        text = f"Enumeration value '{argument}' for field 'whenMatched' is not a valid value."
        raise CommandError(2, text)
    return argument


def _on(argument: Mapping[str, Any]) -> tuple[str, ...]:
    fields = argument.get("on", "_id")
    if isinstance(fields, str):
        return (fields,)
    if not isinstance(fields, list):
        text = f"must be either a string or an array of strings, but found {type_name(fields)}"
        raise CommandError(51186, f"$merge 'on' field  {text}")
    if not fields:
        text = "If explicitly specifying $merge 'on', must include at least one field"
        raise CommandError(51187, text)
    for position, field in enumerate(fields):
        if not isinstance(field, str):
            text = f"must be either a string or an array of strings, but found {type_name(field)}"
            raise CommandError(51134, f"$merge 'on' array elements {text}")
        if field in fields[:position]:
            raise CommandError(31465, f"Found a duplicate field '{field}'")
    return tuple(fields)
