"""`require_hybrid_search`: a question about the collection, not about one question's words."""

from __future__ import annotations

from atlas_rag.capability.feature import Feature
from atlas_rag.errors import AtlasRagError, CallError, Code, RetrievalError
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.inputs import KeywordInput
from atlas_rag.query.request import Mode


def keyword_obstacle(draft: Draft) -> AtlasRagError | None:
    """Why the collection cannot do keyword search, or None if it can."""
    inputs = [one for one in draft.inputs if isinstance(one, KeywordInput)]
    if not inputs:
        return CallError("The retriever has no KeywordInput", next_step="give it one")
    try:
        draft.report.require(Feature.SEARCH)
        if draft.report.indexes is not None:
            for one in inputs:
                draft.report.require_index(one.index, "search")
    except AtlasRagError as obstacle:
        return obstacle
    return None


def check_required_hybrid(draft: Draft) -> None:
    """Refuses when hybrid search is required and the collection cannot do keyword search.

    Raises:
        CallError: INVALID_OPTION if it is required and not preferred at once.
        RetrievalError: RAG_COLLECTION_NOT_SEARCHABLE (7203), caused by what is missing.
    """
    request = draft.request
    if not request.require_hybrid_search or request.mode is not Mode.HYBRID:
        return
    if not request.prefer_hybrid_search:
        raise CallError(
            "require_hybrid_search is true and prefer_hybrid_search is false",
            expected="a requirement that is also preferred",
            next_step="drop one of the two",
        )
    obstacle = keyword_obstacle(draft)
    if obstacle is not None:
        raise RetrievalError(
            f"The collection {draft.report.namespace} cannot do keyword search: {obstacle.problem}",
            expected="a queryable search index behind every KeywordInput",
            next_step=f"{obstacle.next_step}; or set require_hybrid_search=False to fall back to vectors",
            code=Code.RAG_COLLECTION_NOT_SEARCHABLE,
        ) from obstacle
