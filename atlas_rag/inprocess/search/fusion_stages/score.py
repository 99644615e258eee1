"""`$score`: gives each document a score, computed from an expression."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from atlas_rag.fusion import NORMALIZATIONS, normalize
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions import compile_expression
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import to_float
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.search.fusion_stages.arguments import ANY, checked_choice, checked_fields
from atlas_rag.inprocess.search.fusion_stages.details import SCORE_TEXT, shown_expression

NAME = "$score"


@stage(NAME, release=(8, 2))
def score(argument: Any, build: Build) -> Run:
    """Sets the score metadata: weight · normalization(expression), in this order (unlike `$scoreFusion`)."""
    kinds = {"score": ANY, "normalization": "string", "weight": ANY, "scoreDetails": "bool"}
    fields = checked_fields(NAME, argument, kinds, ("score",))
    how = checked_choice(f"{NAME}.normalization", fields.get("normalization", "none"), NORMALIZATIONS)
    weight = _weight(fields.get("weight", 1.0))
    expression = compile_expression(fields["score"], build.scope)
    build.add_metadata("score", "sortKey")
    shown = ""
    if fields.get("scoreDetails"):
        build.add_metadata("scoreDetails")
        shown = shown_expression(fields["score"])

    def scored(row: Row, raw: float, normal: float) -> Row:
        value = weight * normal
        meta: dict[str, Any] = {**row.meta, "score": value, "sortKey": [raw]}
        if shown:
            meta["scoreDetails"] = {
                "value": value,
                "description": SCORE_TEXT,
                "rawScore": raw,
                "normalization": how,
                "weight": weight,
                "expression": shown,
                "details": [],
            }
        return Row(row.doc, meta)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        if how != "minMaxScaler":
            for row in rows:
                raw = as_score(expression(row, variables))
                yield scored(row, raw, normalize([raw], how)[0])
            return
        # the scaler is a window over all documents, ordered by what it scales
        pairs = [(row, as_score(expression(row, variables))) for row in rows]
        pairs.sort(key=lambda pair: -pair[1])
        normals = normalize([raw for _, raw in pairs], how)
        for (row, raw), normal in zip(pairs, normals, strict=True):
            yield scored(row, raw, normal)

    return run


def as_score(value: Any) -> float:
    """A score as metadata holds it. Raises 14 for what is not a number."""
    if isinstance(value, float):
        return value
    if not is_number(value):
        raise CommandError(14, f"\"score\" metadata must be numeric, but found type '{type_name(value)}'")
    return to_float(value)


def _weight(value: Any) -> float:
    if not is_number(value):
        text = f"is the wrong type '{type_name(value)}', expected types '[int, decimal, double, long]'"
        raise CommandError(14, f"BSON field '{NAME}.weight' {text}")
    weight = to_float(value)
    if not 0 <= weight <= 1:
        raise CommandError(2, f"BSON field '{NAME}.weight' must be between 0 and 1, but is {weight:g}")
    return weight
