"""`find`, `aggregate`, `count`, `distinct`, and the cursors that carry their results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bson import DBRef

from atlas_rag.inprocess.deployment.arguments import (
    ANY,
    ARRAY,
    BOOL,
    INTEGER,
    OBJECT,
    STRING,
    Fields,
    batch_size,
    collection_name,
    not_negative,
)
from atlas_rag.inprocess.deployment.commands.explain import explain_aggregate
from atlas_rag.inprocess.deployment.queries import execution
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import MISSING, sort_key, type_name

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

FIND = Fields(
    "FindCommandRequest",
    {
        "filter": OBJECT,
        "sort": OBJECT,
        "projection": OBJECT,
        "hint": ANY,
        "skip": INTEGER,
        "limit": INTEGER,
        "batchSize": INTEGER,
        "singleBatch": BOOL,
        "let": OBJECT,
        "collation": OBJECT,
        "allowDiskUse": BOOL,
        "noCursorTimeout": BOOL,
        "allowPartialResults": BOOL,
    },
)
AGGREGATE = Fields(
    "aggregate",
    {
        "pipeline": ARRAY,
        "cursor": OBJECT,
        "let": OBJECT,
        "hint": ANY,
        "collation": OBJECT,
        "allowDiskUse": BOOL,
        "explain": BOOL,
    },
    ("pipeline",),
)
_COUNT = Fields(
    "count",
    {"query": OBJECT, "limit": INTEGER, "skip": INTEGER, "hint": ANY, "collation": OBJECT},
)
_DISTINCT = Fields("distinct", {"key": STRING, "query": OBJECT, "hint": ANY, "collation": OBJECT}, ("key",))
_GET_MORE = Fields("getMore", {"collection": STRING, "batchSize": INTEGER}, ("collection",))
_KILL = Fields("killCursors", {"cursors": ARRAY}, ("cursors",))

# Options that would stream for ever or return something else than documents.
_REFUSED_FIND = ("tailable", "awaitData", "returnKey", "showRecordId", "min", "max", "readOnce")


def find(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `find`."""
    for option in _REFUSED_FIND:
        if command.get(option):
            raise CommandError(115, f"find: {option} is not supported by the in-process engine")
    arguments = _with_time_limit(
        FIND.read({k: v for k, v in command.items() if k not in _REFUSED_FIND}), command
    )
    not_negative(arguments, "skip", "limit", "batchSize")
    name = collection_name(command, database)
    documents = execution.find(deployment, database, name, arguments)
    return deployment.cursors.reply(
        f"{database}.{name}",
        documents,
        batch_size=arguments.get("batchSize"),
        single_batch=bool(arguments.get("singleBatch")),
        complete=0 < arguments.get("limit", 0) <= len(documents),
    )


def aggregate(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `aggregate`, on a collection or, with `aggregate: 1`, on the database."""
    if "pipeline" in command and not isinstance(command["pipeline"], list):
        raise CommandError(14, "'pipeline' option must be specified as an array")
    arguments = _with_time_limit(AGGREGATE.read(command), command)
    if arguments.get("explain"):
        return explain_aggregate(deployment, database, _target(command, database), arguments)
    if "cursor" not in arguments:
        raise CommandError(
            9, "The 'cursor' option is required, except for aggregate with the explain argument"
        )
    arguments["bypassDocumentValidation"] = command.get("bypassDocumentValidation")
    size = batch_size(arguments)
    _check_first_stage(command, arguments["pipeline"])
    name = _target(command, database)
    documents = execution.aggregate(deployment, database, name, arguments)
    return deployment.cursors.reply(f"{database}.{name or '$cmd.aggregate'}", documents, batch_size=size)


def ends_in_a_write(command: Mapping[str, Any]) -> bool:
    """Whether a command is an aggregation that ends in `$out` or `$merge`."""
    pipeline = command.get("pipeline") if "aggregate" in command else None
    last = pipeline[-1] if isinstance(pipeline, list) and pipeline else None
    return isinstance(last, Mapping) and not {"$out", "$merge"}.isdisjoint(last)


def _with_time_limit(arguments: Document, command: Mapping[str, Any]) -> Document:
    """Adds `maxTimeMS`, which 0 leaves open. Raises 2 for a bad one."""
    limit = command.get("maxTimeMS", 0)
    if not isinstance(limit, (int, float)) or isinstance(limit, bool):
        raise CommandError(2, "maxTimeMS must be a number")
    if limit < 0 or limit >= 1 << 31:
        raise CommandError(2, f"{limit} value for maxTimeMS is out of range")
    return {**arguments, "maxTimeMS": limit}


def _target(command: Mapping[str, Any], database: str) -> str | None:
    """Returns the collection, or None for `aggregate: 1`."""
    return None if command["aggregate"] == 1 else collection_name(command, database)


def _check_first_stage(command: Mapping[str, Any], pipeline: list[Any]) -> None:
    """Refuses search stages with a read concern that they cannot meet (72)."""
    first = next(iter(pipeline[0]), "") if pipeline and isinstance(pipeline[0], Mapping) else ""
    level = (command.get("readConcern") or {}).get("level", "local")
    if level not in ("local", "available") and first in ("$search", "$searchMeta", "$vectorSearch"):
        text = f"Aggregation stage {first} cannot run with a readConcern other than 'local'"
        raise CommandError(72, text)


def count(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `count`; a negative limit means its absolute value."""
    arguments = _with_time_limit(_COUNT.read({k: v for k, v in command.items() if k != "fields"}), command)
    not_negative(arguments, "skip")
    query = _as_find(arguments) | {"limit": abs(arguments.get("limit", 0))}
    found = execution.find(deployment, database, collection_name(command, database), query)
    return {"n": len(found), "ok": 1.0}


_SHARED = ("skip", "hint", "maxTimeMS", "collation")


def _as_find(arguments: Document) -> Document:
    """Returns the arguments of `count` or `distinct` as those of a `find` for the same documents."""
    find: Document = {name: arguments[name] for name in _SHARED if name in arguments}
    return {"filter": arguments.get("query", {}), **find}


def distinct(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `distinct`: values in BSON order, arrays taken apart once."""
    arguments = _with_time_limit(_DISTINCT.read(command), command)
    name = collection_name(command, database)
    documents = execution.find(deployment, database, name, _as_find(arguments))
    values: dict[Any, Any] = {}
    collation = arguments.get("collation")
    path = arguments["key"].split(".")
    for document in documents:
        for value in _values_at(document, path):
            values.setdefault(sort_key(collation.folded(value) if collation else value), value)
    return {"values": [values[key] for key in sorted(values)], "ok": 1.0}


def _values_at(value: Any, path: list[str]) -> list[Any]:
    """Returns the values that a path reaches, with arrays on the way and at the end taken apart."""
    if not path:
        return value if isinstance(value, list) else [value]
    if isinstance(value, DBRef):
        value = value.as_doc()
    if isinstance(value, Mapping):
        below = value.get(path[0], MISSING)
        return [] if below is MISSING else _values_at(below, path[1:])
    if isinstance(value, list):
        if path[0].isdigit():
            position = int(path[0])
            return _values_at(value[position], path[1:]) if position < len(value) else []
        return [
            found for item in value if isinstance(item, (Mapping, DBRef)) for found in _values_at(item, path)
        ]
    return []


def get_more(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `getMore`."""
    arguments = _GET_MORE.read(command)
    not_negative(arguments, "batchSize")
    identifier = command["getMore"]
    if not isinstance(identifier, int) or isinstance(identifier, bool):
        raise CommandError(
            14,
            f"BSON field 'getMore.getMore' is the wrong type '{type_name(identifier)}', expected type 'long'",
        )
    namespace = f"{database}.{arguments['collection']}"
    return deployment.cursors.more(identifier, namespace, arguments.get("batchSize"))


def kill_cursors(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `killCursors`."""
    identifiers = _KILL.read(command)["cursors"]
    for position, identifier in enumerate(identifiers):
        if type_name(identifier) not in ("int", "long"):
            raise CommandError(
                14,
                f"BSON field 'killCursors.cursors.{position}' is the wrong type '{type_name(identifier)}', "
                "expected type 'long'",
            )
    return deployment.cursors.kill(identifiers)
