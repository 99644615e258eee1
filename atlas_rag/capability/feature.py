"""The features that a retrieval may need, and how to ask for each without touching data."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from atlas_rag.grammar.releases import SCORE_META, WITHIN, Release, needed

PROBE_INDEX = "__atlas_rag_probe__"
"""An index name that nobody has: a search of it is answered with no rows and no error."""


class Feature(StrEnum):
    """What a deployment can or cannot do for one collection."""

    SEARCH = "search"
    VECTOR_SEARCH = "vector_search"
    RANK_FUSION = "rank_fusion"
    SCORE_FUSION = "score_fusion"
    UNION_OF_SEARCHES = "union_of_searches"
    """`$vectorSearch` and `$search` inside `$unionWith`, with window ranks: emulation in one aggregation."""
    FUSED_SCORE = "fused_score"
    """`{$meta: "score"}`: without it a fused score cannot be read back."""
    RERANK = "rerank"
    """The deployment's own `$rerank`."""
    SEARCH_INDEX_LISTING = "search_index_listing"


STAGES = {
    Feature.SEARCH: "$search",
    Feature.VECTOR_SEARCH: "$vectorSearch",
    Feature.RANK_FUSION: "$rankFusion",
    Feature.SCORE_FUSION: "$scoreFusion",
    Feature.UNION_OF_SEARCHES: "$vectorSearch in $unionWith",
    Feature.FUSED_SCORE: "{$meta: 'score'}",
    Feature.RERANK: "$rerank",
    Feature.SEARCH_INDEX_LISTING: "$listSearchIndexes",
}

FLOORS: Mapping[Feature, Release] = {
    Feature.SEARCH: needed("$search"),
    Feature.VECTOR_SEARCH: needed("$vectorSearch"),
    Feature.RANK_FUSION: needed("$rankFusion"),
    Feature.SCORE_FUSION: needed("$scoreFusion"),
    Feature.UNION_OF_SEARCHES: WITHIN["$vectorSearch", "$unionWith"],
    Feature.FUSED_SCORE: SCORE_META,
    Feature.RERANK: needed("$rerank"),
    Feature.SEARCH_INDEX_LISTING: needed("$listSearchIndexes"),
}
"""First server series with the feature. It never decides anything, it only words what a probe found."""

KNOWN_BY_REFUSAL = {
    Feature.RANK_FUSION: frozenset({2, 9834300, 12108700}),
    Feature.SCORE_FUSION: frozenset({9402503, 12108710}),
    Feature.FUSED_SCORE: frozenset({40218}),
    Feature.RERANK: frozenset({40414}),
}
"""Codes that a server gives which knows the feature: "no input pipelines" (8.2, other 8.x, 9.0), or metadata
that is known and not there. One that does not know a stage answers 40324."""

SHAPE_REFUSALS = frozenset({9, 14, 40414, 40415})
"""The stage is known, its options are not what this server expects."""


NOTHING: dict[str, Any] = {"$match": {"_id": {"$in": []}}}
"""A condition that no document fits, known to the planner as such."""


def probe_pipeline(feature: Feature, collection: str) -> list[dict[str, Any]]:
    """A pipeline that a read-only user may run, that returns nothing, and whose answer tells.

    The search stages name an index that does not exist: the engine must be up to say so, but does no work.
    The fusion stages have no input: a server that knows them refuses them before any search.
    """
    match feature:
        case Feature.SEARCH:
            return [_search(), {"$limit": 1}]
        case Feature.VECTOR_SEARCH:
            return [_vector_search()]
        case Feature.RANK_FUSION:
            return [{"$rankFusion": {"input": {"pipelines": {}}}}]
        case Feature.SCORE_FUSION:
            return [{"$scoreFusion": {"input": {"pipelines": {}, "normalization": "none"}}}]
        case Feature.UNION_OF_SEARCHES:
            ranks = {"$setWindowFields": {"sortBy": {"score": -1}, "output": {"rank": {"$rank": {}}}}}
            union = {"$unionWith": {"coll": collection, "pipeline": [_vector_search()]}}
            return [_search(), {"$limit": 1}, ranks, union]
        case Feature.FUSED_SCORE:
            return [NOTHING, {"$project": {"score": {"$meta": "score"}}}]
        case Feature.RERANK:
            return [NOTHING, {"$rerank": {}}]
        case Feature.SEARCH_INDEX_LISTING:
            return [{"$listSearchIndexes": {}}]


def _search() -> dict[str, Any]:
    return {"$search": {"index": PROBE_INDEX, "exists": {"path": "_id"}}}


def _vector_search() -> dict[str, Any]:
    body = {"index": PROBE_INDEX, "path": "v", "queryVector": [1.0], "numCandidates": 1, "limit": 1}
    return {"$vectorSearch": body}
