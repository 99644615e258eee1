"""`require_hybrid_search`: a question about the collection, not about one question's words."""

from __future__ import annotations

from atlas_rag.capability.feature import Feature
from atlas_rag.errors import AtlasRagError, CallError, Code, RetrievalError, SearchIndexError
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.filterable.text_paths import unmapped
from atlas_rag.plan.inputs import Input
from atlas_rag.plan.note import Cause
from atlas_rag.query.mode import Mode


def keyword_obstacle(draft: Draft) -> AtlasRagError | None:
    """Why the collection cannot do keyword search, or None if it can."""
    inputs = [one for one in draft.setting.inputs if one.mode is Mode.KEYWORD]
    if not inputs:
        return CallError("The retriever has no KeywordInput", next_step="give it one")
    try:
        draft.report.require(Feature.SEARCH)
        if draft.report.indexes is not None:
            for one in inputs:
                _check(draft, one)
    except AtlasRagError as obstacle:
        return obstacle
    return None


def _check(draft: Draft, source: Input) -> None:
    """Raises if the index is not there, cannot be queried, or holds none of the text paths."""
    index = draft.report.require_index(source.index, "search")
    absent = unmapped(source.text_paths, index.definition)
    if not absent:
        return
    if len(absent) == len(source.text_paths):
        raise SearchIndexError(
            f"The index {index.name!r} on {draft.report.namespace} does not hold text at {', '.join(absent)}",
            expected=f"a string mapping for {absent[0]!r}, or dynamic mapping",
            next_step=f'add "{absent[0]}": {{"type": "string"}} to the mappings',
            code=Code.INDEX_CONFLICT,
        )
    text = f"the index {index.name!r} holds no text at {', '.join(absent)}: nothing is found there"
    if all(note.text != text for note in draft.notes):
        draft.note(Cause.TEXT_UNMAPPED, text, source.name)


def check_required_hybrid(draft: Draft) -> None:
    """Refuses when hybrid search is required and the collection cannot do keyword search.

    Raises:
        CallError: INVALID_OPTION if it is required and not preferred at once.
        RetrievalError: RAG_COLLECTION_NOT_SEARCHABLE (7203), caused by what is missing.
    """
    options = draft.request.options
    if not options.require_hybrid_search or options.search_mode is not Mode.HYBRID:
        return
    if not options.prefer_hybrid_search:
        raise CallError(
            "require_hybrid_search is true and prefer_hybrid_search is false",
            expected="a requirement that is also preferred",
            next_step="drop one of the two",
        )
    obstacle = keyword_obstacle(draft)
    if obstacle is not None:
        raise RetrievalError(
            f"The collection {draft.report.namespace} cannot do keyword search: {obstacle.problem}",
            expected="a queryable search index behind every KeywordInput, with its paths mapped",
            next_step=f"{obstacle.next_step}; or set require_hybrid_search=False to fall back to vectors",
            code=Code.RAG_COLLECTION_NOT_SEARCHABLE,
        ) from obstacle
