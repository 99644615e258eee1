"""`findAndModify`: one document changed or removed, and returned as it was or as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.arguments import ANY, BOOL, OBJECT, OBJECTS, Fields, collection_name
from atlas_rag.inprocess.deployment.commands.modify import (
    Changes,
    Selection,
    UpdateStatement,
    apply_update,
    insert_upserted,
)
from atlas_rag.inprocess.deployment.queries import execution
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.store.draft import WriteConflictError

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

_FIELDS = Fields(
    "findAndModify",
    {
        "query": OBJECT,
        "sort": OBJECT,
        "remove": BOOL,
        "update": ANY,
        "new": BOOL,
        "fields": OBJECT,
        "upsert": BOOL,
        "arrayFilters": OBJECTS,
        "let": OBJECT,
        "hint": ANY,
        "collation": OBJECT,
    },
)


def find_and_modify(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `findAndModify`."""
    arguments = _FIELDS.read(command)
    _check(arguments)
    query = arguments.get("query", {})
    name = collection_name(command, database)
    bypass = bool(command.get("bypassDocumentValidation"))
    order, variables = arguments.get("sort"), arguments.get("let")
    collation = arguments.get("collation")
    selection = Selection(deployment, database, name, query, order, variables, bypass, collation)
    selection.check_hint(arguments.get("hint"))
    project = execution.compile_projection(deployment, arguments.get("fields", {}), query)
    changes = None if arguments.get("remove") else _changes(selection, arguments)
    try:
        value, outcome = _remove(selection) if changes is None else _update(selection, changes, arguments)
        shown = None if value is None else project(value)
    except WriteConflictError:
        raise
    except CommandError as error:
        raise error.within("Plan executor error during findAndModify") from None
    return {"lastErrorObject": outcome, "value": shown, "ok": 1.0}


def _check(arguments: Mapping[str, Any]) -> None:
    if not arguments.get("remove"):
        if "update" not in arguments:
            raise CommandError(9, "Either an update or remove=true must be specified")
        return
    if "update" in arguments:
        raise CommandError(9, "Cannot specify both an update and remove=true")
    if arguments.get("upsert"):
        raise CommandError(9, "Cannot specify both upsert=true and remove=true")
    if arguments.get("new"):
        raise CommandError(
            9, "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document"
        )


def _remove(selection: Selection) -> tuple[Document | None, Document]:
    for key, document in selection.rows(first_only=True):
        selection.namespace.remove(key)
        return document, {"n": 1}
    return None, {"n": 0}


def _changes(selection: Selection, arguments: Mapping[str, Any]) -> Changes:
    execution.check_update_form(selection.deployment, arguments["update"])
    statement = UpdateStatement(
        query=selection.query,
        update=arguments["update"],
        upsert=bool(arguments.get("upsert")),
        array_filters=arguments.get("arrayFilters", ()),
        variables=selection.variables,
    )
    return statement.compile(selection.deployment)


def _update(
    selection: Selection, changes: Changes, arguments: Mapping[str, Any]
) -> tuple[Document | None, Document]:
    for key, document in selection.rows(first_only=True):
        apply_update(selection, changes, key, document)
        new = selection.namespace.rows.documents[key]
        return new if arguments.get("new") else document, {"n": 1, "updatedExisting": True}
    if not arguments.get("upsert"):
        return None, {"n": 0, "updatedExisting": False}
    document = insert_upserted(selection, changes)
    outcome = {"n": 1, "updatedExisting": False, "upserted": document["_id"]}
    return document if arguments.get("new") else None, outcome
