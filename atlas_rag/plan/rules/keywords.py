"""What the keyword pipelines look for."""

from __future__ import annotations

from atlas_rag.plan.draft import Draft
from atlas_rag.plan.note import Cause
from atlas_rag.query.content import most_telling
from atlas_rag.query.mode import Mode

MAX_CLAUSES = 1024
"""Clauses that one query may have: one per word and path, and those of the filter. Source: Lucene's
`IndexSearcher.getMaxClauseCount`, which the search engine leaves as it is."""


def choose_keywords(draft: Draft) -> None:
    """Takes the keywords, else the question, cut to the most telling words where a query may not have all."""
    searched = [one for one in draft.chosen if one.mode is Mode.KEYWORD]
    if not searched:
        return
    most = max(1, min(_words(draft, len(one.text_paths)) for one in searched))
    keywords = {}
    for one in searched:
        keywords[one.name], given = most_telling(one.wording or draft.request.keyword_text, most)
        if given > most:
            draft.note(
                Cause.QUESTION_CUT,
                f"the question has {given} different words; keyword search looks for the {most} most telling",
            )
    draft.keywords = keywords


def _words(draft: Draft, paths: int) -> int:
    options = draft.request.options
    leaves = sum(
        max(1, len(leaf.value) if isinstance(leaf.value, tuple) else 1)
        for one in (options.store_filter, options.filter)
        if one is not None
        for leaf in one.leaves()
    )
    return (MAX_CLAUSES - min(leaves, MAX_CLAUSES // 2)) // max(paths, 1)
