"""Which input pipelines answer: capability, then preference, then keywords; each with its reason."""

from __future__ import annotations

from atlas_rag.capability.feature import Feature
from atlas_rag.errors import CallError
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.inputs import Input
from atlas_rag.plan.rules.require_hybrid import keyword_obstacle
from atlas_rag.query.request import Mode


def choose_mode(draft: Draft) -> None:
    """Decides the executed mode and the input pipelines.

    Raises:
        CallError: INVALID_OPTION if the retriever has no pipeline of the mode that is asked for.
        RetrievalError, SearchIndexError: if that mode is not hybrid and the deployment cannot run it.
    """
    mode, reason = _decide(draft)
    chosen = sorted([one for one in draft.inputs if mode is Mode.HYBRID or one.mode is mode], key=_name)
    if not chosen:
        raise CallError(
            f"The retriever has no input pipeline for {mode.value} search",
            expected=f"modes {', '.join(sorted({one.mode.value for one in draft.inputs}))}",
            next_step="add a VectorInput or KeywordInput, or ask for another mode",
        )
    _require_vectors(draft, [one for one in chosen if one.mode is Mode.VECTOR])
    if mode is Mode.KEYWORD:
        obstacle = keyword_obstacle(draft)
        if obstacle is not None:
            raise obstacle
    draft.mode = mode
    draft.mode_reason = reason
    draft.chosen = tuple(chosen)


def _name(source: Input) -> str:
    return source.name


def _decide(draft: Draft) -> tuple[Mode, str]:
    request = draft.request
    if request.mode is not Mode.HYBRID:
        return request.mode, f"{request.mode.value} search was asked for"
    obstacle = keyword_obstacle(draft)
    if obstacle is not None:
        return Mode.VECTOR, f"keyword search cannot run: {obstacle.problem}"
    if not request.prefer_hybrid_search:
        return Mode.VECTOR, "prefer_hybrid_search is false"
    if not request.keyword_text:
        return Mode.VECTOR, "the question has no keywords"
    return Mode.HYBRID, "hybrid search was asked for and the collection can do it"


def _require_vectors(draft: Draft, sources: list[Input]) -> None:
    if sources:
        draft.report.require(Feature.VECTOR_SEARCH)
        if draft.report.indexes is not None:
            for one in sources:
                draft.report.require_index(one.index, "vectorSearch")
