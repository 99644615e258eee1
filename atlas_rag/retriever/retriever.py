"""`Retriever` and `AsyncRetriever`: siblings with the same arguments, each call one flow, pumped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack
from weakref import WeakKeyDictionary

from atlas_rag.drivers import async_engine_for, engine_for
from atlas_rag.hits.document import Document
from atlas_rag.query.options import CallOptions
from atlas_rag.retriever.front import OWN, Front, with_options
from atlas_rag.retriever.many import DEFAULT_CONCURRENCY, Outcome, check_many, each, each_async
from atlas_rag.retriever.telemetry import observed
from atlas_rag.wire import AsyncEngine, Engine, adrive, drive

if TYPE_CHECKING:
    from atlas_rag.capability import CapabilityReport
    from atlas_rag.context import Budget, Context
    from atlas_rag.context.build import Order
    from atlas_rag.indexes import IndexState, Problem, WantedIndex
    from atlas_rag.loading import LoadReport
    from atlas_rag.loading.item import Source
    from atlas_rag.retriever.explain import Explanation
    from atlas_rag.retriever.result import Result


class Retriever(Front[Engine, Document]):
    """Hybrid retrieval over one collection, synchronous. Nothing is sent before the first `retrieve`.

    Type checkers know what a hit holds: `Retriever(collection, document=Note)` is a `Retriever[Note]`.
    """

    _engine_for = staticmethod(engine_for)
    _asynchronous = False

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
        self,
        text: str | None = None,
        *,
        history: Sequence[str] = (),
        reranker: Any = OWN,
        **options: Unpack[CallOptions],
    ) -> Result[Document]:
        """Answers one question.

        Args:
            text: the question; may be None where `vector` is given.
            history: what was said before, oldest first, for the query rewriter.
            reranker: gives the final order of this call in place of the retriever's; None for no reranking.

        Raises:
            CallError, RetrievalError, SearchIndexError: before any search is sent.
            ServerError: whatever the deployment answers.
        """
        request, setup = self._request(text, options, history), self._setup_with(reranker)
        cached = self._fresh()
        report = cached or self.capability()
        with observed(setup, request) as observe:
            flow = self._answer(report, request, setup, cached=cached is not None)
            return observe(drive(flow, self._engine))

    def context(self, result: Result, budget: Budget | None = None, *, order: Order = "relevance") -> Context:
        """A prompt block of a result's hits; `include_metadata` and `include_reference` of its call count.

        Raises:
            RetrievalError: RAG_CONTEXT_BUDGET_TOO_SMALL (7204).
            CallError: INVALID_OPTION for an order by recency where documents have nothing at `updated_path`.
        """
        return drive(self._pack(result, budget, order), self._engine)

    def retrieve_many(
        self,
        questions: Sequence[str],
        *,
        concurrency: int = DEFAULT_CONCURRENCY,
        **options: Unpack[CallOptions],
    ) -> list[Outcome]:
        """Answers several questions at once; an error of one is its outcome, in its place.

        Args:
            concurrency: questions under way at most, ≥ 1; default 8.
        """
        check_many(questions, concurrency)
        return each(lambda question: self.retrieve(question, **options), questions, concurrency)

    def explain(self, text: str | None = None, **options: Unpack[CallOptions]) -> Explanation:
        """Answers one question and tells why: plan, reasons of each hit, what the filter cut, times.

        `print` it; `to_dict()` is its JSON form. Both hold the question and documents.
        """
        from atlas_rag.retriever.explain import explain

        return drive(explain(self.retrieve(text, **options), self._setup), self._engine)

    def ensure_indexes(
        self,
        wanted: Sequence[WantedIndex] | None = None,
        *,
        allow: Collection[str] = (),
        timeout: float = 300.0,
    ) -> tuple[IndexState, ...]:
        """Creates or updates the search indexes, and waits until they can be queried; again: nothing to do.

        Args:
            wanted: default `required_indexes()`. allow: names whose dangerous change is wanted.
            timeout: seconds to wait.

        Raises:
            SearchIndexError, ServerError.
        """
        from atlas_rag.retriever.upkeep import ensuring

        return drive(ensuring(self._setup, wanted or self.required_indexes(), allow, timeout), self._engine)

    def load(self, items: Iterable[Mapping[str, Any]] | Source) -> LoadReport:
        """Embeds documents and upserts them under their `_id`; what is stored already is left alone.

        Args:
            items: documents with a text at `text_path`, or what `atlas_rag.loading.read_jsonl` gives.

        Raises:
            CallError: INVALID_OPTION without an embedder. RetrievalError: PROVIDER_FAILED. ServerError.
        """
        from atlas_rag.retriever.upkeep import loading

        return drive(loading(self._setup, items), self._engine)

    def check_documents(
        self, wanted: Sequence[WantedIndex] | None = None, *, sample: int = 1000
    ) -> tuple[int, tuple[Problem, ...]]:
        """How many documents were read, and what of them would silently not be found.

        Args:
            wanted: index definitions; default `required_indexes()`. sample: documents to read.
        """
        from atlas_rag.retriever.upkeep import checking

        return drive(checking(self._setup, wanted or self.required_indexes(), sample), self._engine)


class AsyncRetriever(Front[AsyncEngine, Document]):
    """Hybrid retrieval over one collection, asynchronous. One object serves any number of calls at once.

    Takes a PyMongo `AsyncCollection` (no thread anywhere), a Motor collection, or an in-process collection;
    a synchronous PyMongo collection runs in threads.
    """

    _engine_for = staticmethod(async_engine_for)
    _asynchronous = True

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
        self,
        text: str | None = None,
        *,
        history: Sequence[str] = (),
        reranker: Any = OWN,
        **options: Unpack[CallOptions],
    ) -> Result[Document]:
        """Answers one question. Arguments and errors: see `Retriever.retrieve`."""
        request, setup = self._request(text, options, history), self._setup_with(reranker)
        cached = self._fresh()
        report = cached or await self.capability()
        with observed(setup, request) as observe:
            flow = self._answer(report, request, setup, cached=cached is not None)
            return observe(await adrive(flow, self._engine))

    async def context(
        self, result: Result, budget: Budget | None = None, *, order: Order = "relevance"
    ) -> Context:
        """A prompt block of a result's hits; see `Retriever.context`."""
        return await adrive(self._pack(result, budget, order), self._engine)

    async def retrieve_many(
        self,
        questions: Sequence[str],
        *,
        concurrency: int = DEFAULT_CONCURRENCY,
        **options: Unpack[CallOptions],
    ) -> list[Outcome]:
        """Answers several questions at once; see `Retriever.retrieve_many`."""
        check_many(questions, concurrency)
        return await each_async(lambda question: self.retrieve(question, **options), questions, concurrency)

    async def explain(self, text: str | None = None, **options: Unpack[CallOptions]) -> Explanation:
        """Answers one question and tells why; see `Retriever.explain`."""
        from atlas_rag.retriever.explain import explain

        return await adrive(explain(await self.retrieve(text, **options), self._setup), self._engine)

    async def ensure_indexes(
        self,
        wanted: Sequence[WantedIndex] | None = None,
        *,
        allow: Collection[str] = (),
        timeout: float = 300.0,  # noqa: ASYNC109 - polls by the injected clock, and says what it waited for
    ) -> tuple[IndexState, ...]:
        """Creates or updates the search indexes; see `Retriever.ensure_indexes`."""
        from atlas_rag.retriever.upkeep import ensuring

        return await adrive(
            ensuring(self._setup, wanted or self.required_indexes(), allow, timeout), self._engine
        )

    async def load(self, items: Iterable[Mapping[str, Any]] | Source) -> LoadReport:
        """Embeds documents and upserts them; see `Retriever.load`."""
        from atlas_rag.retriever.upkeep import loading

        return await adrive(loading(self._setup, items), self._engine)

    async def check_documents(
        self, wanted: Sequence[WantedIndex] | None = None, *, sample: int = 1000
    ) -> tuple[int, tuple[Problem, ...]]:
        """What would silently not be found; see `Retriever.check_documents`."""
        from atlas_rag.retriever.upkeep import checking

        return await adrive(checking(self._setup, wanted or self.required_indexes(), sample), self._engine)
