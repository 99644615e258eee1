"""The asynchronous faces: the synchronous ones, awaited.

A command on a small collection takes less time than a change of threads, so it runs where it is; one on a
collection of more than `LARGE` documents runs in a worker thread, so that the event loop stays free. The
deployment lets one command in at a time either way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar, Unpack

from atlas_rag.inprocess.client.client import LocalClient
from atlas_rag.inprocess.client.collection import Filter, LocalCollection, Projection
from atlas_rag.inprocess.client.cursor import LocalCommandCursor, LocalCursor, Sort
from atlas_rag.inprocess.client.database import LocalDatabase
from atlas_rag.inprocess.client.options import Options
from atlas_rag.inprocess.deployment import Deployment

LARGE = 2000
"""Documents in a collection from which on a worker thread is worth its price."""

Document = dict[str, Any]
Result = TypeVar("Result")
P = ParamSpec("P")
Self = TypeVar("Self", bound="AsyncLocalCommandCursor")


def awaited(
    method: Callable[Concatenate[LocalCollection, P], Result],
) -> Callable[Concatenate[AsyncLocalCollection, P], Coroutine[Any, Any, Result]]:
    """Returns the asynchronous form of a method of `LocalCollection`."""

    async def call(self: AsyncLocalCollection, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        return await self._call(method, self.delegate, *args, **kwargs)

    call.__name__ = method.__name__
    call.__qualname__ = f"AsyncLocalCollection.{method.__name__}"
    call.__doc__ = method.__doc__
    return call


def awaited_cursor(
    method: Callable[Concatenate[LocalCollection, P], LocalCommandCursor],
) -> Callable[Concatenate[AsyncLocalCollection, P], Coroutine[Any, Any, AsyncLocalCommandCursor]]:
    """Returns the asynchronous form of a method that runs a command and returns its cursor."""

    async def call(
        self: AsyncLocalCollection, /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncLocalCommandCursor:
        cursor = await self._call(method, self.delegate, *args, **kwargs)
        return AsyncLocalCommandCursor(cursor, self._call)

    call.__name__ = method.__name__
    call.__qualname__ = f"AsyncLocalCollection.{method.__name__}"
    call.__doc__ = method.__doc__
    return call


class AsyncLocalCommandCursor:
    """An asynchronous cursor."""

    def __init__(self, delegate: LocalCommandCursor, call: Callable[..., Coroutine[Any, Any, Any]]) -> None:
        self.delegate = delegate
        self._call = call

    def __aiter__(self: Self) -> Self:
        return self

    async def __anext__(self) -> Document:
        document = self.delegate.buffered()
        if document is None:
            document = await self._call(next, self.delegate, None)
        if document is None:
            raise StopAsyncIteration
        found: Document = document
        return found

    next = __anext__

    @property
    def alive(self) -> bool:
        """Whether more documents may come."""
        return self.delegate.alive

    async def to_list(self, length: int | None = None) -> list[Document]:
        """Returns what is left, at most `length` documents (≥ 1; None for all)."""
        documents: list[Document] = await self._call(self.delegate.to_list, length)
        return documents

    async def close(self) -> None:
        """Lets the deployment forget the cursor."""
        self.delegate.close()

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncLocalCursor(AsyncLocalCommandCursor):
    """The asynchronous cursor of `find`."""

    delegate: LocalCursor

    def sort(self, key_or_list: Sort, direction: Any = None) -> AsyncLocalCursor:
        """Orders the result."""
        self.delegate.sort(key_or_list, direction)
        return self

    def skip(self, skip: int) -> AsyncLocalCursor:
        """Leaves out the first documents. `skip` ≥ 0."""
        self.delegate.skip(skip)
        return self

    def limit(self, limit: int) -> AsyncLocalCursor:
        """Returns at most this many documents; 0 for all."""
        self.delegate.limit(limit)
        return self

    def batch_size(self, batch_size: int) -> AsyncLocalCursor:
        """Takes documents from the deployment in batches. `batch_size` ≥ 0; 0 leaves it open."""
        self.delegate.batch_size(batch_size)
        return self


class AsyncLocalCollection:
    """A collection with PyMongo Async's methods; see `LocalCollection`."""

    __atlas_rag_local__ = "async"

    def __init__(self, database: AsyncLocalDatabase, delegate: LocalCollection) -> None:
        self.database = database
        self.delegate = delegate

    @property
    def deployment(self) -> Deployment:
        """What runs the commands. Raises `InvalidOperation` after the client was closed."""
        return self.delegate.deployment

    @property
    def name(self) -> str:
        """The collection's name."""
        return self.delegate.name

    @property
    def full_name(self) -> str:
        """database.collection."""
        return self.delegate.full_name

    def with_options(self, **options: Unpack[Options]) -> AsyncLocalCollection:
        """Returns the collection, which meets these options as it is; see `options.check_options`."""
        return AsyncLocalCollection(self.database, self.delegate.with_options(**options))

    def __getitem__(self, name: str) -> AsyncLocalCollection:
        return AsyncLocalCollection(self.database, self.delegate[name])

    def __bool__(self) -> bool:
        raise NotImplementedError("a collection has no truth value; compare with None instead")

    def __repr__(self) -> str:
        return f"AsyncLocalCollection({self.full_name!r})"

    async def _call(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Result:
        namespace = self.deployment.existing(self.delegate.database.name, self.name)
        if namespace is not None and len(namespace.rows) > LARGE:
            return await asyncio.to_thread(function, *args, **kwargs)
        return function(*args, **kwargs)

    def find(
        self,
        filter: Filter | None = None,  # noqa: A002 - PyMongo's name
        projection: Projection = None,
        *,
        sort: Sort | None = None,
        skip: int = 0,
        limit: int = 0,
        batch_size: int = 0,
        **options: Any,
    ) -> AsyncLocalCursor:
        """Returns a cursor; the command runs at its first document."""
        cursor = self.delegate.find(
            filter, projection, sort=sort, skip=skip, limit=limit, batch_size=batch_size, **options
        )
        return AsyncLocalCursor(cursor, self._call)

    aggregate = awaited_cursor(LocalCollection.aggregate)
    list_indexes = awaited_cursor(LocalCollection.list_indexes)
    list_search_indexes = awaited_cursor(LocalCollection.list_search_indexes)

    bulk_write = awaited(LocalCollection.bulk_write)
    count_documents = awaited(LocalCollection.count_documents)
    create_index = awaited(LocalCollection.create_index)
    create_indexes = awaited(LocalCollection.create_indexes)
    create_search_index = awaited(LocalCollection.create_search_index)
    create_search_indexes = awaited(LocalCollection.create_search_indexes)
    delete_many = awaited(LocalCollection.delete_many)
    delete_one = awaited(LocalCollection.delete_one)
    distinct = awaited(LocalCollection.distinct)
    drop = awaited(LocalCollection.drop)
    drop_index = awaited(LocalCollection.drop_index)
    drop_indexes = awaited(LocalCollection.drop_indexes)
    drop_search_index = awaited(LocalCollection.drop_search_index)
    estimated_document_count = awaited(LocalCollection.estimated_document_count)
    find_one = awaited(LocalCollection.find_one)
    find_one_and_delete = awaited(LocalCollection.find_one_and_delete)
    find_one_and_replace = awaited(LocalCollection.find_one_and_replace)
    find_one_and_update = awaited(LocalCollection.find_one_and_update)
    index_information = awaited(LocalCollection.index_information)
    insert_many = awaited(LocalCollection.insert_many)
    insert_one = awaited(LocalCollection.insert_one)
    replace_one = awaited(LocalCollection.replace_one)
    update_many = awaited(LocalCollection.update_many)
    update_one = awaited(LocalCollection.update_one)
    update_search_index = awaited(LocalCollection.update_search_index)


class AsyncLocalDatabase:
    """A database with PyMongo Async's methods."""

    def __init__(self, client: AsyncLocalClient, delegate: LocalDatabase) -> None:
        self.client = client
        self.delegate = delegate

    @property
    def name(self) -> str:
        """The database's name."""
        return self.delegate.name

    def __getitem__(self, name: str) -> AsyncLocalCollection:
        return self.get_collection(name)

    def __getattr__(self, name: str) -> AsyncLocalCollection:
        return AsyncLocalCollection(self, getattr(self.delegate, name))

    def get_collection(self, name: str, **options: Unpack[Options]) -> AsyncLocalCollection:
        """Returns a collection, whether it exists or not; see `options.check_options`."""
        return AsyncLocalCollection(self, self.delegate.get_collection(name, **options))

    async def command(self, command: str | Mapping[str, Any], value: Any = 1, **options: Any) -> Document:
        """Runs any command and returns the reply. Raises `OperationFailure`."""
        return await asyncio.to_thread(self.delegate.command, command, value, **options)

    async def aggregate(self, pipeline: Sequence[Filter], **options: Any) -> AsyncLocalCommandCursor:
        """Runs a pipeline that needs no collection."""
        cursor = await asyncio.to_thread(self.delegate.aggregate, pipeline, **options)
        return AsyncLocalCommandCursor(cursor, asyncio.to_thread)

    async def create_collection(self, name: str, **options: Any) -> AsyncLocalCollection:
        """Makes an empty collection. Raises `CollectionInvalid` when it exists."""
        return AsyncLocalCollection(self, self.delegate.create_collection(name, **options))

    async def drop_collection(self, name: str) -> Document:
        """Drops a collection with its indexes; a missing one is no error."""
        return self.delegate.drop_collection(name)

    async def list_collection_names(self) -> list[str]:
        """Returns the names of the collections."""
        return self.delegate.list_collection_names()


class AsyncLocalClient:
    """The asynchronous face of a `LocalClient`, with the same arguments; see there.

    `AsyncLocalClient.over(client)` shares the deployment of a synchronous client.
    """

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

    def get_database(self, name: str, **options: Unpack[Options]) -> AsyncLocalDatabase:
        """Returns a database, whether it exists or not; see `options.check_options`."""
        return AsyncLocalDatabase(self, self.delegate.get_database(name, **options))

    async def list_database_names(self) -> list[str]:
        """Returns the names of the databases."""
        return self.delegate.list_database_names()

    async def drop_database(self, name: str) -> None:
        """Drops a database; a missing one is no error."""
        self.delegate.drop_database(name)

    async def server_info(self) -> Document:
        """Returns the reply to `buildInfo`."""
        return self.delegate.server_info()

    def finish_index_builds(self) -> None:
        """Makes every search index that is being built queryable now."""
        self.delegate.finish_index_builds()

    async def close(self) -> None:
        """Saves everything that is to be kept and lets the next client in."""
        self.delegate.close()

    async def __aenter__(self) -> AsyncLocalClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
