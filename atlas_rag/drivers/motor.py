"""Motor collections: past their end of life, still in use. Motor is never imported here."""

from __future__ import annotations

from typing import Any

from atlas_rag.drivers.failures import FAILURES, translate
from atlas_rag.drivers.request import as_aggregate, as_command, as_text, target
from atlas_rag.wire.command import Command, Reply


class MotorEngine:
    """Runs commands for one Motor collection that the caller owns.

    Motor works in threads: a cancelled call runs on until its time limit.
    """

    def __init__(self, collection: Any) -> None:
        self._collection = collection

    @property
    def namespace(self) -> str:
        """`database.collection`."""
        return str(self._collection.full_name)

    async def run(self, command: Command) -> Reply:
        """Runs one command; raises `ServerError`."""
        database = self._collection.database
        try:
            aggregate = as_aggregate(command)
            if aggregate is not None:
                collection = target(self._collection, aggregate)
                cursor = collection.aggregate(aggregate.pipeline, **aggregate.options)
                try:
                    rows = list(await cursor.to_list(None))
                    return Reply(documents=rows, address=as_text(cursor.address))
                finally:
                    await cursor.close()
            if command.database == "admin":
                database = database.client["admin"]
            return Reply(body=await database.command(as_command(command)))
        except FAILURES as error:
            raise translate(error) from error
