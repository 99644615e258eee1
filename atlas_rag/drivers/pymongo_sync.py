"""Synchronous PyMongo; from async code each call runs in a thread."""

from __future__ import annotations

import asyncio
from typing import Any

from pymongo.collection import Collection

from atlas_rag.drivers.failures import FAILURES, translate
from atlas_rag.drivers.request import as_aggregate, as_command, as_text, target
from atlas_rag.wire.command import Command, Reply


class PyMongoEngine:
    """Runs commands for one `Collection` that the caller owns."""

    def __init__(self, collection: Collection[Any]) -> None:
        self._collection = collection

    @property
    def namespace(self) -> str:
        """`database.collection`."""
        return self._collection.full_name

    def run(self, command: Command) -> Reply:
        """Runs one command; raises `ServerError`."""
        database = self._collection.database
        try:
            aggregate = as_aggregate(command)
            if aggregate is not None:
                collection = target(self._collection, aggregate)
                with collection.aggregate(aggregate.pipeline, **aggregate.options) as cursor:
                    return Reply(documents=cursor.to_list(), address=as_text(cursor.address))
            if command.database == "admin":
                database = database.client["admin"]
            return Reply(body=database.command(as_command(command)))
        except FAILURES as error:
            raise translate(error) from error


class ThreadedEngine:
    """A synchronous engine for async callers.

    A cancelled call cannot be stopped in its thread; the time limit that every command carries ends it.
    """

    def __init__(self, engine: PyMongoEngine) -> None:
        self._engine = engine

    @property
    def namespace(self) -> str:
        """`database.collection`."""
        return self._engine.namespace

    async def run(self, command: Command) -> Reply:
        """Runs one command in a thread; raises `ServerError`."""
        return await asyncio.to_thread(self._engine.run, command)
