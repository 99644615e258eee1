"""A search index as the deployment shows it, with what the capability report leaves out."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.capability.probe import read_indexes
from atlas_rag.errors import Code, ServerError
from atlas_rag.indexes.wanted import IndexType
from atlas_rag.wire import Command

TERMINAL = frozenset({"FAILED", "DELETING", "DOES_NOT_EXIST"})
"""States that no waiting turns into readiness."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """One index by name.

    Args:
        id: the deployment's own, or "".
        status: DOES_NOT_EXIST, PENDING, BUILDING, READY, STALE, FAILED or DELETING.
        queryable: whether it answers now, be it with an older definition.
        definition: the latest that was asked for. version: of it, or None.
        message: what the deployment says of a failure, or "".
    """

    name: str
    type: IndexType
    id: str
    status: str
    queryable: bool
    definition: Mapping[str, Any]
    version: int | None = None
    message: str = ""


def list_states(collection: str) -> Generator[Any, Any, dict[str, IndexState]]:
    """Every search index of a collection by name; none where the collection is missing."""
    reply = yield Command.aggregate(collection, [{"$listSearchIndexes": {}}])
    known = {index.name: index for index in read_indexes(reply.documents)}
    states: dict[str, IndexState] = {}
    for row in reply.documents:
        index = known[row["name"]]
        if row["name"] in states and row.get("status") == "DELETING":
            continue  # an old index of this name is still going while the new one is there
        states[row["name"]] = IndexState(
            name=index.name,
            type=index.type,
            id=str(row.get("id", "")),
            status=index.status,
            queryable=index.queryable,
            definition=index.definition,
            version=_version(row),
            message=_message(row),
        )
    return states


def is_missing_collection(error: ServerError) -> bool:
    """Whether a command failed because the collection does not exist."""
    return error.server_code == 26 and error.code is Code.REQUEST_REFUSED


def _version(row: Mapping[str, Any]) -> int | None:
    version = row.get("latestDefinitionVersion")
    if isinstance(version, Mapping):
        version = version.get("version")
    return version if isinstance(version, int) else None


def _message(row: Mapping[str, Any]) -> str:
    """The first message that a host gives, of the index in use or the one being built."""
    for host in row.get("statusDetail") or ():
        for part in ("mainIndex", "stagedIndex"):
            message = (host.get(part) or {}).get("message")
            if message:
                return str(message)
    return str(row.get("message") or "")
