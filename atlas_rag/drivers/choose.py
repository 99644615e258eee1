"""Which engine runs a collection: decided by type, because every attribute of a driver collection exists."""

from __future__ import annotations

from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.wire.pump import AsyncEngine, Engine

PYMONGO = ("pymongo.synchronous.collection", "Collection")
PYMONGO_ASYNC = ("pymongo.asynchronous.collection", "AsyncCollection")
MOTOR = ("motor.core", "AgnosticCollection")
LOCAL = "__atlas_rag_local__"
"""Class attribute of the in-process collections: "sync" or "async"."""


def engine_for(collection: Any) -> Engine:
    """The synchronous engine of a PyMongo `Collection` or an in-process collection.

    Raises:
        CallError: UNSUPPORTED_CLIENT.
    """
    if _is(collection, *PYMONGO):
        from atlas_rag.drivers.pymongo_sync import PyMongoEngine

        return PyMongoEngine(collection)
    if _local(collection) == "sync":
        from atlas_rag.drivers.in_process import LocalEngine

        return LocalEngine(collection)
    if _is(collection, *PYMONGO_ASYNC) or _is(collection, *MOTOR) or _local(collection) == "async":
        raise _unsupported(collection, "a synchronous collection", "use async_engine_for, or AsyncRetriever")
    raise _unsupported(collection, "a PyMongo Collection or a LocalClient collection", HOW)


def async_engine_for(collection: Any) -> AsyncEngine:
    """The asynchronous engine of any supported collection; synchronous ones run in threads.

    Raises:
        CallError: UNSUPPORTED_CLIENT.
    """
    if _is(collection, *PYMONGO_ASYNC):
        from atlas_rag.drivers.pymongo_async import PyMongoAsyncEngine

        return PyMongoAsyncEngine(collection)
    if _is(collection, *PYMONGO):
        from atlas_rag.drivers.pymongo_sync import PyMongoEngine, ThreadedEngine

        return ThreadedEngine(PyMongoEngine(collection))
    if _is(collection, *MOTOR):
        from atlas_rag.drivers.motor import MotorEngine

        return MotorEngine(collection)
    if _local(collection) is not None:
        from atlas_rag.drivers.in_process import AsyncLocalEngine

        return AsyncLocalEngine(collection)
    raise _unsupported(collection, "a PyMongo, Motor or LocalClient collection", HOW)


HOW = "pass client['database']['collection'], not a client, database or name"


def _is(collection: Any, module: str, name: str) -> bool:
    return any(one.__module__ == module and one.__name__ == name for one in type(collection).__mro__)


def _local(collection: Any) -> str | None:
    return next((one.__dict__[LOCAL] for one in type(collection).__mro__ if LOCAL in one.__dict__), None)


def _unsupported(collection: Any, expected: str, next_step: str) -> CallError:
    if type(collection).__module__.partition(".")[0] == "mongomock":
        next_step = "copy it into the in-process engine: LocalClient().load(collection)"
    kind = f"{type(collection).__module__}.{type(collection).__qualname__}"
    return CallError(
        f"The collection is a {kind}", expected=expected, next_step=next_step, code=Code.UNSUPPORTED_CLIENT
    )
