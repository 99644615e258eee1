"""The next version of a recipe: the same, with the weights that were found and where they come from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from atlas_rag.recipes import Recipe, recipe_document
from atlas_rag.tuning.problem.named import RANK, fusion_document, fusion_named
from atlas_rag.tuning.procedure import Tuning

BY_RANK = {"method": "rank"}


def next_version(
    recipe: Recipe, tuning: Tuning, facts: Mapping[str, Any], *, today: dt.date | None = None
) -> dict[str, Any]:
    """The content of the next version of a recipe, ready to be written.

    Weights are those that the evidence recommends; equal ones are left out. A threshold on fused scores is
    dropped where the weights have changed, since its scale has.

    Args:
        facts: what the numbers come from, such as digests of queries and judgments.
    """
    found = recipe_document(recipe)
    verdict = tuning.verdict
    fusion = _fusion(verdict.recommended.alternative, tuning.weights)
    if fusion != found.pop("fusion", BY_RANK):
        kept = {kind: value for kind, value in recipe.thresholds.items() if not kind.endswith("_fusion")}
        found = {key: value for key, value in found.items() if key != "thresholds"}
        found |= {"thresholds": kept} if kept else {}
    return {
        **found,
        "version": recipe.version + 1,
        **({} if fusion == BY_RANK else {"fusion": fusion}),
        "provenance": {
            "weights": verdict.rule,
            "from": recipe.id,
            "date": (today or dt.datetime.now(dt.UTC).date()).isoformat(),
            "measure": tuning.measure,
            "queries": verdict.queries,
            "verdict": verdict.sentence,
            **_gain(tuning),
            **facts,
        },
    }


def _fusion(alternative: str, weights: Mapping[str, float]) -> dict[str, Any]:
    name = alternative.partition(" ")[0]
    method: dict[str, Any] = {"method": "rank"}
    if name != RANK:
        method = {"method": "score", "normalization": name.partition(":")[2]}
    if len(set(weights.values())) <= 1:
        return method
    combination = fusion_document(fusion_named(name), weights)["combination"]
    if "expression" in combination:  # under minMaxScaler weights act in an expression alone
        return {**method, "expression": combination["expression"]}
    return {**method, "weights": dict(weights)}


def _gain(tuning: Tuning) -> dict[str, Any]:
    gain = tuning.verdict.gain
    if gain is None:
        return {}
    low, high = gain.interval
    return {"gain": round(gain.estimate, 6), "gain_low": round(low, 6), "gain_high": round(high, 6)}
