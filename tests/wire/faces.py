"""One retriever over each kind of client, driven to its end from synchronous tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pymongo
import pytest

import atlas_rag

KINDS = ("sync", "async", "motor")
Use = Callable[[Any], Any]


def use(kind: str, uri: str, action: Use, **options: Any) -> Any:
    """Runs `action(retriever)` on `app.docs`; what it returns is awaited where it has to be."""
    if kind == "sync":
        with pymongo.MongoClient(uri) as client:
            return action(atlas_rag.Retriever(client["app"]["docs"], **options))
    return asyncio.run(_use_async(kind, uri, action, options))


async def _use_async(kind: str, uri: str, action: Use, options: dict[str, Any]) -> Any:
    if kind == "async":
        async with pymongo.AsyncMongoClient(uri) as client:
            return await _awaited(action(atlas_rag.AsyncRetriever(client["app"]["docs"], **options)))
    motor = pytest.importorskip("motor.motor_asyncio")
    client = motor.AsyncIOMotorClient(uri)
    try:
        return await _awaited(action(atlas_rag.AsyncRetriever(client["app"]["docs"], **options)))
    finally:
        client.close()


async def _awaited(result: Any) -> Any:
    return await result if isinstance(result, Coroutine) else result
