"""What a pipeline knows of its documents beside their fields: `$meta` and `$$SEARCH_META`."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

SEARCH_META: Final = "$$SEARCH_META"
"""Count and facets of the pipeline's `$search`, in any later stage without a pipeline of its own."""


class Meta(StrEnum):
    """What `{$meta: …}` can bring; `Meta.SEARCH_SCORE.expression` is the expression."""

    SCORE = "score"
    """The score of the last stage that made one; server 8.1."""
    SCORE_DETAILS = "scoreDetails"
    """How it came about, where that stage was asked for it; server 8.1."""
    SEARCH_SCORE = "searchScore"
    """BM25 or whatever a score option made of it, after `$search`."""
    VECTOR_SEARCH_SCORE = "vectorSearchScore"
    """Similarity, after `$vectorSearch`."""
    SEARCH_HIGHLIGHTS = "searchHighlights"
    """Passages, after `$search` with `highlight`."""
    SEARCH_SCORE_DETAILS = "searchScoreDetails"
    """Lucene's explanation, after `$search` with `score_details`."""
    SEARCH_SEQUENCE_TOKEN = "searchSequenceToken"  # noqa: S105  a place in a result, no secret
    """Where to go on with `search_after` or `search_before`, after `$search`."""
    SORT_KEY = "sortKey"
    """What was sorted by, after `$sort`, a search or a fusion."""
    TEXT_SCORE = "textScore"
    """After a `$match` of `$text`."""
    GEO_NEAR_DISTANCE = "geoNearDistance"
    """After `$geoNear`."""

    @property
    def expression(self) -> dict[str, Any]:
        """`{$meta: name}`, for `$project`, `$set`, `$sort` and `$score`."""
        return {"$meta": self.value}
