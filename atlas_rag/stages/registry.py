"""The stages of search by name on the wire, as tables and tests walk them."""

from __future__ import annotations

from atlas_rag.stages.list_search_indexes import ListSearchIndexes
from atlas_rag.stages.rank_fusion import RankFusion
from atlas_rag.stages.rerank import Rerank
from atlas_rag.stages.score_fusion import ScoreFusion
from atlas_rag.stages.score_stage import ScoreStage
from atlas_rag.stages.search import Search
from atlas_rag.stages.search_meta import SearchMeta
from atlas_rag.stages.stage import WireStage
from atlas_rag.stages.vector_search import VectorSearch

SEARCH_STAGES: dict[str, type[WireStage]] = {
    one.label: one
    for one in (
        Search,
        SearchMeta,
        VectorSearch,
        RankFusion,
        ScoreFusion,
        ScoreStage,
        Rerank,
        ListSearchIndexes,
    )
}
"""The stages of search and of what follows it."""
