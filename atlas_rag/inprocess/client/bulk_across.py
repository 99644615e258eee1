"""`client.bulk_write`: writes to several collections in one command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bson import ObjectId
from pymongo.errors import ClientBulkWriteException, InvalidOperation
from pymongo.results import ClientBulkWriteResult, DeleteResult, InsertOneResult, UpdateResult

from atlas_rag.inprocess.client.errors import checked

Document = dict[str, Any]
Run = Callable[[Mapping[str, Any]], Mapping[str, Any]]

_COUNTS = ("nInserted", "nMatched", "nModified", "nDeleted", "nUpserted")


class BulkAcross:
    """Takes PyMongo's models, which call back with their namespace and what they hold."""

    def __init__(self) -> None:
        self.operations: list[Document] = []
        self._namespaces: list[str] = []

    def add(self, model: Any) -> None:
        """Takes one model. Raises TypeError for anything else, `InvalidOperation` without a namespace."""
        try:
            add_to = model._add_to_client_bulk
        except AttributeError:
            raise TypeError(f"{model!r} is not a valid request") from None
        add_to(self)

    def add_insert(self, namespace: str, document: Any) -> None:
        """`InsertOne`; `_id` is added to the caller's document, as a driver does."""
        if "_id" not in document:
            document["_id"] = ObjectId()
        self._take("insert", namespace, {"document": document})

    def add_update(
        self,
        namespace: str,
        selector: Any,
        update: Any,
        multi: bool,
        upsert: bool | None = None,
        collation: Any = None,
        array_filters: Any = None,
        hint: Any = None,
        sort: Any = None,
    ) -> None:
        """`UpdateOne` and `UpdateMany`."""
        fields = {"filter": selector, "updateMods": update, "multi": multi, "upsert": upsert, "sort": sort}
        self._take(
            "update", namespace, {**fields, **_options(collation, hint), "arrayFilters": array_filters}
        )

    def add_replace(
        self,
        namespace: str,
        selector: Any,
        replacement: Any,
        upsert: bool | None = None,
        collation: Any = None,
        hint: Any = None,
        sort: Any = None,
    ) -> None:
        """`ReplaceOne`."""
        self.add_update(namespace, selector, replacement, False, upsert, collation, None, hint, sort)

    def add_delete(
        self, namespace: str, selector: Any, multi: bool, collation: Any = None, hint: Any = None
    ) -> None:
        """`DeleteOne` and `DeleteMany`."""
        self._take("delete", namespace, {"filter": selector, "multi": multi, **_options(collation, hint)})

    def _take(self, name: str, namespace: str, fields: Document) -> None:
        if namespace not in self._namespaces:
            self._namespaces.append(namespace)
        given = {field: value for field, value in fields.items() if value is not None}
        self.operations.append({name: self._namespaces.index(namespace), **given})

    def command(self, *, ordered: bool, verbose: bool) -> Document:
        """Returns the command. Raises `InvalidOperation` when nothing was added."""
        if not self.operations:
            raise InvalidOperation("No operations to execute")
        return {
            "bulkWrite": 1,
            "ops": self.operations,
            "nsInfo": [{"ns": namespace} for namespace in self._namespaces],
            "ordered": ordered,
            "errorsOnly": not verbose,
        }

    def result(self, run: Run, reply: Mapping[str, Any], *, verbose: bool) -> ClientBulkWriteResult:
        """Returns the result of the command.

        Args:
            run: runs a command, here for the rest of the outcomes.
            reply: to the command.

        Raises:
            ClientBulkWriteException: an operation failed; its details say which.
        """
        outcomes = _outcomes(run, checked(reply)["cursor"])
        result: Document = {name: reply[name] for name in _COUNTS}
        result |= {"insertResults": {}, "updateResults": {}, "deleteResults": {}, "writeConcernErrors": []}
        result |= {"writeErrors": [], "error": None, "anySuccessful": False}
        for outcome in outcomes:
            position = outcome["idx"]
            operation = self.operations[position]
            if outcome["ok"]:
                result["anySuccessful"] = True
                _keep(result, position, operation, outcome)
            else:
                result["writeErrors"].append({**outcome, "op": operation})
        if result["writeErrors"]:
            result["anySuccessful"] |= any(result[name] for name in _COUNTS)
            raise ClientBulkWriteException(result, verbose)
        return ClientBulkWriteResult(result, True, verbose)


def _options(collation: Any, hint: Any) -> Document:
    return {"collation": collation, "hint": hint}


def _outcomes(run: Run, cursor: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    outcomes = list(cursor["firstBatch"])
    while cursor["id"]:
        cursor = run({"getMore": cursor["id"], "collection": cursor["ns"].partition(".")[2]})["cursor"]
        outcomes += cursor["nextBatch"]
    return outcomes


def _keep(result: Document, position: int, operation: Document, outcome: Mapping[str, Any]) -> None:
    name = next(iter(operation))
    if name == "insert":
        kept: Any = InsertOneResult(operation["document"]["_id"], True)
    elif name == "delete":
        kept = DeleteResult(dict(outcome), True)
    else:
        kept = UpdateResult(dict(outcome), True, in_client_bulk=True)
    result[f"{name}Results"][position] = kept
