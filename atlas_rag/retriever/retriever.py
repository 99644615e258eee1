"""`Retriever` and `AsyncRetriever`: siblings with the same arguments, each call one flow, pumped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Unpack
from weakref import WeakKeyDictionary

from atlas_rag.capability import CapabilityReport
from atlas_rag.context import Budget, Context
from atlas_rag.context.build import Order
from atlas_rag.drivers import async_engine_for, engine_for
from atlas_rag.query.options import CallOptions
from atlas_rag.retriever.contextual import in_context
from atlas_rag.retriever.flow import retrieve
from atlas_rag.retriever.front import Front, with_options
from atlas_rag.retriever.result import Result
from atlas_rag.retriever.telemetry import observed
from atlas_rag.wire import AsyncEngine, Engine, adrive, drive


class Retriever(Front[Engine]):
    """Hybrid retrieval over one collection, synchronous. Nothing is sent before the first `retrieve`."""

    _engine_for = staticmethod(engine_for)

    def _prepare(self) -> None:
        self._probing = threading.Lock()

    def capability(self) -> CapabilityReport:
        """What the deployment can do for this collection; probed once per lifetime, by one caller."""
        report = self._fresh()
        if report is None:
            with self._probing:
                report = drive(self._setup.capabilities.report(self._setup.namespace), self._engine)
        return report

    @with_options
    def retrieve(
        self, text: str | None = None, *, history: Sequence[str] = (), **options: Unpack[CallOptions]
    ) -> Result:
        """Answers one question.

        Args:
            text: the question; may be None where `vector` is given.
            history: what was said before, oldest first, for the query rewriter.

        Raises:
            CallError, RetrievalError, SearchIndexError: before any search is sent.
            ServerError: whatever the deployment answers.
        """
        request = self._request(text, options, history)
        cached = self._fresh()
        report = cached or self.capability()
        with observed(self._setup, request) as observe:
            flow = retrieve(report, request, self._setup, cached=cached is not None)
            return observe(drive(flow, self._engine))

    def context(self, result: Result, budget: Budget | None = None, *, order: Order = "relevance") -> Context:
        """A prompt block of a result's hits; `include_metadata` and `include_reference` of its call count.

        Raises:
            RetrievalError: RAG_CONTEXT_BUDGET_TOO_SMALL (7204).
            CallError: INVALID_OPTION for an order by recency where documents have nothing at `updated_path`.
        """
        return drive(in_context(result, self._setup, budget, order), self._engine)


class AsyncRetriever(Front[AsyncEngine]):
    """Hybrid retrieval over one collection, asynchronous. One object serves any number of calls at once.

    Takes a PyMongo `AsyncCollection` (no thread anywhere), a Motor collection, or an in-process collection;
    a synchronous PyMongo collection runs in threads.
    """

    _engine_for = staticmethod(async_engine_for)

    def _prepare(self) -> None:
        self._probing: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    async def capability(self) -> CapabilityReport:
        """What the deployment can do for this collection; probed once per lifetime, by one caller."""
        report = self._fresh()
        if report is None:
            async with self._probing.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
                report = await adrive(self._setup.capabilities.report(self._setup.namespace), self._engine)
        return report

    @with_options
    async def retrieve(
        self, text: str | None = None, *, history: Sequence[str] = (), **options: Unpack[CallOptions]
    ) -> Result:
        """Answers one question. Arguments and errors: see `Retriever.retrieve`."""
        request = self._request(text, options, history)
        cached = self._fresh()
        report = cached or await self.capability()
        with observed(self._setup, request) as observe:
            flow = retrieve(report, request, self._setup, cached=cached is not None)
            return observe(await adrive(flow, self._engine))

    async def context(
        self, result: Result, budget: Budget | None = None, *, order: Order = "relevance"
    ) -> Context:
        """A prompt block of a result's hits; see `Retriever.context`."""
        return await adrive(in_context(result, self._setup, budget, order), self._engine)
