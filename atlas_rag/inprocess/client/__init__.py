"""The in-process engine in the shape of PyMongo, synchronous and asynchronous."""

from atlas_rag.inprocess.client.asynchronous import (
    AsyncLocalClient,
    AsyncLocalCollection,
    AsyncLocalDatabase,
)
from atlas_rag.inprocess.client.client import LocalClient
from atlas_rag.inprocess.client.collection import LocalCollection
from atlas_rag.inprocess.client.database import LocalDatabase

__all__ = [
    "AsyncLocalClient",
    "AsyncLocalCollection",
    "AsyncLocalDatabase",
    "LocalClient",
    "LocalCollection",
    "LocalDatabase",
]
