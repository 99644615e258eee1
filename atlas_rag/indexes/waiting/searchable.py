"""Waits for documents: a ready index follows writes with a delay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.errors import CallError, Code, SearchIndexError
from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.indexes.waiting.patience import Patience
from atlas_rag.wire import Clock, Command, Flow
from atlas_rag.wire.pump import SYSTEM_CLOCK

DEFAULT_TIMEOUT = 60.0
MOST_NEIGHBOURS = 10_000
"""A vector search returns no more documents than this."""


def wait_until_searchable(
    namespace: str,
    index: WantedIndex,
    *,
    count: int | None = None,
    ids: Sequence[Any] = (),
    timeout: float = DEFAULT_TIMEOUT,
    clock: Clock = SYSTEM_CLOCK,
) -> Flow[int]:
    """Waits until written documents are found.

    Args:
        index: a search index whose mapping covers `_id`, or a vectorSearch index. In a vectorSearch index the
            documents must be among the 10 000 found first, or `_id` must be one of its filter fields.
        count: how many documents must be found in all; up to 10 000 for a vectorSearch index.
        ids: `_id`s that must be found; counted alone where both are given.
        timeout: seconds, default 60.

    Returns:
        how many documents are found.

    Raises:
        CallError: INVALID_OPTION, nothing is waited for, or more than can be seen.
        SearchIndexError: INDEX_NOT_READY after the time limit.
    """
    expected = len(set(map(repr, ids))) if ids else count
    if expected is None or expected < 0:
        raise CallError("There is nothing to wait for", expected="count, 0 or more, or ids")
    if index.type == "vectorSearch" and expected > MOST_NEIGHBOURS:
        raise CallError(
            f"{expected} documents cannot be seen by one vector search", expected=f"at most {MOST_NEIGHBOURS}"
        )
    patience = Patience(timeout, clock)
    pipeline = _counting(index, ids)
    while True:
        reply = yield Command.aggregate(namespace.partition(".")[2], pipeline)
        found = int(reply.documents[0]["n"]) if reply.documents else 0
        if found >= expected:
            return found
        if patience.over:
            raise SearchIndexError(
                f"After {patience.waited:.0f} s {found} documents are found in {index.name!r} on {namespace}",
                expected=str(expected),
                next_step="wait longer, or check the documents: some may never be found",
                code=Code.INDEX_NOT_READY,
            )
        yield patience.pause()


def _counting(index: WantedIndex, ids: Sequence[Any]) -> list[dict[str, Any]]:
    if index.type == "search":
        operator = {"in": {"path": "_id", "value": list(ids)}} if ids else {"exists": {"path": "_id"}}
        return [{"$search": {"index": index.name, **operator}}, {"$count": "n"}]
    fields = index.to_dict()["definition"]["fields"]
    vector = next((field for field in fields if field.get("type") == "vector"), None)
    if vector is None:
        raise CallError(f"The index {index.name!r} has no field of type vector", expected="one to search")
    body = {"index": index.name, **_any_neighbours(vector)}
    wanted = {"_id": {"$in": list(ids)}}
    if ids and any(field.get("type") == "filter" and field["path"] == "_id" for field in fields):
        return [{"$vectorSearch": {**body, "filter": wanted}}, {"$count": "n"}]
    return [{"$vectorSearch": body}, *([{"$match": wanted}] if ids else []), {"$count": "n"}]


def _any_neighbours(field: Mapping[str, Any]) -> dict[str, Any]:
    """A search that finds every vector: exact, from a corner of the space that is not its origin."""
    query = [1.0] + [0.0] * (int(field["numDimensions"]) - 1)
    return {"path": field["path"], "queryVector": query, "exact": True, "limit": MOST_NEIGHBOURS}
