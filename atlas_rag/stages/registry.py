"""Every stage class by its name on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.stages import plain
from atlas_rag.stages.list_search_indexes import ListSearchIndexes
from atlas_rag.stages.rank_fusion import RankFusion
from atlas_rag.stages.rerank import Rerank
from atlas_rag.stages.score_fusion import ScoreFusion
from atlas_rag.stages.score_stage import ScoreStage
from atlas_rag.stages.search import Search
from atlas_rag.stages.search_meta import SearchMeta
from atlas_rag.stages.spelling import invalid
from atlas_rag.stages.stage import RawStage, Stage, WireStage
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

STAGES: dict[str, Any] = {
    **SEARCH_STAGES,
    **{
        one.label: one
        for one in (
            plain.Match,
            plain.Project,
            plain.SetFields,
            plain.Sort,
            plain.Group,
            plain.SetWindowFields,
            plain.Limit,
            plain.Skip,
            plain.Unset,
            plain.ReplaceWith,
            plain.UnionWith,
        )
    },
}


def read_stage(stage: Mapping[str, Any]) -> Stage:
    """Reads one stage document into its class, or into a `RawStage` where there is none."""
    if not isinstance(stage, Mapping) or len(stage) != 1:
        raise invalid("A stage is not a document with one key", "{'$stage': body}")
    owner = STAGES.get(next(iter(stage)))
    result: Stage = RawStage(stage) if owner is None else owner.from_stage(stage)
    return result
