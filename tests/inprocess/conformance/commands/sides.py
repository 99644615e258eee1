"""One call on two collections, the in-process one and a real server's: what comes of it, comparable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bson
from bson import ObjectId
from pymongo.errors import PyMongoError

from atlas_rag.inprocess.client import LocalClient

Call = Callable[[Any], Any]

# What a server adds for replication and routing, and ids that it makes up.
_VOLATILE = {"$clusterTime", "operationTime", "electionId", "opTime", "errInfo", "uuid", "commitQuorum"}


@dataclass(frozen=True)
class Sides:
    """The two collections, fresh for each case."""

    local: Any
    server: Any

    def outcomes(self, documents: list[dict[str, Any]], call: Call) -> tuple[Any, Any]:
        """Returns what the call gives on each side, starting from the same documents."""
        return outcome(self.local, documents, call), outcome(self.server, documents, call)


@contextmanager
def two_sides(server_client: Any) -> Iterator[Sides]:
    """Yields an empty collection on each side; the server's is dropped afterwards."""
    server = server_client["parity"]["things"]
    server.drop()
    with LocalClient(server_version="7.0") as client:
        yield Sides(client["parity"]["things"], server)
    server.drop()


def outcome(collection: Any, documents: list[dict[str, Any]], call: Call) -> Any:
    """Returns the result or the error of a call, and the documents afterwards."""
    collection.drop()
    if documents:
        collection.insert_many([dict(document) for document in documents])
    try:
        result = plain(call(collection))
    except PyMongoError as error:
        details = getattr(error, "details", None)
        result = [type(error).__name__, getattr(error, "code", None), plain(details)]
    except (TypeError, ValueError) as error:
        result = [type(error).__name__]
    return result, plain(list(collection.find({})))


def plain(value: Any) -> Any:
    """Returns a value with results opened, types spelled out and made-up ids replaced."""
    if hasattr(value, "raw_result"):
        value = value.raw_result
    elif hasattr(value, "bulk_api_result"):
        value = value.bulk_api_result
    elif hasattr(value, "inserted_ids"):
        value = value.inserted_ids
    elif hasattr(value, "inserted_id"):
        value = value.inserted_id
    if isinstance(value, Mapping):
        return [(name, plain(inner)) for name, inner in _stable(value)]
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if isinstance(value, ObjectId):
        return "an ObjectId"
    if value is None or isinstance(value, (str, bool)):
        return value
    return (type(value).__name__, bson.encode({"": value}))


def _stable(reply: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Fields of a reply in a fixed order; those of a stored document in their own."""
    fields = [(name, value) for name, value in reply.items() if name not in _VOLATILE]
    is_reply = not reply.keys().isdisjoint(("ok", "writeErrors", "errmsg", "firstBatch"))
    return sorted(fields, key=lambda field: field[0]) if is_reply else fields
