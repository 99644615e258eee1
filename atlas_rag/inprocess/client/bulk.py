"""Bulk writes: requests gathered into as few commands as their order allows, results merged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from bson import ObjectId
from pymongo.errors import BulkWriteError, InvalidOperation

from atlas_rag.inprocess.client.errors import checked

Document = dict[str, Any]
Run = Callable[[Document], Mapping[str, Any]]


class Request(NamedTuple):
    """One write: the command it belongs to, its statement, and its place in the caller's list."""

    command: str
    statement: Document
    position: int


class Bulk:
    """Takes PyMongo's request objects, which call back with what they hold."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def add(self, request: Any) -> None:
        """Takes one request. Raises TypeError for anything else than PyMongo's request objects."""
        try:
            add_to = request._add_to_bulk
        except AttributeError:
            raise TypeError(f"{request!r} is not a valid request") from None
        add_to(self)

    def add_insert(self, document: Any) -> None:
        """`InsertOne`; `_id` is added to the caller's document, as a driver does."""
        if "_id" not in document:
            document["_id"] = ObjectId()
        self._take("insert", document)

    def add_update(
        self,
        selector: Any,
        update: Any,
        multi: bool,
        upsert: bool | None = False,
        collation: Any = None,
        array_filters: Any = None,
        hint: Any = None,
        sort: Any = None,
    ) -> None:
        """`UpdateOne` and `UpdateMany`."""
        self._take(
            "update",
            {
                "q": selector,
                "u": update,
                "multi": multi,
                "upsert": bool(upsert),
                "collation": collation,
                "arrayFilters": array_filters,
                "hint": hint,
                "sort": sort,
            },
        )

    def add_replace(
        self,
        selector: Any,
        replacement: Any,
        upsert: bool | None,
        collation: Any = None,
        hint: Any = None,
        sort: Any = None,
    ) -> None:
        """`ReplaceOne`."""
        self.add_update(selector, replacement, False, upsert, collation, None, hint, sort)

    def add_delete(self, selector: Any, limit: int, collation: Any = None, hint: Any = None) -> None:
        """`DeleteOne` and `DeleteMany`."""
        self._take("delete", {"q": selector, "limit": limit, "collation": collation, "hint": hint})

    def _take(self, command: str, statement: Document) -> None:
        if command != "insert":
            statement = {name: value for name, value in statement.items() if value is not None}
        self.requests.append(Request(command, statement, len(self.requests)))

    def execute(
        self, run: Run, collection: str, *, ordered: bool = True, options: Mapping[str, Any] | None = None
    ) -> Document:
        """Runs all requests and returns the merged result.

        Args:
            run: runs one command.
            ordered: stop at the first error.
            options: further fields of each command (`let`, `comment`).

        Raises:
            BulkWriteError: some failed; the result of all is in its details.
            InvalidOperation: there are none.
        """
        if not self.requests:
            raise InvalidOperation("No operations to execute")
        result = _empty_result()
        for name, requests in self._groups(ordered):
            command = {name: collection, _FIELD[name]: [request.statement for request in requests]}
            reply = checked(run({**command, "ordered": ordered, **(options or {})}))
            _merge(result, name, requests, reply)
            if ordered and result["writeErrors"]:
                break
        if result["writeErrors"]:
            result["writeErrors"].sort(key=lambda error: error["index"])
            raise BulkWriteError(result)
        return result

    def _groups(self, ordered: bool) -> Iterator[tuple[str, list[Request]]]:
        requests: Sequence[Request] = self.requests
        if not ordered:
            order = list(dict.fromkeys(request.command for request in requests))
            requests = sorted(requests, key=lambda request: order.index(request.command))
        for name, group in groupby(requests, key=lambda request: request.command):
            members = list(group)
            for start in range(0, len(members), _LARGEST_COMMAND):
                yield name, members[start : start + _LARGEST_COMMAND]


_FIELD = {"insert": "documents", "update": "updates", "delete": "deletes"}
_LARGEST_COMMAND = 100_000


def _empty_result() -> Document:
    counts = dict.fromkeys(("nInserted", "nUpserted", "nMatched", "nModified", "nRemoved"), 0)
    return {"writeErrors": [], "writeConcernErrors": [], **counts, "upserted": []}


def _merge(result: Document, name: str, requests: list[Request], reply: Mapping[str, Any]) -> None:
    for error in reply.get("writeErrors", ()):
        request = requests[error["index"]]
        result["writeErrors"].append({**error, "index": request.position, "op": request.statement})
    if name == "insert":
        result["nInserted"] += reply["n"]
    elif name == "delete":
        result["nRemoved"] += reply["n"]
    else:
        upserted = reply.get("upserted", ())
        result["nMatched"] += reply["n"] - len(upserted)
        result["nModified"] += reply["nModified"]
        result["nUpserted"] += len(upserted)
        for entry in upserted:
            result["upserted"].append({**entry, "index": requests[entry["index"]].position})
