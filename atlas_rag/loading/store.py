"""What loading asks of the collection: which content is there, and bulk upserts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atlas_rag.errors import Code, ServerError
from atlas_rag.wire import Command, Flow, Pause, Reply

PASSING = frozenset({Code.CONNECTION_LOST, Code.SERVER_UNREACHABLE, Code.SERVER_TIMEOUT, Code.OVERLOADED})
NO_PRIMARY = frozenset({91, 189, 10107, 11600, 11602, 13435, 13436})
"""Server codes of an election or a shutdown. Source: the retryable-writes specification of the drivers."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds between tries."""


def read_hashes(collection: str, ids: Sequence[Any], path: str, attempts: int) -> Flow[dict[Any, Any]]:
    """The content hashes that are stored, by the text of the `_id`."""
    pipeline: list[dict[str, Any]] = [{"$match": {"_id": {"$in": list(ids)}}}, {"$project": {path: 1}}]
    reply = yield from _tried(Command.aggregate(collection, pipeline, max_rows=len(ids)), attempts)
    return {repr(row["_id"]): row.get(path) for row in reply.documents}


def upsert(collection: str, documents: Sequence[dict[str, Any]], attempts: int) -> Flow[dict[int, str]]:
    """Puts each document in the place of the one with its `_id`, or makes it. Repeating it changes nothing.

    Returns:
        the server's text for each position that it refused.
    """
    updates = [
        {"q": {"_id": {"$eq": document["_id"]}}, "u": document, "upsert": True} for document in documents
    ]
    body = {"update": collection, "updates": updates, "ordered": False, "writeConcern": {"w": "majority"}}
    reply = yield from _tried(Command(body), attempts)
    concern = reply.body.get("writeConcernError")
    if concern:
        raise ServerError(
            f"The documents were written, but not by a majority (server code {concern.get('code')})",
            next_step="load again: what is there is left alone",
            server_code=concern.get("code"),
        )
    return {int(one["index"]): _text(one) for one in reply.body.get("writeErrors") or ()}


def _text(error: dict[str, Any]) -> str:
    """The code only: the server's text may quote the document."""
    return f"the server refused it (code {error.get('code')})"


def _tried(command: Command, attempts: int) -> Flow[Reply]:
    """Sends a command that may be repeated, again after errors that pass."""
    for attempt in range(1, attempts + 1):
        try:
            reply: Reply = yield command
            return reply
        except ServerError as error:
            passing = error.code in PASSING or error.server_code in NO_PRIMARY
            if not passing or attempt == attempts:
                raise
        yield Pause(min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT))
    raise AssertionError
