"""Asynchronous collections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, Unpack

from atlas_rag.inprocess.client.asynchronous.calls import awaited, awaited_cursor
from atlas_rag.inprocess.client.asynchronous.cursors import AsyncLocalCursor, AsyncLocalRawBatchCursor
from atlas_rag.inprocess.client.asynchronous.options import OptionedFace
from atlas_rag.inprocess.client.collection import Filter, LocalCollection, Projection
from atlas_rag.inprocess.client.cursor import Sort
from atlas_rag.inprocess.client.options import Options
from atlas_rag.inprocess.deployment import Deployment

if TYPE_CHECKING:
    from atlas_rag.inprocess.client.asynchronous.database import AsyncLocalDatabase

LARGE = 2000
"""Documents in a collection from which on a worker thread is worth its price."""

Result = TypeVar("Result")


class AsyncLocalCollection(OptionedFace):
    """A collection with PyMongo Async's methods; see `LocalCollection`."""

    __atlas_rag_local__ = "async"

    delegate: LocalCollection

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
        """Returns the collection with these options; see `options.check_options`."""
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
        skip: int = 0,
        limit: int = 0,
        *,
        sort: Sort | None = None,
        batch_size: int = 0,
        **options: Any,
    ) -> AsyncLocalCursor:
        """Returns a cursor; the command runs at its first document."""
        cursor = self.delegate.find(
            filter, projection, sort=sort, skip=skip, limit=limit, batch_size=batch_size, **options
        )
        return AsyncLocalCursor(cursor, self._call, self)

    def find_raw_batches(self, *args: Any, **options: Any) -> AsyncLocalRawBatchCursor:
        """Returns a cursor over batches of BSON; arguments as for `find`."""
        return AsyncLocalRawBatchCursor(self.find(*args, **options))

    async def aggregate_raw_batches(
        self, pipeline: Sequence[Filter], **options: Any
    ) -> AsyncLocalRawBatchCursor:
        """Runs an aggregation pipeline and returns a cursor over batches of BSON."""
        return AsyncLocalRawBatchCursor(await self.aggregate(pipeline, **options))

    def next(self) -> NoReturn:
        """Is refused as by PyMongo: a collection is no cursor."""
        raise TypeError("'AsyncLocalCollection' object is not iterable")

    aggregate = awaited_cursor(LocalCollection.aggregate)
    watch = awaited_cursor(LocalCollection.watch)
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
    options = awaited(LocalCollection.options)
    rename = awaited(LocalCollection.rename)
    replace_one = awaited(LocalCollection.replace_one)
    update_many = awaited(LocalCollection.update_many)
    update_one = awaited(LocalCollection.update_one)
    update_search_index = awaited(LocalCollection.update_search_index)
