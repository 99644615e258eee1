"""Which input pipelines answer: capability, then preference, then keywords; each with its reason."""

from __future__ import annotations

from atlas_rag.capability import Feature, SearchIndex
from atlas_rag.errors import CallError
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.inputs import Input
from atlas_rag.plan.note import Cause
from atlas_rag.plan.rules.require_hybrid import keyword_obstacle
from atlas_rag.query.keywords import has_keywords
from atlas_rag.query.mode import Mode
from atlas_rag.query.refusal import nearest


def choose_mode(draft: Draft) -> None:
    """Decides the executed mode and the input pipelines.

    Raises:
        CallError: INVALID_OPTION if the retriever has no pipeline of the mode that is asked for.
        RetrievalError, SearchIndexError: if that mode is not hybrid and the deployment cannot run it.
    """
    mode, reason = _decide(draft)
    inputs = draft.setting.inputs
    chosen = [one for one in inputs if mode is Mode.HYBRID or one.mode is mode]
    if not chosen:
        raise CallError(
            f"The retriever has no input pipeline for {mode.value} search",
            expected=f"modes {', '.join(sorted({one.mode.value for one in inputs}))}",
            next_step="add a VectorInput or KeywordInput, or ask for another mode",
        )
    draft.mode = mode
    draft.mode_reason = reason
    draft.chosen = tuple(sorted(chosen, key=lambda one: one.name))
    if mode is Mode.KEYWORD:
        obstacle = keyword_obstacle(draft)
        if obstacle is not None:
            raise obstacle
    draft.each_input(lambda one: _check_index(draft, one))


def _decide(draft: Draft) -> tuple[Mode, str]:
    options = draft.request.options
    if options.search_mode is not Mode.HYBRID:
        return options.search_mode, f"{options.search_mode.value} search was asked for"
    modes = {one.mode for one in draft.setting.inputs}
    if modes == {Mode.VECTOR}:
        return Mode.VECTOR, "the retriever has vector input pipelines only"
    if modes == {Mode.KEYWORD}:
        return Mode.KEYWORD, "the retriever has keyword input pipelines only"
    if not options.prefer_hybrid_search:
        return Mode.VECTOR, "prefer_hybrid_search is false"
    obstacle = keyword_obstacle(draft)
    if obstacle is not None:
        return _fallen_back(draft, f"keyword search cannot run: {obstacle.problem}")
    if not _keywords(draft):
        return _fallen_back(draft, "the question has no keywords")
    return Mode.HYBRID, "hybrid search was asked for and the collection can do it"


def _keywords(draft: Draft) -> bool:
    """Whether a hybrid question has keywords: those given, else more than function words."""
    request = draft.request
    if request.options.keywords is not None:
        return bool(request.keyword_text)
    return has_keywords(request.text or "")


def _fallen_back(draft: Draft, reason: str) -> tuple[Mode, str]:
    draft.note(Cause.MODE_FALLBACK, f"vector search ran in place of hybrid search: {reason}")
    return Mode.VECTOR, reason


def _check_index(draft: Draft, source: Input) -> None:
    """Refuses an input whose index is not there; those of keyword search were looked at before."""
    by_vector = source.index_type == "vectorSearch"
    if by_vector or source.mode is Mode.VECTOR:
        draft.report.require(Feature.VECTOR_SEARCH if by_vector else Feature.SEARCH)
        if draft.report.indexes is not None:
            index = draft.report.require_index(source.index, "vectorSearch" if by_vector else "search")
            _check_vector_paths(source, index)


def _check_vector_paths(source: Input, index: SearchIndex) -> None:
    known = index.vector_paths()
    for path in source.vector_paths:
        if known and path not in known:
            meant = nearest(path, known)
            raise CallError(
                f"The index {index.name!r} has no vector at {path!r}",
                expected=f"one of {', '.join(known)}",
                next_step=f"did you mean {meant!r}?" if meant else "correct the path of the input pipeline",
            )
