"""Rows of a planned pipeline to hits: the score comes from `$meta` alone, whatever the documents hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.errors import ReplyError
from atlas_rag.hits.contributions import Contributions
from atlas_rag.hits.hit import Hit
from atlas_rag.hits.reply import reported_number
from atlas_rag.hits.score import Score, ScoreKind

DOCUMENT = "document"
SCORE = "score"
DETAILS = "details"
SEQUENCE = "sequence"


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
    hits: list[Hit] = []
    for rank, row in enumerate(rows, start=1):
        document, number = row.get(DOCUMENT), row.get(SCORE)
        if not isinstance(document, (dict, Mapping)) or "_id" not in document:
            raise ReplyError(
                f"Row {rank} has no document with an _id",
                expected="rows of {document, score}",
                next_step="keep _id in every projection; views without _id cannot be fused",
            )
        if type(number) is not float:
            number = reported_number(number)
        score = None if number is None else Score(number, kind)
        contributions = Contributions(row.get(DETAILS), parts) if parts else {}
        hits.append(Hit(document["_id"], rank, score, document, contributions, token=row.get(SEQUENCE)))
    return hits
