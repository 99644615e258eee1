"""Reciprocal rank fusion: `$rankFusion`, and what it computes in plain stages and here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.capability.feature import Feature
from atlas_rag.fusion import RANK_CONSTANT, FusedItem, RankedList, fuse_ranks
from atlas_rag.hits.mapper import DOCUMENT, SCORE
from atlas_rag.plan.fusion import Fusion
from atlas_rag.plan.fusions.merging import Sources, merged
from atlas_rag.stages import Pipeline, Project, RankFusion, SetWindowFields, Stage


class RankArithmetic:
    """`$rankFusion` on its three routes, equal to the last bit."""

    stage = "$rankFusion"
    needs = (Feature.RANK_FUSION, Feature.FUSED_SCORE)

    def native(
        self, fusion: Fusion, pipelines: Mapping[str, Pipeline], weights: Mapping[str, float] | None
    ) -> Stage:
        """The stage on the server."""
        return RankFusion(pipelines=pipelines, weights=weights, score_details=True)

    def emulated(
        self,
        fusion: Fusion,
        sources: Sources,
        weights: Mapping[str, float],
        collection: str,
        tail: Sequence[Stage],
    ) -> list[Stage]:
        """The arithmetic of `$rankFusion` in plain stages; see `combined`."""
        return combined(sources, weights, collection, tail=tail)

    def here(
        self, fusion: Fusion, lists: Sequence[RankedList], weights: Mapping[str, float] | None, limit: int
    ) -> list[FusedItem]:
        """The same arithmetic in this process."""
        return fuse_ranks(lists, weights, limit=limit)

    def obstacle_here(self, fusion: Fusion) -> str | None:
        """None: ranks can be fused anywhere."""
        return None


def combined(
    sources: Sources, weights: Mapping[str, float], collection: str, *, tail: Sequence[Stage]
) -> list[Stage]:
    """The arithmetic of `$rankFusion` in plain stages.

    Ranks are competition ranks over the score; contributions are weight · (1 / (60 + rank)), added in name
    order; ties are broken by `_id`; a document of several inputs is kept once.

    Args:
        sources: stages of each input pipeline, and the expression that is its score.
        weights: by input pipeline name; omitted means 1.
        tail: stages on the ranked documents, before they are shaped.

    Source: the server's own desugaring of `$rankFusion`.
    """
    names = sorted(sources)
    details = [
        {"inputPipelineName": name, "rank": {"$ifNull": [f"${name}_rank", 0]}, "value": f"${name}_score"}
        for name in names
    ]
    return merged(
        {name: _part(name, *sources[name], float(weights.get(name, 1.0))) for name in names},
        collection,
        kept=("rank", "score"),
        total=_chained_sum([f"${name}_value" for name in names]),
        details=details,
        tail=tail,
    )


def _part(name: str, ranked: Sequence[Stage], score: Any, weight: float) -> list[Stage]:
    share = {"$multiply": [{"$divide": [1, {"$add": [RANK_CONSTANT, "$rank"]}]}, weight]}
    return [
        *ranked,
        Project({DOCUMENT: "$$ROOT", SCORE: score}),
        SetWindowFields({"sortBy": {SCORE: -1}, "output": {"rank": {"$rank": {}}}}),
        Project({DOCUMENT: 1, f"inputs.{name}": {"rank": "$rank", "score": f"${SCORE}", "value": share}}),
    ]


def _chained_sum(values: list[Any]) -> Any:
    """Adds two at a time, left to right.

    Servers flatten a nested `$add` and then compensate its rounding; a − (−b) is a + b to the last bit and
    is left as it stands.
    """
    total, *rest = values
    for value in rest:
        total = {"$subtract": [total, {"$multiply": [value, -1]}]}
    return total
