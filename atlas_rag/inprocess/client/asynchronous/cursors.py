"""Asynchronous cursors."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from types import TracebackType
from typing import Any, TypeVar

import bson
from pymongo.collation import Collation

from atlas_rag.inprocess.client.cursor import LocalCommandCursor, LocalCursor, Sort

Document = dict[str, Any]
Self = TypeVar("Self", bound="AsyncLocalCommandCursor")


class AsyncLocalCommandCursor:
    """An asynchronous cursor.

    Args:
        delegate: the synchronous one.
        call: runs a function here or in a worker thread.
        collection: the asynchronous one over which it goes; the delegate's where it does not matter.
    """

    address: tuple[str, int] | None = None
    """None: no server is asked."""

    def __init__(
        self,
        delegate: LocalCommandCursor,
        call: Callable[..., Coroutine[Any, Any, Any]],
        collection: Any = None,
    ) -> None:
        self.delegate = delegate
        self.collection = delegate.collection if collection is None else collection
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

    @property
    def cursor_id(self) -> int:
        """The id by which the deployment knows the cursor; 0 when nothing is left there."""
        return self.delegate.cursor_id

    @property
    def session(self) -> Any:
        """The session that its command was given."""
        return self.delegate.session

    @property
    def retrieved(self) -> int:
        """How many documents have been taken from the deployment."""
        return self.delegate.retrieved

    def batch_size(self: Self, batch_size: int) -> Self:
        """Takes documents from the deployment in batches. `batch_size` ≥ 0; 0 leaves it open."""
        self.delegate.batch_size(batch_size)
        return self

    async def try_next(self) -> Document | None:
        """Returns the next document, None where there is none now."""
        found: Document | None = await self._call(next, self.delegate, None)
        return found

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
    """The asynchronous cursor of `find`; see `LocalCursor` for its options."""

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

    def hint(self, index: str | Sort | None) -> AsyncLocalCursor:
        """Names an index, which must exist."""
        self.delegate.hint(index)
        return self

    def comment(self, comment: Any) -> AsyncLocalCursor:
        """Adds a comment to the command."""
        self.delegate.comment(comment)
        return self

    def max_time_ms(self, max_time_ms: int | None) -> AsyncLocalCursor:
        """Limits the time of the command, in milliseconds."""
        self.delegate.max_time_ms(max_time_ms)
        return self

    def max_await_time_ms(self, max_await_time_ms: int | None) -> AsyncLocalCursor:
        """Limits the time that a tailable cursor waits, in milliseconds."""
        self.delegate.max_await_time_ms(max_await_time_ms)
        return self

    def allow_disk_use(self, allow_disk_use: bool) -> AsyncLocalCursor:
        """Allows a sort to use the disk, which none needs here."""
        self.delegate.allow_disk_use(allow_disk_use)
        return self

    def collation(self, collation: Mapping[str, Any] | Collation | None) -> AsyncLocalCursor:
        """Compares text by a language's rules."""
        self.delegate.collation(collation)
        return self

    def where(self, code: str) -> AsyncLocalCursor:
        """Adds a condition in JavaScript, which the engine refuses by name."""
        self.delegate.where(code)
        return self

    def max(self, spec: Sort) -> AsyncLocalCursor:
        """Ends before an index key, which the engine refuses by name."""
        self.delegate.max(spec)
        return self

    def min(self, spec: Sort) -> AsyncLocalCursor:
        """Begins at an index key, which the engine refuses by name."""
        self.delegate.min(spec)
        return self

    def max_scan(self, max_scan: int | None) -> AsyncLocalCursor:
        """Limits how many documents are looked at, which the engine refuses by name."""
        self.delegate.max_scan(max_scan)
        return self

    def add_option(self, mask: int) -> AsyncLocalCursor:
        """Sets options by their bits; see PyMongo."""
        self.delegate.add_option(mask)
        return self

    def remove_option(self, mask: int) -> AsyncLocalCursor:
        """Takes options back by their bits."""
        self.delegate.remove_option(mask)
        return self

    async def distinct(self, key: str) -> list[Any]:
        """Returns the distinct values of a field among the documents that match."""
        values: list[Any] = await self._call(self.delegate.distinct, key)
        return values

    async def explain(self) -> Document:
        """Returns the plan of the query, and how it went."""
        plan: Document = await self._call(self.delegate.explain)
        return plan

    def clone(self) -> AsyncLocalCursor:
        """Returns a cursor with the same options that has not begun."""
        return AsyncLocalCursor(self.delegate.clone(), self._call, self.collection)

    async def rewind(self) -> AsyncLocalCursor:
        """Begins anew."""
        self.delegate.rewind()
        return self


class AsyncLocalRawBatchCursor:
    """Iterates over the batches of another cursor, each the BSON of its documents in a row."""

    def __init__(self, cursor: AsyncLocalCommandCursor) -> None:
        self._cursor = cursor

    def __aiter__(self) -> AsyncLocalRawBatchCursor:
        return self

    async def __anext__(self) -> bytes:
        first = await self._cursor.__anext__()
        return b"".join(map(bson.encode, [first, *self._cursor.delegate.buffered_rest()]))

    next = __anext__

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)
