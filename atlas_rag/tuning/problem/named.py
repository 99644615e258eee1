"""Ways to fuse by name, as experiment files and the command line write them."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.problem.fusion import Fusion, ReciprocalRankFusion
from atlas_rag.tuning.problem.score_fusion import ScoreFusion

RANK = "rank"

FUSIONS: Mapping[str, Fusion] = {
    RANK: ReciprocalRankFusion(),
    "score:none": ScoreFusion("none", "avg"),
    "score:sigmoid": ScoreFusion("sigmoid", "avg"),
    "score:minMaxScaler": ScoreFusion("minMaxScaler", "sum"),
}
"""`$rankFusion`, and `$scoreFusion` by its normalization.

minMaxScaler has its weights in an expression, since the server scales after weighting.
"""


def fusion_named(name: str) -> Fusion:
    """The fusion of that name.

    Raises:
        ExperimentError: there is none (7602).
    """
    if name not in FUSIONS:
        near = get_close_matches(name, FUSIONS, 1)
        raise ExperimentError(
            f"no fusion is called {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""),
            expected=f"one of {', '.join(FUSIONS)}",
        )
    return FUSIONS[name]


def fusion_document(fusion: Fusion, weights: Mapping[str, float]) -> dict[str, Any]:
    """What to write into the stage: its name, and the fields that the weights and the fusion need.

    Of a fusion that only a function knows, no stage can be written: its name is None.
    """
    named = dict(weights)
    if isinstance(fusion, ReciprocalRankFusion):
        return {"stage": "$rankFusion", "combination": {"weights": named}}
    if not isinstance(fusion, ScoreFusion):
        return {"stage": None, "combination": {"weights": named}}
    if fusion.combination == "avg":
        combination: dict[str, Any] = {"weights": named, "method": "avg"}
    else:
        terms = [{"$multiply": [f"$${name}", weight]} for name, weight in sorted(named.items())]
        combination = {"method": "expression", "expression": {"$add": terms}}
    return {"stage": "$scoreFusion", "normalization": fusion.normalization, "combination": combination}
