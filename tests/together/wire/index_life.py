"""Search indexes on a scripted server: what it lists is a film, one picture for each look."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from contextlib import contextmanager
from typing import Any

import pymongo
import pytest

from atlas_rag.drivers.choose import async_engine_for, engine_for
from atlas_rag.indexes import WantedIndex
from atlas_rag.wire import adrive, drive
from tests.support.scripted import Document, ScriptedServer, rows

NAMESPACE = "app.docs"
FIELD = {"type": "vector", "path": "embedding", "numDimensions": 3, "similarity": "cosine"}
VECTOR = WantedIndex("vectors", "vectorSearch", {"fields": [FIELD]})
FILTERED = WantedIndex("vectors", "vectorSearch", {"fields": [FIELD, {"type": "filter", "path": "tenant"}]})
TEXT = WantedIndex("texts", "search", {"mappings": {"dynamic": True}})


class HandClock:
    """Time that passes only where somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    async def async_sleep(self, seconds: float) -> None:
        self.sleep(seconds)


def entry(
    index: WantedIndex,
    status: str = "READY",
    *,
    queryable: bool | None = None,
    version: int = 0,
    serving: int | None = None,
    message: str = "",
    **more: Any,
) -> Document:
    """One row of `$listSearchIndexes`."""
    host = {"hostname": "h0", "status": status, "mainIndex": {"definitionVersion": {"version": serving or 0}}}
    host["mainIndex"] |= {"message": message} if message else {}
    return {
        "id": "64f",
        "name": index.name,
        "type": index.type,
        "status": status,
        "queryable": status in ("READY", "STALE") if queryable is None else queryable,
        "latestDefinitionVersion": {"version": version},
        "latestDefinition": dict(index.definition),
        "statusDetail": [host],
        **more,
    }


class Film:
    """Plays pictures, the last one for ever, and answers each command by its queue of replies, then `ok`."""

    def __init__(self, pictures: Iterable[list[Document] | Any], **replies: list[Any]) -> None:
        self._pictures = deque(pictures)
        self._replies = {name: deque(queue) for name, queue in replies.items()}

    def __call__(self, name: str, command: Document) -> Any:
        if name == "aggregate":
            picture = self._pictures.popleft() if len(self._pictures) > 1 else self._pictures[0]
            return rows(*picture) if isinstance(picture, list) else picture
        queue = self._replies.get(name)
        return queue.popleft() if queue else {"ok": 1.0}


@contextmanager
def playing(*pictures: Any, **replies: list[Any]) -> Any:
    """A scripted server with a film."""
    with ScriptedServer(Film(pictures or ([],), **replies)) as server:
        yield server


def changes(server: ScriptedServer) -> list[str]:
    """The names of the commands that changed something, in order."""
    return [name for command in server.commands if (name := next(iter(command))) != "aggregate"]


def pump(kind: str, uri: str, protocol: Any, clock: Any = None) -> Any:
    """The result of a protocol on `app.docs`, through one kind of driver."""
    clock = clock or HandClock()
    if kind == "sync":
        with pymongo.MongoClient(uri) as client:
            return drive(protocol, engine_for(client["app"]["docs"]), clock)
    return asyncio.run(_pump_async(kind, uri, protocol, clock))


async def _pump_async(kind: str, uri: str, protocol: Any, clock: Any) -> Any:
    if kind == "async":
        async with pymongo.AsyncMongoClient(uri) as client:
            return await adrive(protocol, async_engine_for(client["app"]["docs"]), clock)
    motor = pytest.importorskip("motor.motor_asyncio")
    client = motor.AsyncIOMotorClient(uri)
    try:
        return await adrive(protocol, async_engine_for(client["app"]["docs"]), clock)
    finally:
        client.close()
