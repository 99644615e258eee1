"""The asynchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, NoReturn, TypeVar, Unpack

from pymongo import AsyncMongoClient
from pymongo.client_options import ClientOptions
from pymongo.client_session import SessionOptions, TransactionOptions  # type: ignore[attr-defined]
from pymongo.driver_info import DriverInfo
from pymongo.topology_description import TopologyDescription

from atlas_rag.inprocess.client.asynchronous.calls import awaited, awaited_cursor
from atlas_rag.inprocess.client.asynchronous.database import AsyncLocalDatabase
from atlas_rag.inprocess.client.asynchronous.options import OptionedFace
from atlas_rag.inprocess.client.asynchronous.session import AsyncLocalSession
from atlas_rag.inprocess.client.client import LocalClient
from atlas_rag.inprocess.client.options import Options

Document = dict[str, Any]
Result = TypeVar("Result")


class AsyncLocalClient(OptionedFace):
    """The asynchronous face of a `LocalClient`, with the same arguments; see there.

    `AsyncLocalClient.over(client)` shares the deployment of a synchronous client.
    """

    HOST = LocalClient.HOST
    PORT = LocalClient.PORT
    delegate: LocalClient

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.delegate = LocalClient(*args, **kwargs)

    @classmethod
    def over(cls, client: LocalClient) -> AsyncLocalClient:
        """Returns an asynchronous face of the same deployment."""
        made = cls.__new__(cls)
        made.delegate = client
        return made

    def __getitem__(self, name: str) -> AsyncLocalDatabase:
        return AsyncLocalDatabase(self, self.delegate[name])

    def __getattr__(self, name: str) -> AsyncLocalDatabase:
        return AsyncLocalDatabase(self, getattr(self.delegate, name))

    def get_database(self, name: str | None = None, **options: Unpack[Options]) -> AsyncLocalDatabase:
        """Returns a database, whether it exists or not; see `options.check_options`."""
        return AsyncLocalDatabase(self, self.delegate.get_database(name, **options))

    def get_default_database(
        self, default: str | None = None, **options: Unpack[Options]
    ) -> AsyncLocalDatabase:
        """Returns the database named as the default, since no connection string names one."""
        return AsyncLocalDatabase(self, self.delegate.get_default_database(default, **options))

    def start_session(
        self,
        causal_consistency: bool | None = None,
        default_transaction_options: TransactionOptions | None = None,
        snapshot: bool | None = False,
    ) -> AsyncLocalSession:
        """Begins a session, for transactions; operations are given it as `session`."""
        options = SessionOptions(causal_consistency, default_transaction_options, snapshot)
        return AsyncLocalSession(self.delegate, options)

    def as_pymongo(self, **options: Any) -> AsyncMongoClient[Document]:
        """Returns a real `AsyncMongoClient` of this deployment; see `LocalClient.as_pymongo`."""
        return self.delegate.as_pymongo_async(**options)

    async def _call(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Result:
        return await asyncio.to_thread(function, *args, **kwargs)

    list_databases = awaited_cursor(LocalClient.list_databases)
    watch = awaited_cursor(LocalClient.watch)

    bulk_write = awaited(LocalClient.bulk_write)
    drop_database = awaited(LocalClient.drop_database)
    list_database_names = awaited(LocalClient.list_database_names)
    server_info = awaited(LocalClient.server_info)

    def finish_index_builds(self) -> None:
        """Makes every search index that is being built queryable now."""
        self.delegate.finish_index_builds()

    async def aconnect(self) -> None:
        """Returns at once: there is no server to connect to."""

    async def close(self) -> None:
        """Saves everything that is to be kept and lets the next client in."""
        await asyncio.to_thread(self.delegate.close)

    aclose = close

    async def __aenter__(self) -> AsyncLocalClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # ---------------------------------------------------------------- about servers, of which there are none

    @property
    async def address(self) -> tuple[str, int] | None:
        """None: no server is asked."""
        return self.delegate.address

    @property
    async def primary(self) -> tuple[str, int] | None:
        """None: no server is asked."""
        return self.delegate.primary

    @property
    async def secondaries(self) -> set[tuple[str, int]]:
        """No servers."""
        return self.delegate.secondaries

    @property
    async def arbiters(self) -> set[tuple[str, int]]:
        """No servers."""
        return self.delegate.arbiters

    @property
    def nodes(self) -> frozenset[tuple[str, int]]:
        """No servers."""
        return self.delegate.nodes

    @property
    async def is_primary(self) -> bool:
        """Whether writes are taken: they are."""
        return self.delegate.is_primary

    @property
    async def is_mongos(self) -> bool:
        """Whether a router stands before the deployment: none does."""
        return self.delegate.is_mongos

    @property
    def options(self) -> ClientOptions:
        """PyMongo's defaults."""
        return self.delegate.options

    @property
    def topology_description(self) -> TopologyDescription:
        """Is refused; see `LocalClient`."""
        return self.delegate.topology_description

    def append_metadata(self, driver_info: DriverInfo) -> None:
        """Checks what a driver would tell a server of itself; there is none to tell."""
        self.delegate.append_metadata(driver_info)

    def eq_props(self) -> tuple[Any, ...]:
        """Returns what makes two clients equal: the client itself."""
        return (id(self),)

    def next(self) -> NoReturn:
        """Is refused as by PyMongo: a client is no cursor."""
        raise TypeError("'AsyncLocalClient' object is not iterable")
