"""The in-process engine in the shape of PyMongo, synchronous and asynchronous."""

from atlas_rag.engines.local.faces.asynchronous import (
    AsyncLocalClient,
    AsyncLocalCollection,
    AsyncLocalDatabase,
)
from atlas_rag.engines.local.faces.client import LocalClient
from atlas_rag.engines.local.faces.collection import LocalCollection
from atlas_rag.engines.local.faces.database import LocalDatabase

__all__ = [
    "AsyncLocalClient",
    "AsyncLocalCollection",
    "AsyncLocalDatabase",
    "LocalClient",
    "LocalCollection",
    "LocalDatabase",
]
