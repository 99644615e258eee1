"""Rows of a planned pipeline to hits: the score comes from `$meta` alone, whatever the documents hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from atlas_rag.errors import ReplyError
from atlas_rag.fusion import reciprocal_rank
from atlas_rag.hits.hit import Contribution, Hit
from atlas_rag.hits.score import Score, ScoreKind

DOCUMENT = "document"
SCORE = "score"
DETAILS = "details"


def envelope(score_meta: str, details_meta: str | None = None) -> dict[str, Any]:
    """The `$project` that puts a document beside its metadata, so that no field of its own is touched."""
    body: dict[str, Any] = {"_id": 0, DOCUMENT: "$$ROOT", SCORE: {"$meta": score_meta}}
    if details_meta is not None:
        body[DETAILS] = {"$meta": details_meta}
    return body


def read_hits(
    rows: Sequence[Mapping[str, Any]],
    kind: ScoreKind,
    *,
    inputs: Mapping[str, ScoreKind] | None = None,
    weights: Mapping[str, float] | None = None,
) -> list[Hit]:
    """Maps enveloped rows, best first, to hits ranked from 1.

    Args:
        rows: as `envelope` shapes them.
        kind: what the score of this pipeline measures.
        inputs: for a fusion, the kind of raw score of each input pipeline.
        weights: for a fusion, the weight of each input pipeline; omitted means 1.

    Raises:
        ReplyError: UNEXPECTED_REPLY for a row without a document or with a score that is no number.
    """
    given = weights or {}
    parts = [(name, one, float(given.get(name, 1.0))) for name, one in sorted((inputs or {}).items())]
    return [_hit(row, rank, kind, parts) for rank, row in enumerate(rows, start=1)]


Part = tuple[str, ScoreKind, float]
"""Name, raw score kind and weight of one input pipeline."""


def _hit(row: Mapping[str, Any], rank: int, kind: ScoreKind, parts: Sequence[Part]) -> Hit:
    document = row.get(DOCUMENT)
    if not _is_document(document) or "_id" not in document:
        raise ReplyError(
            f"Row {rank} has no document with an _id",
            expected="rows of {document, score}",
            next_step="keep _id in every projection; views without _id cannot be fused",
        )
    contributions = _contributions(row.get(DETAILS), parts) if parts else {}
    return Hit(document["_id"], rank, read_score(row.get(SCORE), kind), document, contributions)


def read_score(value: Any, kind: ScoreKind) -> Score | None:
    """A reported value as a score; what is missing or null is unscored."""
    number = _number(value)
    return None if number is None else Score(number, kind)


def _number(value: Any) -> float | None:
    if value is None or type(value) is float:
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ReplyError(f"A score is a {type(value).__name__}", expected="a number")
    return float(value)


def _contributions(details: Any, parts: Sequence[Part]) -> dict[str, Contribution]:
    """`scoreDetails` of a fusion to contributions in name order.

    A pipeline without the document appears with rank "NA" on new servers, 0 on older ones, or not at all;
    all three become None.
    """
    entries = details.get("details", ()) if _is_document(details) else ()
    found = {entry.get("inputPipelineName"): entry for entry in entries}
    return {name: _contribution(found.get(name), kind, weight) for name, kind, weight in parts}


def _is_document(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether the driver read a document; asked for every hit, most often of a plain dict."""
    return type(value) is dict or isinstance(value, Mapping)


def _contribution(entry: Mapping[str, Any] | None, kind: ScoreKind, weight: float) -> Contribution:
    rank = None if entry is None else entry.get("rank")
    if entry is None or isinstance(rank, bool) or not isinstance(rank, (int, float)) or rank < 1:
        return Contribution(None, weight, 0.0, None, kind)
    place = int(rank)
    return Contribution(place, weight, reciprocal_rank(place, weight), _number(entry.get("value")), kind)
