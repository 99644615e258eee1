"""Asynchronous sessions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, TypeVar

from atlas_rag.inprocess.client.session import RETRY_SECONDS, Session, is_transient

Result = TypeVar("Result")


class AsyncLocalSession(Session):
    """A session as PyMongo Async's; see `LocalSession`."""

    async def start_transaction(self, *args: Any, **options: Any) -> AsyncLocalTransactionContext:
        """Begins a transaction with the session's next operation. As a context manager it ends it, too."""
        self._start(*args, **options)
        return AsyncLocalTransactionContext(self)

    async def commit_transaction(self) -> None:
        """Makes the transaction's changes visible and durable; again, after it was done, does nothing."""
        await asyncio.to_thread(self._commit)

    async def abort_transaction(self) -> None:
        """Forgets the transaction's changes."""
        await asyncio.to_thread(self._abort)

    async def with_transaction(
        self, callback: Callable[[AsyncLocalSession], Coroutine[Any, Any, Result]], *args: Any, **options: Any
    ) -> Result:
        """Runs the callback in a transaction, anew after each transient error; see `LocalSession`."""
        deadline = time.monotonic() + RETRY_SECONDS
        while True:
            await self.start_transaction(*args, **options)
            try:
                result = await callback(self)
                if self.in_transaction:
                    await self.commit_transaction()
                return result
            except BaseException as error:
                if self.in_transaction:
                    await self.abort_transaction()
                if not is_transient(error) or time.monotonic() > deadline:
                    raise

    async def end_session(self) -> None:
        """Ends the session, and a transaction that is still open."""
        await asyncio.to_thread(self._end)

    async def __aenter__(self) -> AsyncLocalSession:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.end_session()


class AsyncLocalTransactionContext:
    """Commits at the end of its block, or aborts where that raises."""

    def __init__(self, session: AsyncLocalSession) -> None:
        self._session = session

    async def __aenter__(self) -> AsyncLocalTransactionContext:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session.in_transaction:
            await (self._session.abort_transaction() if error else self._session.commit_transaction())
