"""`$search`: one operator, and what to bring back with the hits."""

from __future__ import annotations

from typing import ClassVar

from atlas_rag.stages.search_body import SearchBody
from atlas_rag.stages.spelling import invalid, spelled_class


@spelled_class
class Search(SearchBody):
    """Full-text search; must be the first stage of its pipeline.

    Args:
        operator: what to look for; or the collector `Facet`.
        index: name of a search index; default on the server is "default". A wrong name returns nothing.
        count: how hits are counted.
        highlight: bring `{$meta: "searchHighlights"}`.
        sort: keys in order; default by score. Ties have no order of their own.
        search_after, search_before: a hit's `{$meta: "searchSequenceToken"}`, to go on from there with the
            same query and sort; before means backwards, the nearest first. Server 6.0.13 / 7.0.5.
        score_details: bring `{$meta: "searchScoreDetails"}`.
        return_stored_source: answer from the index without looking documents up; needs `storedSource`.
        return_scope: make embedded documents the hits; needs `return_stored_source` and server 8.2.
        tracking: what query analytics counts this query under; dedicated clusters.
        concurrent: search segments in parallel, as far as possible.
        search_node_preference: which search node to ask.

    Score: `{$meta: "searchScore"}`, BM25, unbounded.
    Needs: a search index; server 6.0 / 7.0 with Atlas Search, or 8.2 with mongot.
    Source: MongoDB documentation, $search.
    """

    label: ClassVar[str] = "$search"

    def validate(self) -> None:
        super().validate()
        if self.return_scope is not None and not self.return_stored_source:
            raise invalid("$search has returnScope without returnStoredSource", "return_stored_source=True")
