"""One retriever over each kind of client, driven to its end from synchronous tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from types import MappingProxyType
from typing import Any

import pymongo
import pytest

import atlas_rag

KINDS = ("sync", "async", "motor")
Use = Callable[[Any], Any]


def use(
    kind: str, uri: str, action: Use, *, own: Mapping[str, Any] = MappingProxyType({}), **options: Any
) -> Any:
    """Runs `action(retriever)` on `app.docs`; what it returns is awaited where it has to be.

    Args:
        own: options of the driver's collection itself.
    """
    if kind == "sync":
        with pymongo.MongoClient(uri) as client:
            return action(atlas_rag.Retriever(client["app"].get_collection("docs", **own), **options))
    return asyncio.run(_use_async(kind, uri, action, own, options))


async def _use_async(
    kind: str, uri: str, action: Use, own: Mapping[str, Any], options: dict[str, Any]
) -> Any:
    if kind == "async":
        async with pymongo.AsyncMongoClient(uri) as client:
            collection = client["app"].get_collection("docs", **own)
            return await _awaited(action(atlas_rag.AsyncRetriever(collection, **options)))
    motor = pytest.importorskip("motor.motor_asyncio")
    client = motor.AsyncIOMotorClient(uri)
    try:
        collection = client["app"].get_collection("docs", **own)
        return await _awaited(action(atlas_rag.AsyncRetriever(collection, **options)))
    finally:
        client.close()


async def _awaited(result: Any) -> Any:
    return await result if isinstance(result, Coroutine) else result
