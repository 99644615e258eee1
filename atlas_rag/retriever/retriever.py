"""`Retriever` and `AsyncRetriever`: siblings with the same arguments, each call one protocol, pumped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar, Unpack

from atlas_rag.capability import CapabilityCache, CapabilityReport
from atlas_rag.embed import Embedder
from atlas_rag.engines.choose import async_engine_for, engine_for
from atlas_rag.errors import CallError
from atlas_rag.plan import Input, KeywordInput, Plan, Route, VectorInput, check_inputs, make_plan
from atlas_rag.query.filter import Filter
from atlas_rag.query.request import Request
from atlas_rag.retriever.flow import Setup, retrieve
from atlas_rag.retriever.options import RetrieveOptions, to_request
from atlas_rag.retriever.result import Result
from atlas_rag.wire import AsyncEngine, Engine, adrive, drive
from atlas_rag.wire.command import DEFAULT_TIME_LIMIT_MS

EngineType = TypeVar("EngineType", Engine, AsyncEngine)
DEFAULT_INPUTS: tuple[Input, ...] = (VectorInput(), KeywordInput())
DEFAULT_ROUTES = (Route.NATIVE, Route.EMULATED, Route.CLIENT)


class _Retriever(Generic[EngineType]):
    """What both siblings share: settings, and how a call becomes a request. No state of any call."""

    _engine: EngineType

    def __init__(
        self,
        engine: EngineType,
        inputs: Sequence[Input],
        embedder: Embedder | None,
        store_filter: Filter | None,
        routes: Sequence[Route],
        capabilities: CapabilityCache | None,
        time_limit_ms: int,
        retriever_id: str,
    ) -> None:
        check_inputs(tuple(inputs))
        if isinstance(time_limit_ms, bool) or not isinstance(time_limit_ms, int) or time_limit_ms < 1:
            raise CallError(f"time_limit_ms is {time_limit_ms!r}", expected="milliseconds, 1 or more")
        self._engine = engine
        self._store_filter = store_filter
        self._setup = Setup(
            retriever_id=retriever_id or engine.namespace,
            inputs=tuple(inputs),
            embedder=embedder,
            routes=tuple(Route(route) for route in routes),
            capabilities=capabilities if capabilities is not None else CapabilityCache(),
            time_limit_ms=time_limit_ms,
        )

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self._setup.inputs)
        return f"{type(self).__name__}({self._setup.retriever_id!r}, inputs: {names})"

    def plan(self, request: Request, report: CapabilityReport) -> Plan:
        """What would be sent for a request on a deployment with this report; nothing is sent."""
        return make_plan(request, self._setup.inputs, report, self._setup.routes)

    def request(self, text: str | None = None, **options: Unpack[RetrieveOptions]) -> Request:
        """The request that `retrieve` makes of the same arguments.

        Raises:
            CallError: INVALID_OPTION, INVALID_FILTER, INVALID_VECTOR, VALUE_NOT_LITERAL.
        """
        return to_request(text, self._store_filter, options)


class Retriever(_Retriever[Engine]):
    """Hybrid retrieval over one collection, synchronous.

    Args:
        collection: a PyMongo `Collection` or a `LocalClient` collection; the caller owns its client.
        inputs: the ranked sources; default one `VectorInput()` and one `KeywordInput()`.
        embedder: turns questions into vectors where a call brings none.
        store_filter: what any question may find; no call can widen it.
        routes: allowed ways to fuse, in order of preference.
        capabilities: where capability reports are kept; default a cache of its own, 300 s.
        time_limit_ms: server-side time limit of every command.
        retriever_id: names this retriever in evidence; default the namespace.

    Nothing is sent before the first `retrieve`.

    Raises:
        CallError: UNSUPPORTED_CLIENT, INVALID_OPTION.
    """

    def __init__(
        self,
        collection: Any,
        *,
        inputs: Sequence[Input] = DEFAULT_INPUTS,
        embedder: Embedder | None = None,
        store_filter: Filter | None = None,
        routes: Sequence[Route] = DEFAULT_ROUTES,
        capabilities: CapabilityCache | None = None,
        time_limit_ms: int = DEFAULT_TIME_LIMIT_MS,
        retriever_id: str = "",
    ) -> None:
        super().__init__(
            engine_for(collection),
            inputs,
            embedder,
            store_filter,
            routes,
            capabilities,
            time_limit_ms,
            retriever_id,
        )

    def capability(self) -> CapabilityReport:
        """What the deployment can do for this collection; probed once per lifetime."""
        return drive(self._setup.capabilities.report(self._engine.namespace), self._engine)

    def retrieve(self, text: str | None = None, **options: Unpack[RetrieveOptions]) -> Result:
        """Answers one question. Options: see `RetrieveOptions`.

        Raises:
            CallError, RetrievalError, SearchIndexError: before any search is sent.
            ServerError: whatever the deployment answers.
        """
        request = self.request(text, **options)
        return drive(retrieve(self._engine.namespace, request, self._setup), self._engine)


class AsyncRetriever(_Retriever[AsyncEngine]):
    """Hybrid retrieval over one collection, asynchronous. Arguments and errors: see `Retriever`.

    Also takes a PyMongo `AsyncCollection` (no thread anywhere), a Motor collection, or an
    `AsyncLocalClient` collection. One object serves any number of calls at once.
    """

    def __init__(
        self,
        collection: Any,
        *,
        inputs: Sequence[Input] = DEFAULT_INPUTS,
        embedder: Embedder | None = None,
        store_filter: Filter | None = None,
        routes: Sequence[Route] = DEFAULT_ROUTES,
        capabilities: CapabilityCache | None = None,
        time_limit_ms: int = DEFAULT_TIME_LIMIT_MS,
        retriever_id: str = "",
    ) -> None:
        super().__init__(
            async_engine_for(collection),
            inputs,
            embedder,
            store_filter,
            routes,
            capabilities,
            time_limit_ms,
            retriever_id,
        )

    async def capability(self) -> CapabilityReport:
        """What the deployment can do for this collection; probed once per lifetime."""
        return await adrive(self._setup.capabilities.report(self._engine.namespace), self._engine)

    async def retrieve(self, text: str | None = None, **options: Unpack[RetrieveOptions]) -> Result:
        """Answers one question. Options and errors: see `Retriever.retrieve`."""
        request = self.request(text, **options)
        return await adrive(retrieve(self._engine.namespace, request, self._setup), self._engine)
