"""Asynchronous databases."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, Unpack

from atlas_rag.inprocess.client.asynchronous.calls import awaited, awaited_cursor
from atlas_rag.inprocess.client.asynchronous.collection import AsyncLocalCollection
from atlas_rag.inprocess.client.asynchronous.options import OptionedFace
from atlas_rag.inprocess.client.database import LocalDatabase
from atlas_rag.inprocess.client.options import Options

if TYPE_CHECKING:
    from atlas_rag.inprocess.client.asynchronous.client import AsyncLocalClient

Document = dict[str, Any]
Result = TypeVar("Result")


class AsyncLocalDatabase(OptionedFace):
    """A database with PyMongo Async's methods; see `LocalDatabase`."""

    delegate: LocalDatabase

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

    def __bool__(self) -> bool:
        raise NotImplementedError("a database has no truth value; compare with None instead")

    def get_collection(self, name: str, **options: Unpack[Options]) -> AsyncLocalCollection:
        """Returns a collection, whether it exists or not; see `options.check_options`."""
        return AsyncLocalCollection(self, self.delegate.get_collection(name, **options))

    def with_options(self, **options: Unpack[Options]) -> AsyncLocalDatabase:
        """Returns the database with these options; see `options.check_options`."""
        return AsyncLocalDatabase(self.client, self.delegate.with_options(**options))

    async def create_collection(self, name: str, **options: Any) -> AsyncLocalCollection:
        """Makes an empty collection. Raises `CollectionInvalid` when it exists and `check_exists` is set."""
        return AsyncLocalCollection(self, self.delegate.create_collection(name, **options))

    def next(self) -> NoReturn:
        """Is refused as by PyMongo: a database is no cursor."""
        raise TypeError("'AsyncLocalDatabase' object is not iterable")

    async def _call(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Result:
        return await asyncio.to_thread(function, *args, **kwargs)

    aggregate = awaited_cursor(LocalDatabase.aggregate)
    cursor_command = awaited_cursor(LocalDatabase.cursor_command)
    list_collections = awaited_cursor(LocalDatabase.list_collections)
    watch = awaited_cursor(LocalDatabase.watch)

    command = awaited(LocalDatabase.command)
    dereference = awaited(LocalDatabase.dereference)
    drop_collection = awaited(LocalDatabase.drop_collection)
    list_collection_names = awaited(LocalDatabase.list_collection_names)
    validate_collection = awaited(LocalDatabase.validate_collection)
