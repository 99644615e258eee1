"""`scoreDetails` documents of the ranking stages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.fusion import Contribution
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.rendering import render

RANK_FUSION_TEXT = (
    "value output by reciprocal rank fusion algorithm, computed as sum of (weight * (1 / (60 + rank))) "
    "across input pipelines from which this document is output, from:"
)
SCORE_FUSION_TEXT = (
    "the value calculated by combining the scores (either normalized or raw) across input pipelines from "
    "which this document is output from:"
)
SCORE_TEXT = (
    "the score calculated from multiplying a weight in the range [0,1] with either a normalized or "
    "nonnormalized value:"
)


def rank_entry(entry: Contribution, row: Row | None, *, names_absence: bool) -> dict[str, Any]:
    """The entry of one input pipeline in the details of `$rankFusion`.

    Args:
        row: the pipeline's own row of the document, None where it has none.
        names_absence: whether the release writes "NA" for a rank that is not there; others write 0.
    """
    if row is None:
        if names_absence:
            return {"inputPipelineName": entry.name, "rank": "NA"}
        return {"inputPipelineName": entry.name, "rank": 0, "weight": entry.weight}
    found: dict[str, Any] = {"inputPipelineName": entry.name, "rank": entry.rank, "weight": entry.weight}
    if "score" in row.meta:
        found["value"] = row.meta["score"]
    return {**found, "details": [], **row.meta.get("scoreDetails", {})}


def score_entry(entry: Contribution, row: Row | None) -> dict[str, Any]:
    """The entry of one input pipeline in the details of `$scoreFusion`; 0 and 0 where it is absent."""
    return {
        "inputPipelineName": entry.name,
        "inputPipelineRawScore": 0.0 if entry.raw is None else entry.raw,
        "weight": entry.weight,
        "value": entry.value,
        "details": [] if row is None else row.meta.get("scoreDetails", []),
    }


def shown_expression(expression: Any) -> str:
    """An expression as details quote it: `{ string: { $add: [ '$a', 10.0 ] } }`."""
    return f"{{ string: {_shown(expression)} }}"


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{name}: {_shown(item)}" for name, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[ {', '.join(map(_shown, value))} ]" if value else "[]"
    return render(value)
