"""`bulkWrite`: inserts, updates and deletes of several collections in one command (release 8.0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bson import Int64

from atlas_rag.inprocess.deployment.arguments import (
    ANY,
    BOOL,
    FLAG,
    INTEGER,
    LARGEST_WRITE_BATCH,
    OBJECT,
    OBJECTS,
    STRING,
    Fields,
    batch_size,
)
from atlas_rag.inprocess.deployment.commands import writes
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import type_name

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

_COMMAND = Fields(
    "bulkWrite",
    {
        "ops": OBJECTS,
        "nsInfo": OBJECTS,
        "ordered": BOOL,
        "errorsOnly": BOOL,
        "let": OBJECT,
        "cursor": OBJECT,
    },
    ("ops", "nsInfo"),
)
_NAMESPACE = Fields("bulkWrite.nsInfo", {"ns": STRING}, ("ns",), command=False)
_OPERATIONS = {
    "insert": Fields("insert", {"insert": INTEGER, "document": OBJECT}, ("document",), command=False),
    "update": Fields(
        "update",
        {
            "update": INTEGER,
            "filter": OBJECT,
            "updateMods": ANY,
            "multi": FLAG,
            "upsert": FLAG,
            "arrayFilters": OBJECTS,
            "constants": OBJECT,
            "hint": ANY,
            "collation": OBJECT,
            "sort": OBJECT,
        },
        ("filter", "updateMods"),
        command=False,
    ),
    "delete": Fields(
        "delete",
        {"delete": INTEGER, "filter": OBJECT, "multi": FLAG, "hint": ANY, "collation": OBJECT},
        ("filter",),
        command=False,
    ),
}
_COUNTS = ("nInserted", "nMatched", "nModified", "nDeleted", "nUpserted")


def bulk_write(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `bulkWrite`; each operation is the write command of its own that says the same."""
    if deployment.release.version < (8, 0):
        raise CommandError(59, "no such command: 'bulkWrite'")
    if database != "admin":
        raise CommandError(13, "bulkWrite may only be run against the admin database.")
    arguments = _COMMAND.read(command)
    operations = arguments["ops"]
    if not 1 <= len(operations) <= LARGEST_WRITE_BATCH:
        allowed = f"between 1 and {LARGEST_WRITE_BATCH}"
        raise CommandError(16, f"Write batch sizes must be {allowed}. Got {len(operations)} operations.")
    size = batch_size(arguments)
    commands = [_as_command(operation, arguments) for operation in operations]
    totals, outcomes, errors = dict.fromkeys(_COUNTS, 0), [], 0
    for position, (target, statement) in enumerate(commands):
        outcome = _outcome(deployment, target, statement, totals)
        errors += not outcome["ok"]
        if not (arguments.get("errorsOnly") and outcome["ok"]):
            outcomes.append({"ok": outcome.pop("ok"), "idx": position, **outcome})
        if errors and arguments.get("ordered", True):
            break
    reply = deployment.cursors.reply("admin.$cmd.bulkWrite", outcomes, batch_size=size, complete=True)
    return {"cursor": reply["cursor"], "nErrors": errors, **totals, "ok": 1.0}


def _as_command(operation: Mapping[str, Any], arguments: Mapping[str, Any]) -> tuple[str, Document]:
    """Returns the database and the write command of one operation. Raises 2 for a bad namespace."""
    name = next(iter(operation), "")
    if name not in _OPERATIONS:
        raise CommandError(9, f"BulkWrite ops should have one of insert, update and delete, not '{name}'")
    given = _OPERATIONS[name].read(operation)
    given |= {key: operation[key] for key in ("collation",) if key in given}  # read again by the command
    position, namespaces = given[name], arguments["nsInfo"]
    if not 0 <= position < len(namespaces):
        text = f"BulkWrite ops entry {type_name(operation)} has an invalid nsInfo index {position}."
        raise CommandError(2, text)
    database, _, collection = _NAMESPACE.read(namespaces[position])["ns"].partition(".")
    if not database or not collection:
        raise CommandError(73, f"Invalid namespace specified '{database}.{collection}'")
    shared = {key: arguments[key] for key in ("let",) if key in arguments and name != "insert"}
    return database, {name: collection, **_STATEMENTS[name](given), **shared}


def _insert(given: Mapping[str, Any]) -> Document:
    return {"documents": [given["document"]]}


def _update(given: Mapping[str, Any]) -> Document:
    same = ("multi", "upsert", "arrayFilters", "hint", "collation", "sort")
    statement = {"q": given["filter"], "u": given["updateMods"]}
    statement |= {key: given[key] for key in same if key in given}
    return {"updates": [statement | ({"c": given["constants"]} if "constants" in given else {})]}


def _delete(given: Mapping[str, Any]) -> Document:
    statement = {"q": given["filter"], "limit": 0 if given.get("multi") else 1}
    return {"deletes": [statement | {key: given[key] for key in ("hint", "collation") if key in given}]}


_STATEMENTS = {"insert": _insert, "update": _update, "delete": _delete}
_RUN = {"insert": writes.insert, "update": writes.update, "delete": writes.delete}


def _outcome(deployment: Deployment, database: str, command: Document, totals: dict[str, int]) -> Document:
    """Runs one operation, adds to the totals and returns what the reply's cursor says of it."""
    name = next(iter(command))
    try:
        reply = _RUN[name](deployment, database, command)
    except CommandError as error:
        return {"ok": 0.0, "code": error.code, "errmsg": error.message, **error.details, "n": 0}
    if "writeErrors" in reply:
        failed = {key: value for key, value in reply["writeErrors"][0].items() if key != "index"}
        return {"ok": 0.0, **failed, "n": 0, **({"nModified": 0} if name == "update" else {})}
    upserted = reply.get("upserted", ())
    if name == "update":
        totals["nMatched"] += reply["n"] - len(upserted)
        totals["nModified"] += reply["nModified"]
        totals["nUpserted"] += len(upserted)
        extra = {"upserted": {"_id": upserted[0]["_id"]}} if upserted else {}
        return {"ok": 1.0, "n": reply["n"], "nModified": reply["nModified"], **extra}
    totals["nInserted" if name == "insert" else "nDeleted"] += reply["n"]
    return {"ok": 1.0, "n": Int64(reply["n"]) if name == "delete" else reply["n"]}
