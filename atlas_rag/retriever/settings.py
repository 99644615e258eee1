"""What a retriever is made of, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from atlas_rag.capability.cache import CapabilityCache
from atlas_rag.errors import CallError, Code
from atlas_rag.plan import (
    DEFAULT_ROUTES,
    Fusion,
    Input,
    KeywordInput,
    Reranking,
    Route,
    Setting,
    VectorInput,
    check_inputs,
)
from atlas_rag.query.filter import Filter
from atlas_rag.query.options import LONGEST_MS, RetrievalOptions
from atlas_rag.query.refusal import nearest, shown
from atlas_rag.query.request import NativeReranker
from atlas_rag.query.values import plain_number
from atlas_rag.retriever.multi_query import MultiQuery
from atlas_rag.retriever.setup import Setup
from atlas_rag.wire.command import DEFAULT_TIME_LIMIT_MS

Kind = TypeVar("Kind")


def make_setup(
    namespace: str,
    *,
    inputs: Sequence[Input] | None = None,
    fusion: Fusion | None = None,
    options: RetrievalOptions | Mapping[str, Any] | None = None,
    store_filter: Filter | Mapping[str, Any] | None = None,
    embedder: Any = None,
    reranker: Any = None,
    rewriter: Any = None,
    multi_query: MultiQuery | None = None,
    progress: Any = None,
    routes: Sequence[Route | str] = DEFAULT_ROUTES,
    capabilities: CapabilityCache | None = None,
    time_limit_ms: int = DEFAULT_TIME_LIMIT_MS,
    retriever_id: str = "",
    text_path: str = "text",
    title_path: str = "title",
    updated_path: str = "updated_at",
    evidence_key: bytes | None = None,
    required_filters: Sequence[str] = (),
    document: type[Any] | None = None,
    asynchronous: bool = True,
) -> Setup:
    """The setup of one retriever. See `Retriever`.

    Args:
        asynchronous: whether embedders may be awaited; where one can be asked both ways, it then is.

    Raises:
        CallError: INVALID_OPTION.
    """
    time_limit_ms = _time_limit(time_limit_ms)
    if progress is not None and not callable(progress):
        raise _refused("progress", progress, "a function of a StageEvent", "pass progress=print, or None")
    if evidence_key is not None and not isinstance(evidence_key, bytes):
        kind = f"a {type(evidence_key).__name__}"  # never the secret itself
        raise CallError(f"evidence_key is {kind}", expected="bytes", next_step="pass key.encode(), or None")
    if not isinstance(retriever_id, str):
        raise _refused("retriever_id", retriever_id, "a string", "leave it out for the namespace")
    for name, path in (("text_path", text_path), ("title_path", title_path), ("updated_path", updated_path)):
        if not isinstance(path, str) or not all(path.split(".")) or "$" in path:
            raise _refused(name, path, "a dotted field path", "name the field")
    if document is not None:
        from atlas_rag.retriever.typed import check_document  # pydantic, where documents are made

        check_document(document)
    if rewriter is not None:
        _check_component("rewriter", rewriter, ("id", "blocking", "rewrite"))
    reranker = _reranker(reranker)
    setting = Setting(
        _with_embedders(_inputs(inputs), asynchronous),
        _routes(routes),
        _component("fusion", fusion, Fusion, "Fusion.rank() or Fusion.score(…)") or Fusion(),
        _reranking(reranker),
        reads=(text_path, title_path, updated_path),
    )
    return Setup(
        retriever_id=retriever_id or namespace,
        namespace=namespace,
        setting=setting,
        options=_options(options, store_filter),
        capabilities=_component("capabilities", capabilities, CapabilityCache, "a CapabilityCache")
        or CapabilityCache(),
        time_limit_ms=time_limit_ms,
        embedder=_embedder(embedder, asynchronous),
        reranker=reranker,
        rewriter=rewriter,
        multi_query=_component("multi_query", multi_query, MultiQuery, "MultiQuery(…)"),
        progress=progress,
        text_path=text_path,
        title_path=title_path,
        updated_path=updated_path,
        evidence_key=evidence_key,
        required_filters=_names("required_filters", required_filters),
        document=document,
    )


def _inputs(given: Sequence[Input] | None) -> tuple[Input, ...]:
    """The input pipelines: those given, else one for vectors and one for keywords."""
    return (VectorInput(), KeywordInput()) if given is None else check_inputs(given)


def _with_embedders(inputs: tuple[Input, ...], asynchronous: bool) -> tuple[Input, ...]:
    """The inputs, each embedder of their own read as an `Embedder`."""
    return tuple(
        replace(one, embedder=_embedder(one.embedder, asynchronous))
        if isinstance(one, VectorInput) and one.embedder is not None
        else one
        for one in inputs
    )


def _options(given: Any, store_filter: Any) -> RetrievalOptions:
    options = RetrievalOptions()
    if isinstance(given, Mapping):
        options = options.override(given)
    elif isinstance(given, RetrievalOptions):
        options = given
    elif given is not None:
        raise _refused("options", given, "RetrievalOptions, or a mapping of them", "pass options={…}")
    return options if store_filter is None else options.override({"store_filter": store_filter})


def with_reranker(setup: Setup, given: Any) -> Setup:
    """The setup with another reranker, or with none.

    Raises:
        CallError: INVALID_OPTION.
    """
    reranker = _reranker(given)
    return replace(setup, reranker=reranker, setting=replace(setup.setting, reranking=_reranking(reranker)))


def _reranker(given: Any) -> Any:
    if given is None or isinstance(given, NativeReranker):
        return given
    from atlas_rag.rerank import as_reranker  # what reranks loads where something reranks

    return as_reranker(given)


def _reranking(reranker: Any) -> Reranking:
    if reranker is None:
        return Reranking()
    if isinstance(reranker, NativeReranker):
        return Reranking("deployment", reranker.id, native=reranker)
    return Reranking("library", reranker.id, most=getattr(reranker, "max_documents", None))


def _routes(given: Any) -> tuple[Route, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence) or not given:
        raise _refused("routes", given, f"some of {', '.join(DEFAULT_ROUTES)}", "pass [Route.NATIVE, …]")
    for one in given:
        if one not in DEFAULT_ROUTES:
            meant = nearest(one, DEFAULT_ROUTES)
            raise CallError(
                f"There is no route {one!r} to allow",
                expected=f"some of {', '.join(DEFAULT_ROUTES)}",
                next_step=f"did you mean {meant!r}?" if meant else "leave routes out for all of them",
            )
    return tuple(map(Route, given))


def _embedder(given: Any, asynchronous: bool) -> Any:
    if given is None:
        return None
    from atlas_rag.embed import as_embedder  # what embeds loads where something embeds

    return as_embedder(given, asynchronous=asynchronous)


def _time_limit(given: Any) -> int:
    given = plain_number(given)
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= LONGEST_MS:
        expected = f"milliseconds, 1 or more, at most {LONGEST_MS}"
        raise _refused("time_limit_ms", given, expected, "leave it out for 30 000")
    return given


def _component(name: str, given: Any, kind: type[Kind], expected: str) -> Kind | None:
    """What was given, if it is None or of its kind."""
    if given is None or isinstance(given, kind):
        return given
    raise _refused(name, given, expected, f"pass {name}={expected.removeprefix('a ')}, or leave it out")


def _names(name: str, given: Any) -> tuple[str, ...]:
    """Several field paths."""
    if isinstance(given, (list, tuple, set, frozenset)) and all(
        one and isinstance(one, str) for one in given
    ):
        return tuple(given)
    example = given if isinstance(given, str) and given else "tenant"
    raise _refused(name, given, "a list of dotted field paths", f"pass {name}=[{example!r}]")


def _check_component(name: str, given: Any, needed: Sequence[str]) -> None:
    """Refuses what lacks an attribute; a class in place of its object is told."""
    if isinstance(given, type):
        raise CallError(
            f"The {name} is the class {given.__name__}",
            expected=f"an object with {', '.join(needed)}",
            next_step=f"pass {given.__name__}(…)",
        )
    missing = [one for one in needed if not hasattr(given, one)]
    if missing:
        raise CallError(
            f"The {name}, a {type(given).__name__}, has no {missing[0]!r}",
            expected=f"an object with {', '.join(needed)}",
            next_step=f"give it {', '.join(missing)}",
        )


def check_required(paths: Sequence[str], options: RetrievalOptions) -> None:
    """Refuses a call whose filters do not name a path that every call has to.

    A path counts where a condition on it has to hold: inside an OR it leaves other documents in.

    Raises:
        CallError: INVALID_FILTER.
    """
    held = [
        part for one in (options.store_filter, options.filter) if one is not None for part in one.conjuncts()
    ]
    for path in paths:
        if not any(part.paths() == {path} for part in held):
            raise CallError(
                f"The call has no filter on {path!r}, which this retriever requires",
                expected=f"a filter on {', '.join(paths)}",
                next_step=f"pass store_filter=Filter.where({path!r}, …)",
                code=Code.INVALID_FILTER,
            )


def _refused(name: str, given: Any, expected: str, next_step: str) -> CallError:
    return CallError(f"{name} is {shown(given)}", expected=expected, next_step=next_step)
