"""PyMongo Async: no thread anywhere; cancelling a call closes its connection and so ends it on the server."""

from __future__ import annotations

from typing import Any

from pymongo.asynchronous.collection import AsyncCollection

from atlas_rag.drivers.failures import FAILURES, translate
from atlas_rag.drivers.request import as_aggregate, as_command, as_text, target
from atlas_rag.wire.command import Command, Reply


class PyMongoAsyncEngine:
    """Runs commands for one `AsyncCollection` that the caller owns."""

    def __init__(self, collection: AsyncCollection[Any]) -> None:
        self._collection = collection

    @property
    def namespace(self) -> str:
        """`database.collection`."""
        return self._collection.full_name

    async def run(self, command: Command) -> Reply:
        """Runs one command; raises `ServerError`."""
        database = self._collection.database
        try:
            aggregate = as_aggregate(command)
            if aggregate is not None:
                collection = target(self._collection, aggregate)
                async with await collection.aggregate(aggregate.pipeline, **aggregate.options) as cursor:
                    return Reply(documents=await cursor.to_list(), address=as_text(cursor.address))
            if command.database == "admin":
                database = database.client["admin"]
            return Reply(body=await database.command(as_command(command)))
        except FAILURES as error:
            raise translate(error) from error
