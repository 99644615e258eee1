"""The in-process deployment behind the wire's two protocols: one command in, one reply out."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from atlas_rag.inprocess.copies import given, owned
from atlas_rag.wire.command import Command, Reply
from atlas_rag.wire.failures import server_error


class LocalDeployment(Protocol):
    """What runs command documents: `atlas_rag.inprocess.deployment.Deployment`."""

    def run_command(self, database: str, command: dict[str, Any]) -> dict[str, Any]: ...


class LocalEngine:
    """Runs commands for one in-process collection.

    Args:
        collection: a `LocalCollection` or `AsyncLocalCollection`; its `deployment`, `database.name` and
            `name` are used.
    """

    def __init__(self, collection: Any) -> None:
        self._deployment: LocalDeployment = collection.deployment
        self._database: str = collection.database.name
        self._name: str = collection.name

    @property
    def namespace(self) -> str:
        """`database.collection`."""
        return f"{self._database}.{self._name}"

    def run(self, command: Command) -> Reply:
        """Runs one command; raises `ServerError` with the code and text that a server would send."""
        database = "admin" if command.database == "admin" else self._database
        document = dict(command.body)
        if command.name == "aggregate":
            document["cursor"] = {"batchSize": command.max_rows + 1} if command.max_rows is not None else {}
            document["maxTimeMS"] = command.time_limit_ms
        reply = self._run(database, document)
        if "cursor" not in reply:
            return Reply(body=reply)
        return Reply(documents=self._rows(database, reply["cursor"]))

    def _rows(self, database: str, cursor: dict[str, Any]) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = cursor["firstBatch"]
        collection = cursor["ns"].partition(".")[2]
        while cursor["id"]:
            cursor = self._run(database, {"getMore": cursor["id"], "collection": collection})["cursor"]
            rows += cursor["nextBatch"]
        return rows

    def _run(self, database: str, document: dict[str, Any]) -> dict[str, Any]:
        reply = self._deployment.run_command(database, owned(document))
        if not reply["ok"]:
            raise server_error(reply["code"], reply["codeName"], reply["errmsg"])
        copy: dict[str, Any] = given(reply)  # the deployment shares its documents
        return copy


class AsyncLocalEngine:
    """The same for asynchronous callers: each command runs in a thread, so that the loop stays free."""

    def __init__(self, collection: Any) -> None:
        self._engine = LocalEngine(collection)

    @property
    def namespace(self) -> str:
        """`database.collection`."""
        return self._engine.namespace

    async def run(self, command: Command) -> Reply:
        """Runs one command in a thread; raises `ServerError`."""
        return await asyncio.to_thread(self._engine.run, command)
