"""What both retrievers share: their settings, and how a call becomes a request. No state of any call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Never, Self, TypeVar, Unpack

from atlas_rag.hits.document import Document
from atlas_rag.plan.draft import DEFAULT_ROUTES, Route
from atlas_rag.query.filter import Filter
from atlas_rag.query.options import CallOptions, RetrievalOptions
from atlas_rag.query.refusal import unknown_name
from atlas_rag.query.request import NativeReranker, Request
from atlas_rag.retriever.multi_query import MultiQuery
from atlas_rag.retriever.progress import ProgressCallback
from atlas_rag.retriever.rewrite import QueryRewriter
from atlas_rag.retriever.settings import check_required, make_setup, with_reranker
from atlas_rag.retriever.setup import Setup
from atlas_rag.stages.vector import as_vector
from atlas_rag.wire import AsyncEngine, Engine, Flow
from atlas_rag.wire.command import DEFAULT_TIME_LIMIT_MS

if TYPE_CHECKING:
    from atlas_rag.capability import CapabilityCache, CapabilityReport
    from atlas_rag.context import Budget, Context
    from atlas_rag.context.build import Order
    from atlas_rag.indexes import WantedIndex
    from atlas_rag.plan import Fusion, Input, Plan
    from atlas_rag.recipes import Recipe
    from atlas_rag.rerank import Reranker
    from atlas_rag.retriever.needs import FilterPaths
    from atlas_rag.retriever.result import Result

EngineType = TypeVar("EngineType", Engine, AsyncEngine)
Call = TypeVar("Call", bound=Callable[..., Any])

OWN: Any = type("Own", (), {"__repr__": lambda self: "the retriever's own"})()
"""What a call says that has no component of its own."""


def with_options(call: Call) -> Call:
    """Shows every option, with its default, in the signature and the docstring that `help` prints."""
    own = [one for one in inspect.signature(call).parameters.values() if one.name != "options"]
    listed = [
        inspect.Parameter("vector", inspect.Parameter.KEYWORD_ONLY, default=None),
        inspect.Parameter("mode", inspect.Parameter.KEYWORD_ONLY, default="hybrid"),
        *(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in RetrievalOptions.defaults().items()
            if name != "search_mode"
        ),
    ]
    call.__signature__ = inspect.Signature([*own, *listed])  # type: ignore[attr-defined]
    described = (
        inspect.cleandoc(RetrievalOptions.__doc__ or "").partition("Args:\n")[2].partition("\nRaises:")[0]
    )
    call.__doc__ = (
        f"{inspect.cleandoc(call.__doc__ or '')}\n\nOptions, each for this call alone:\n{described}"
    )
    return call


class Front(Generic[EngineType, Document]):
    """The settings of a retriever, and what follows from them without asking a deployment."""

    _engine: EngineType
    _asynchronous: ClassVar[bool]

    def __init__(
        self,
        collection: Any,
        *,
        inputs: Sequence[Input] | None = None,
        fusion: Fusion | None = None,
        options: RetrievalOptions | Mapping[str, Any] | None = None,
        store_filter: Filter | Mapping[str, Any] | None = None,
        embedder: Any = None,
        reranker: Reranker | NativeReranker | None = None,
        rewriter: QueryRewriter | None = None,
        multi_query: MultiQuery | None = None,
        progress: ProgressCallback | None = None,
        routes: Sequence[Route | str] = DEFAULT_ROUTES,
        capabilities: CapabilityCache | None = None,
        time_limit_ms: int = DEFAULT_TIME_LIMIT_MS,
        retriever_id: str = "",
        text_path: str = "text",
        title_path: str = "title",
        updated_path: str = "updated_at",
        evidence_key: bytes | None = None,
        required_filters: Sequence[str] = (),
        document: type[Document] | None = None,
        **unknown: Never,
    ) -> None:
        """Checks the settings; nothing is sent.

        Args:
            collection: a PyMongo, PyMongo Async, Motor or in-process collection; the caller owns its client.
            inputs: the ranked sources; default one `VectorInput()` and one `KeywordInput()`.
            fusion: how several ranked lists become one; default `Fusion.rank()`.
            options: defaults of every call, `RetrievalOptions` or a mapping; a call overrides single fields.
            store_filter: what any question may find, AND-ed with that of `options`; no call can widen it.
            embedder: turns questions into vectors where a call brings none.
            reranker: gives the final order. rewriter: turns a question into one that stands alone.
            multi_query: asks every question in several wordings.
            progress: told of every stage that has ended.
            routes: allowed ways to fuse, in order of preference; default native, emulated, client.
            capabilities: where capability reports are kept; default a cache of its own, 300 s.
            time_limit_ms: server-side time limit of every call, default 30 000.
            retriever_id: names this retriever in evidence; default the namespace.
            text_path, title_path, updated_path: where a document's text, title and time of change are, for
                rerankers and context; default text, title and updated_at.
            evidence_key: key of the HMAC of questions in evidence.
            required_filters: paths, such as "tenant", that the filter of every call has to name.
            document: a pydantic model or a dataclass that `hit.document` is to be an object of; a field `id`
                takes `_id`. Default: documents are mappings, as they also are at `hit.fields`.

        Raises:
            CallError: UNSUPPORTED_CLIENT, INVALID_OPTION.
        """
        if unknown:
            names = [
                name
                for name in inspect.signature(make_setup).parameters
                if name not in ("namespace", "asynchronous")
            ]
            raise unknown_name("setting", next(iter(unknown)), names)
        self._engine = self._engine_for(collection)
        self._setup = make_setup(
            self._engine.namespace,
            inputs=inputs,
            fusion=fusion,
            options=options,
            store_filter=store_filter,
            embedder=embedder,
            reranker=reranker,
            rewriter=rewriter,
            multi_query=multi_query,
            progress=progress,
            routes=routes,
            capabilities=capabilities,
            time_limit_ms=time_limit_ms,
            retriever_id=retriever_id,
            text_path=text_path,
            title_path=title_path,
            updated_path=updated_path,
            evidence_key=evidence_key,
            required_filters=required_filters,
            document=document,
            asynchronous=self._asynchronous,
        )
        self._prepare()

    def _prepare(self) -> None:
        """What a sibling keeps beside its settings."""

    @staticmethod
    def _engine_for(collection: Any) -> Any:
        """The engine that runs commands for a collection."""
        raise NotImplementedError

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self._setup.inputs)
        given = self._setup.embedder
        embedder = "" if given is None else f", embedder: {given.id}{', blocking' * given.blocking}"
        return f"{type(self).__name__}({self._setup.retriever_id!r}, inputs: {names}{embedder})"

    @property
    def setup(self) -> Setup:
        """The components and settings, without the client: frozen, and picklable where they are."""
        return self._setup

    @with_options
    def plan(self, report: CapabilityReport, text: str | None = None, **options: Unpack[CallOptions]) -> Plan:
        """What a call would send on a deployment with this report. Nothing is sent or embedded.

        Raises:
            CallError, RetrievalError, SearchIndexError.
        """
        from atlas_rag.plan import begin, finish

        return finish(begin(self._request(text, options), self._setup.setting, report))

    def required_indexes(
        self,
        *,
        filter_paths: FilterPaths = (),
        documents: Iterable[Mapping[str, Any]] = (),
        dimensions: int | None = None,
        similarity: str = "cosine",
        analyzer: str | None = None,
        by_content: bool = False,
    ) -> tuple[WantedIndex, ...]:
        """The search indexes that this retriever needs, to be planned, applied or compared with a report.

        Derived from the input pipelines (index names, paths), the embedder (dimensions, and the analyzer of
        its `language` where it names one), the filters that every call has (paths, and types of the values),
        and a sample of the documents where one is given.

        Args:
            filter_paths: further paths that calls will filter by, or a mapping of path to token, number,
                date, boolean, objectId or uuid. Without a type a path has that of the documents, else token.
            documents: a sample. It decides types of filter paths, 64-bit integers, and whether vectors are
                in an array of parts (`nestedRoot`).
            dimensions: of the vectors; default the embedder's. similarity: cosine, dotProduct or euclidean.
            analyzer: of all text fields; default the embedder's language, else `lucene.standard`.
            by_content: name each index `<name>-<digest>`, so that equal definitions share a name.

        Raises:
            CallError: INVALID_OPTION, the dimensions are not known; INVALID_DEFINITION, a path cannot serve
                both words and patterns.
        """
        from atlas_rag.retriever.needs import required_indexes

        return required_indexes(
            self._setup,
            filter_paths=filter_paths,
            documents=documents,
            dimensions=dimensions,
            similarity=similarity,
            analyzer=analyzer,
            by_content=by_content,
        )

    @classmethod
    def from_recipe(cls, recipe: Recipe | str | Path, collection: Any, **settings: Any) -> Self:
        """A retriever as a recipe says: input pipelines, fusion, options, and what every call must give.

        Args:
            recipe: a name of a recipe that comes along, a file that ends in .toml, or a recipe that was read.
            settings: everything else, as the constructor takes it; options are laid over the recipe's.

        Raises:
            CallError: INVALID_OPTION, the embedder is not the one that the recipe's vectors come from.
        """
        from atlas_rag.recipes import Recipe, check_embedder, read_recipe

        found = recipe if isinstance(recipe, Recipe) else read_recipe(recipe)
        check_embedder(found, settings.get("embedder"))
        options = found.call_options(settings.pop("options", None))
        own: dict[str, Any] = {
            "inputs": found.inputs,
            "fusion": found.fusion,
            "retriever_id": found.id,
            "required_filters": found.required_filters,
        }
        return cls(collection, **{**own, **settings, "options": options})

    # What answers a question loads with the first one.

    def _answer(
        self, report: CapabilityReport, request: Request, setup: Setup, *, cached: bool
    ) -> Flow[Result[Document]]:
        from atlas_rag.retriever.flow import retrieve

        return retrieve(report, request, setup, cached=cached)

    def _pack(self, result: Result, budget: Budget | None, order: Order) -> Flow[Context]:
        from atlas_rag.retriever.contextual import in_context

        return in_context(result, self._setup, budget, order)

    def _setup_with(self, reranker: Any) -> Setup:
        return self._setup if reranker is OWN else with_reranker(self._setup, reranker)

    def _fresh(self) -> CapabilityReport | None:
        return self._setup.capabilities.fresh(self._setup.namespace)

    def _request(self, text: str | None, options: Mapping[str, Any], history: Sequence[str] = ()) -> Request:
        given = dict(options)
        vector = given.pop("vector", None)
        held = self._setup.options.override(given)
        check_required(self._setup.required_filters, held)
        return Request(
            text=text,
            vector=None if vector is None else as_vector(vector),
            options=held,
            history=tuple(history)
            if isinstance(history, Sequence) and not isinstance(history, str)
            else history,
        )
