"""Every stage class by its name on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.stages import plain
from atlas_rag.stages.rank_fusion import RankFusion
from atlas_rag.stages.search import Search
from atlas_rag.stages.spelling import invalid
from atlas_rag.stages.stage import RawStage, Stage
from atlas_rag.stages.vector_search import VectorSearch

STAGES: dict[str, Any] = {
    one.label: one
    for one in (
        VectorSearch,
        Search,
        RankFusion,
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
}


def read_stage(stage: Mapping[str, Any]) -> Stage:
    """Reads one stage document into its class, or into a `RawStage` where there is none."""
    if not isinstance(stage, Mapping) or len(stage) != 1:
        raise invalid("A stage is not a document with one key", "{'$stage': body}")
    owner = STAGES.get(next(iter(stage)))
    result: Stage = RawStage(stage) if owner is None else owner.from_stage(stage)
    return result
