"""`insert`, `update` and `delete`: statements in a row, errors gathered as the server gathers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.arguments import (
    ANY,
    ARRAY,
    FLAG,
    INTEGER,
    LARGEST_WRITE_BATCH,
    OBJECT,
    OBJECTS,
    Fields,
    collection_name,
)
from atlas_rag.inprocess.deployment.commands.modify import (
    Selection,
    UpdateStatement,
    apply_update,
    insert_upserted,
)
from atlas_rag.inprocess.deployment.databases import check_name
from atlas_rag.inprocess.deployment.queries import execution
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import check, is_interruption
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.store.draft import WriteConflictError

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]
_INSERT = Fields("insert", {"documents": ARRAY, "ordered": FLAG}, ("documents",))
_UPDATE = Fields(
    "update", {"updates": ARRAY, "ordered": FLAG, "let": OBJECT, "runtimeConstants": OBJECT}, ("updates",)
)
_DELETE = Fields("delete", {"deletes": ARRAY, "ordered": FLAG, "let": OBJECT}, ("deletes",))
_UPDATE_STATEMENT = Fields(
    "update.updates",
    {
        "q": OBJECT,
        "u": ANY,
        "c": OBJECT,
        "multi": FLAG,
        "upsert": FLAG,
        "arrayFilters": OBJECTS,
        "hint": ANY,
        "collation": OBJECT,
        "sort": OBJECT,
        "upsertSupplied": FLAG,
    },
    ("q", "u"),
    command=False,
)
_DELETE_STATEMENT = Fields(
    "delete.deletes",
    {"q": OBJECT, "limit": INTEGER, "hint": ANY, "collation": OBJECT},
    ("q", "limit"),
    command=False,
)


def insert(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `insert`."""
    arguments = _INSERT.read(command)
    documents = _statements(arguments["documents"])
    name = collection_name(command, database)
    check_name(database, name)
    reply: Document = {"n": 0}

    def one(_: int, document: Any) -> None:
        namespace = deployment.collection(database, name)
        if not command.get("bypassDocumentValidation"):
            namespace.validator.check(document)
        namespace.insert(document)
        reply["n"] += 1

    return _run(documents, one, reply, ordered=arguments.get("ordered", True))


def update(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `update`."""
    arguments = _UPDATE.read(command)
    statements = [_UPDATE_STATEMENT.read(part) for part in _statements(arguments["updates"])]
    for given in statements:
        execution.check_update_form(deployment, given["u"])
    name = collection_name(command, database)
    bypass = bool(command.get("bypassDocumentValidation"))
    reply: Document = {"n": 0, "upserted": [], "writeErrors": [], "nModified": 0}

    def one(position: int, given: Document) -> None:
        statement = _update_statement(given, arguments.get("let"))
        selection = Selection(
            deployment,
            database,
            name,
            statement.query,
            given.get("sort"),
            statement.variables,
            bypass,
            given.get("collation"),
        )
        selection.check_hint(given.get("hint"))
        changes = statement.compile(deployment)
        if "c" in given and not isinstance(given["u"], list):
            raise CommandError(51198, "Constant values may only be specified for pipeline updates")
        changed = [  # a statement that fails on its way counts nothing
            apply_update(selection, changes, key, document)
            for key, document in selection.rows(first_only=not statement.multi)
        ]
        reply["n"] += len(changed)
        reply["nModified"] += sum(changed)
        if not selection.found and statement.upsert:
            document = insert_upserted(selection, changes)
            reply["upserted"].append({"index": position, "_id": document["_id"]})
            reply["n"] += 1

    _run(statements, one, reply, ordered=arguments.get("ordered", True))
    return {name: value for name, value in reply.items() if value != []}


def _update_statement(given: Mapping[str, Any], variables: Mapping[str, Any] | None) -> UpdateStatement:
    return UpdateStatement(
        query=given["q"],
        update=given["u"],
        multi=bool(given.get("multi")),
        upsert=bool(given.get("upsert")),
        array_filters=given.get("arrayFilters", ()),
        variables={**(variables or {}), **given.get("c", {})},
    )


def delete(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `delete`."""
    arguments = _DELETE.read(command)
    statements = [_DELETE_STATEMENT.read(part) for part in _statements(arguments["deletes"])]
    for statement in statements:
        if statement["limit"] not in (0, 1):
            text = f"The limit field in delete objects must be 0 or 1. Got {statement['limit']}"
            raise CommandError(9, text)
    name = collection_name(command, database)
    reply: Document = {"n": 0}

    def one(_: int, given: Document) -> None:
        selection = Selection(
            deployment,
            database,
            name,
            given["q"],
            variables=arguments.get("let"),
            collation=given.get("collation"),
        )
        selection.check_hint(given.get("hint"))
        for key, _document in selection.rows(first_only=given["limit"] == 1):
            selection.namespace.remove(key)
            reply["n"] += 1

    return _run(statements, one, reply, ordered=arguments.get("ordered", True))


def _statements(given: Sequence[Any]) -> Sequence[Any]:
    if not 1 <= len(given) <= LARGEST_WRITE_BATCH:
        text = f"Write batch sizes must be between 1 and {LARGEST_WRITE_BATCH}. Got {len(given)} operations."
        raise CommandError(16, text)
    for position, part in enumerate(given):
        if not isinstance(part, Mapping):
            raise CommandError(
                14,
                f"BSON field '{position}' is the wrong type '{type_name(part)}', expected type 'object'",
            )
    return given


def _run(
    statements: Sequence[Any], one: Callable[[int, Any], None], reply: Document, *, ordered: bool
) -> Document:
    """Runs statements in order; the first error ends an ordered run. Errors go into the reply."""
    errors = list(_errors(statements, one, ordered=ordered))
    if errors:
        reply["writeErrors"] = errors
    reply["ok"] = 1.0
    return reply


def _errors(
    statements: Sequence[Any], one: Callable[[int, Any], None], *, ordered: bool
) -> Iterator[Document]:
    for position, statement in enumerate(statements):
        try:
            check()
            one(position, statement)
        except WriteConflictError:
            raise  # it ends the transaction, and so the command
        except CommandError as error:
            if is_interruption(error):
                raise
            yield {
                "index": position,
                "code": error.code,
                "errmsg": error.message,
                **error.details,
            }
            if ordered:
                return
