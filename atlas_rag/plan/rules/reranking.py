"""Who gives the final order of this call."""

from __future__ import annotations

from atlas_rag.capability.feature import Feature
from atlas_rag.errors import CallError
from atlas_rag.plan.draft import Draft, Reranking
from atlas_rag.plan.note import Cause
from atlas_rag.query.mode import Mode


def choose_reranking(draft: Draft) -> None:
    """Takes the retriever's reranker, except for keyword search; the deployment's own only where it can.

    Raises:
        CallError: INVALID_OPTION, a blend with the deployment's own reranker.
        RetrievalError: FEATURE_UNAVAILABLE, the deployment cannot rerank and the policy is to refuse.
    """
    given, options = draft.setting.reranking, draft.request.options
    if given.by == "nobody":
        return
    if options.search_mode is Mode.KEYWORD:
        draft.note(Cause.RERANKER_LEFT_OUT, "keyword search is not reranked", given.id)
        return
    if given.by == "deployment" and not _can(draft, given):
        return
    draft.reranking = given


def _can(draft: Draft, reranking: Reranking) -> bool:
    options = draft.request.options
    if options.final_selection.mode != "reranker_only":
        raise CallError(
            "A blend needs retrieval scores, which $rerank replaces",
            expected="final_selection of mode reranker_only",
            next_step="use a reranker of this library for blends",
        )
    if draft.report.can(Feature.RERANK):
        return True
    if options.on_reranker_failure == "refuse":
        draft.report.require(Feature.RERANK)
    why = draft.report.explain(Feature.RERANK)
    draft.note(Cause.RERANKER_LEFT_OUT, f"{reranking.id} was left out: {why}", reranking.id)
    return False
