"""`Retriever` and `AsyncRetriever`: siblings with the same arguments, each call one flow, pumped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypedDict, TypeVar, Unpack
from weakref import WeakKeyDictionary

from atlas_rag.capability import CapabilityCache, CapabilityReport
from atlas_rag.context import Budget, Context
from atlas_rag.context.build import Order
from atlas_rag.drivers.choose import async_engine_for, engine_for
from atlas_rag.embed import Embedder
from atlas_rag.errors import CallError
from atlas_rag.indexes import WantedIndex
from atlas_rag.plan import (
    DEFAULT_ROUTES,
    Input,
    KeywordInput,
    Plan,
    Planner,
    Route,
    VectorInput,
    check_inputs,
    finish,
)
from atlas_rag.query.filter import Filter
from atlas_rag.query.request import NativeReranker
from atlas_rag.rerank import Reranker
from atlas_rag.retriever.contextual import in_context
from atlas_rag.retriever.flow import as_request, retrieve
from atlas_rag.retriever.needs import FilterPaths, required_indexes
from atlas_rag.retriever.options import CallOptions, Overrides, RetrievalOptions
from atlas_rag.retriever.progress import ProgressCallback
from atlas_rag.retriever.result import Result
from atlas_rag.retriever.rewrite import QueryRewriter
from atlas_rag.retriever.setup import Question, Setup
from atlas_rag.retriever.telemetry import observed
from atlas_rag.stages import as_vector
from atlas_rag.wire import AsyncEngine, Engine, adrive, drive
from atlas_rag.wire.command import DEFAULT_TIME_LIMIT_MS

EngineType = TypeVar("EngineType", Engine, AsyncEngine)
DEFAULT_INPUTS: tuple[Input, ...] = (VectorInput(), KeywordInput())


class Settings(TypedDict, total=False):
    """Settings of a retriever, by keyword.

    Args:
        inputs: the ranked sources; default one `VectorInput()` and one `KeywordInput()`.
        options: defaults of every call; a call overrides single fields.
        store_filter: what any question may find, AND-ed with that of `options`; no call can widen it.
        embedder: turns questions into vectors where a call brings none.
        reranker: gives the final order. rewriter: turns a question into one that stands alone.
        progress: told of every stage that has ended.
        routes: allowed ways to fuse, in order of preference.
        capabilities: where capability reports are kept; default a cache of its own, 300 s.
        time_limit_ms: server-side time limit of every command, default 30 000.
        retriever_id: names this retriever in evidence; default the namespace.
        text_path, title_path: where a document's text and title are, for rerankers and context.
        evidence_key: key of the HMAC of questions in evidence.
    """

    inputs: Sequence[Input]
    options: RetrievalOptions
    store_filter: Filter | Mapping[str, Any] | None
    embedder: Embedder | None
    reranker: Reranker | NativeReranker | None
    rewriter: QueryRewriter | None
    progress: ProgressCallback | None
    routes: Sequence[Route]
    capabilities: CapabilityCache | None
    time_limit_ms: int
    retriever_id: str
    text_path: str
    title_path: str
    evidence_key: bytes | None


class _Retriever(Generic[EngineType]):
    """What both siblings share: settings, and how a call becomes a question. No state of any call."""

    _engine: EngineType

    def __init__(self, engine: EngineType, settings: Settings) -> None:
        self._engine = engine
        self._setup = _setup(engine.namespace, settings)
        self._overrides = Overrides(self._setup.options)

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self._setup.inputs)
        return f"{type(self).__name__}({self._setup.retriever_id!r}, inputs: {names})"

    @property
    def setup(self) -> Setup:
        """The components and settings, without the client: frozen, and picklable where they are."""
        return self._setup

    def plan(self, report: CapabilityReport, text: str | None = None, **options: Unpack[CallOptions]) -> Plan:
        """What a call would send on a deployment with this report. Nothing is sent or embedded.

        Raises:
            CallError, RetrievalError, SearchIndexError.
        """
        question = self._question(text, options)
        request = as_request(question, self._setup)
        return finish(self._setup.planner.begin(request, question.options, report))

    def _fresh(self) -> CapabilityReport | None:
        return self._setup.capabilities.fresh(self._engine.namespace)

    def required_indexes(
        self,
        *,
        filter_paths: FilterPaths = (),
        dimensions: int | None = None,
        similarity: str = "cosine",
        analyzer: str | None = None,
        by_content: bool = False,
    ) -> tuple[WantedIndex, ...]:
        """The search indexes that this retriever needs, to be planned, applied or compared with a report.

        Derived from the input pipelines (index names, paths), the embedder, and the filters that every call
        has (paths, and types of the values).

        Args:
            filter_paths: further paths that calls will filter by: strings, or a mapping of path to token,
                number, date, boolean, objectId or uuid.
            dimensions: of the vectors; default the embedder's. similarity: cosine, dotProduct or euclidean.
            analyzer: of all text fields; default the engine's, `lucene.standard`.
            by_content: name each index `<name>-<digest>`, so that equal definitions share a name.

        Raises:
            CallError: INVALID_OPTION, the dimensions are not known; INVALID_DEFINITION, a path cannot serve
                both words and patterns.
        """
        return required_indexes(
            self._setup,
            filter_paths=filter_paths,
            dimensions=dimensions,
            similarity=similarity,
            analyzer=analyzer,
            by_content=by_content,
        )

    def _question(self, text: str | None, options: CallOptions, history: Sequence[str] = ()) -> Question:
        given: dict[str, Any] = dict(options)
        vector = given.pop("vector", None)
        if text is not None and not isinstance(text, str):
            raise CallError(f"The question is a {type(text).__name__}", expected="a string")
        if text is None and vector is None:
            raise CallError("There is no question", expected="text, a vector, or both")
        return Question(
            text=text,
            vector=None if vector is None else as_vector(vector),
            options=self._overrides.apply(given),
            history=tuple(history),
        )


class Retriever(_Retriever[Engine]):
    """Hybrid retrieval over one collection, synchronous. Nothing is sent before the first `retrieve`.

    Args:
        collection: a PyMongo `Collection` or a `LocalClient` collection; the caller owns its client.
        settings: see `Settings`.

    Raises:
        CallError: UNSUPPORTED_CLIENT, INVALID_OPTION.
    """

    def __init__(self, collection: Any, **settings: Unpack[Settings]) -> None:
        super().__init__(engine_for(collection), settings)
        self._probing = threading.Lock()

    def capability(self) -> CapabilityReport:
        """What the deployment can do for this collection; probed once per lifetime, by one caller."""
        report = self._fresh()
        if report is None:
            with self._probing:
                report = drive(self._setup.capabilities.report(self._engine.namespace), self._engine)
        return report

    def retrieve(
        self, text: str | None = None, *, history: Sequence[str] = (), **options: Unpack[CallOptions]
    ) -> Result:
        """Answers one question.

        Args:
            text: the question; may be None where `vector` is given.
            history: what was said before, oldest first, for the query rewriter.
            options: overrides of single fields, see `RetrievalOptions`.

        Raises:
            CallError, RetrievalError, SearchIndexError: before any search is sent.
            ServerError: whatever the deployment answers.
        """
        question = self._question(text, options, history)
        report = self.capability()
        with observed(self._setup, question, self._engine.namespace) as observe:
            return observe(drive(retrieve(report, question, self._setup), self._engine))

    def context(self, result: Result, budget: Budget | None = None, *, order: Order = "relevance") -> Context:
        """A prompt block of a result's hits; `include_metadata` and `include_reference` of its call count.

        Raises:
            RetrievalError: RAG_CONTEXT_BUDGET_TOO_SMALL (7204).
        """
        return drive(in_context(result, self._setup, budget, order), self._engine)


class AsyncRetriever(_Retriever[AsyncEngine]):
    """Hybrid retrieval over one collection, asynchronous. Arguments and errors: see `Retriever`.

    Also takes a PyMongo `AsyncCollection` (no thread anywhere), a Motor collection, or an
    `AsyncLocalClient` collection. One object serves any number of calls at once.
    """

    def __init__(self, collection: Any, **settings: Unpack[Settings]) -> None:
        super().__init__(async_engine_for(collection), settings)
        self._probing: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    async def capability(self) -> CapabilityReport:
        """What the deployment can do for this collection; probed once per lifetime, by one caller."""
        report = self._fresh()
        if report is None:
            async with self._probing.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
                report = await adrive(self._setup.capabilities.report(self._engine.namespace), self._engine)
        return report

    async def retrieve(
        self, text: str | None = None, *, history: Sequence[str] = (), **options: Unpack[CallOptions]
    ) -> Result:
        """Answers one question. Arguments and errors: see `Retriever.retrieve`."""
        question = self._question(text, options, history)
        report = self._fresh() or await self.capability()
        with observed(self._setup, question, self._engine.namespace) as observe:
            return observe(await adrive(retrieve(report, question, self._setup), self._engine))

    async def context(
        self, result: Result, budget: Budget | None = None, *, order: Order = "relevance"
    ) -> Context:
        """A prompt block of a result's hits; see `Retriever.context`."""
        return await adrive(in_context(result, self._setup, budget, order), self._engine)


def _setup(namespace: str, settings: Settings) -> Setup:
    given: dict[str, Any] = dict(settings)
    unknown = sorted(given.keys() - Settings.__annotations__.keys())
    if unknown:
        raise CallError(
            f"There is no setting {unknown[0]!r}", expected=f"one of {', '.join(Settings.__annotations__)}"
        )
    inputs = tuple(given.pop("inputs", DEFAULT_INPUTS))
    check_inputs(inputs)
    limit = given.pop("time_limit_ms", DEFAULT_TIME_LIMIT_MS)
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise CallError(f"time_limit_ms is {limit!r}", expected="milliseconds, 1 or more")
    options: RetrievalOptions = given.pop("options", RetrievalOptions())
    store_filter = given.pop("store_filter", None)
    if store_filter is not None:
        options = options.override({"store_filter": store_filter})
    return Setup(
        retriever_id=given.pop("retriever_id", "") or namespace,
        inputs=inputs,
        planner=Planner(inputs, tuple(map(Route, given.pop("routes", DEFAULT_ROUTES)))),
        options=options,
        capabilities=given.pop("capabilities", None) or CapabilityCache(),
        time_limit_ms=limit,
        **given,
    )
