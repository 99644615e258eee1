"""A search index as the deployment shows it, with what the capability report leaves out."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.capability.listing import newest, read_index
from atlas_rag.indexes.desired.wanted import IndexType
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
        serving: the oldest version that any host answers with, or None where the deployment does not say.
        message: what the deployment says of a failure, or "".
    """

    name: str
    type: IndexType
    id: str
    status: str
    queryable: bool
    definition: Mapping[str, Any]
    version: int | None = None
    serving: int | None = None
    message: str = ""

    @property
    def going(self) -> bool:
        """Whether it is being deleted, or gone already."""
        return self.status in ("DELETING", "DOES_NOT_EXIST")

    @property
    def serves_latest(self) -> bool:
        """Whether it answers with its latest definition: one that recovers may still have the old one."""
        if not self.queryable or self.status not in ("READY", "STALE"):
            return False
        return self.status == "READY" or None in (self.version, self.serving) or self.version == self.serving


def list_states(collection: str) -> Generator[Any, Any, dict[str, IndexState]]:
    """Every search index of a collection by name; none where the collection is missing."""
    reply = yield Command.aggregate(collection, [{"$listSearchIndexes": {}}])
    return {row["name"]: _state(row) for row in newest(reply.documents)}


def _state(row: Mapping[str, Any]) -> IndexState:
    index = read_index(row)
    hosts = row.get("statusDetail") or ()
    mains = [host.get("mainIndex") or {} for host in hosts]
    versions = [version for main in mains if (version := _number(main.get("definitionVersion"))) is not None]
    return IndexState(
        name=index.name,
        type=index.type,
        id=str(row.get("id", "")),
        status=index.status,
        queryable=index.queryable,
        definition=index.definition,
        version=_number(row.get("latestDefinitionVersion")),
        serving=min(versions, default=None),
        message=_message(row, hosts),
    )


def _number(version: Any) -> int | None:
    if isinstance(version, Mapping):
        version = version.get("version")
    return int(version) if isinstance(version, int) else None


def _message(row: Mapping[str, Any], hosts: Any) -> str:
    """The first message that a host gives, of the index being built or the one in use."""
    for host in hosts:
        for part in ("stagedIndex", "mainIndex"):
            message = (host.get(part) or {}).get("message")
            if message:
                return str(message)
    return str(row.get("message") or "")
