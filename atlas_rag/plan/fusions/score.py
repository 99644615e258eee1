"""Fusion of scores: `$scoreFusion`, and what it computes in plain stages and here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.capability.feature import Feature
from atlas_rag.fusion import FusedItem, RankedList, fuse_scores
from atlas_rag.hits.mapper import DOCUMENT, SCORE
from atlas_rag.plan.fusion import Fusion
from atlas_rag.plan.fusions.merging import Sources, merged
from atlas_rag.stages import Pipeline, Project, ScoreFusion, SetWindowFields, Stage

EVERY_ROW = {"documents": ["unbounded", "unbounded"]}


class ScoreArithmetic:
    """`$scoreFusion` on its three routes.

    Equal to the last bit; for sigmoid as far as the deployment's own e^x is.
    """

    stage = "$scoreFusion"
    needs = (Feature.SCORE_FUSION, Feature.FUSED_SCORE)

    def native(
        self, fusion: Fusion, pipelines: Mapping[str, Pipeline], weights: Mapping[str, float] | None
    ) -> Stage:
        """The stage on the server."""
        return ScoreFusion(
            pipelines=pipelines,
            normalization=fusion.normalization,
            method=None if fusion.expression is None else "expression",
            weights=None if fusion.expression is not None else weights,
            expression=fusion.expression,
            score_details=True,
        )

    def emulated(
        self,
        fusion: Fusion,
        sources: Sources,
        weights: Mapping[str, float],
        collection: str,
        tail: Sequence[Stage],
    ) -> list[Stage]:
        """The arithmetic of `$scoreFusion` in plain stages.

        Source: the server's own desugaring: normalise and weigh each list, the largest per document and list,
        the mean over all lists.
        """
        names = sorted(sources)
        share = {name: float(weights.get(name, 1.0)) for name in names}
        values = [f"${name}_value" for name in names]
        total: Any = {"$avg": values}
        if fusion.expression is not None:
            variables = dict(zip(names, values, strict=True))
            total = {"$let": {"vars": variables, "in": in_document(fusion.expression)}}
        details = [
            {
                "inputPipelineName": name,
                "inputPipelineRawScore": {"$ifNull": [f"${name}_score", 0]},
                "weight": share[name],
                "value": f"${name}_value",
            }
            for name in names
        ]
        return merged(
            {name: _part(name, *sources[name], share[name], fusion.normalization) for name in names},
            collection,
            kept=("score",),
            total=total,
            details=details,
            tail=tail,
        )

    def here(
        self, fusion: Fusion, lists: Sequence[RankedList], weights: Mapping[str, float] | None, limit: int
    ) -> list[FusedItem]:
        """The same arithmetic in this process."""
        return fuse_scores(lists, weights, normalization=fusion.normalization, limit=limit)

    def obstacle_here(self, fusion: Fusion) -> str | None:
        """An aggregation expression is the deployment's to compute."""
        return None if fusion.expression is None else "an expression is computed by the deployment only"


def in_document(expression: Any) -> Any:
    """An expression whose field paths start in the document that a fusion has put aside."""
    if isinstance(expression, str):
        plain = expression.startswith("$") and not expression.startswith("$$")
        return f"${DOCUMENT}.{expression[1:]}" if plain else expression
    if isinstance(expression, Mapping):
        return {
            name: value if name == "$literal" else in_document(value) for name, value in expression.items()
        }
    return [in_document(one) for one in expression] if isinstance(expression, (list, tuple)) else expression


def _part(name: str, ranked: Sequence[Stage], score: Any, weight: float, normalization: str) -> list[Stage]:
    put_aside: list[Stage] = [*ranked, Project({DOCUMENT: "$$ROOT", SCORE: score})]
    value: Any = {"$multiply": [f"${SCORE}", weight]}
    if normalization == "sigmoid":
        decay = {"$exp": {"$multiply": [-1, f"${SCORE}"]}}
        value = {"$multiply": [{"$divide": [1, {"$add": [1, decay]}]}, weight]}
    elif normalization == "minMaxScaler":
        weighed = value
        bounds = {
            "low": {"$min": weighed, "window": EVERY_ROW},
            "high": {"$max": weighed, "window": EVERY_ROW},
        }
        put_aside.append(SetWindowFields({"output": bounds}))
        span, above = {"$subtract": ["$high", "$low"]}, {"$subtract": [weighed, "$low"]}
        value = {"$cond": [{"$eq": ["$low", "$high"]}, 0.0, {"$divide": [above, span]}]}
    return [*put_aside, Project({DOCUMENT: 1, f"inputs.{name}": {"score": f"${SCORE}", "value": value}})]
