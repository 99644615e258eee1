"""The asynchronous faces: the synchronous ones, awaited.

A command on a small collection takes less time than a change of threads, so it runs where it is; one on a
collection of more than `LARGE` documents runs in a worker thread, so that the event loop stays free. The
deployment lets one command in at a time either way.
"""

from atlas_rag.inprocess.client.asynchronous.client import AsyncLocalClient
from atlas_rag.inprocess.client.asynchronous.collection import LARGE, AsyncLocalCollection
from atlas_rag.inprocess.client.asynchronous.database import AsyncLocalDatabase
from atlas_rag.inprocess.client.asynchronous.session import AsyncLocalSession

__all__ = ["LARGE", "AsyncLocalClient", "AsyncLocalCollection", "AsyncLocalDatabase", "AsyncLocalSession"]
