"""From retrieval and rerank scores to the final order: the reranker alone, or a weighted blend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from atlas_rag.hits import Hit, Score, ScoreKind
from atlas_rag.query.selection import FinalSelection


def select(
    hits: Sequence[Hit], scores: Sequence[float | None], selection: FinalSelection
) -> tuple[list[Hit], list[Hit]]:
    """The hits in final order with their final scores, and those without one.

    Formula of the blend: w · n(retrieval) + (1 − w) · n(rerank). Ties: rerank score, then retrieval rank.

    Args:
        hits: in retrieval order. scores: the reranker's, one per hit; None where it gave none.
    """
    if selection.mode == "reranker_only":
        scored = [
            (replace(hit, score=Score(score, ScoreKind.RERANK)), score)
            for hit, score in zip(hits, scores, strict=True)
            if score is not None
        ]
        dropped = [hit for hit, score in zip(hits, scores, strict=True) if score is None]
    else:
        scored, dropped = _blend(hits, scores, selection)
    scored.sort(key=lambda pair: (-_value(pair[0]), -pair[1], pair[0].rank))
    return [hit for hit, _ in scored], dropped


def _blend(
    hits: Sequence[Hit], scores: Sequence[float | None], selection: FinalSelection
) -> tuple[list[tuple[Hit, float]], list[Hit]]:
    scale = SCALES[selection.normalizer]
    retrieval = scale([_value(hit) if hit.score is not None else None for hit in hits])
    rerank = scale(scores)
    weight = selection.retrieval_weight
    blended: list[tuple[Hit, float]] = []
    dropped: list[Hit] = []
    for hit, left, right in zip(hits, retrieval, rerank, strict=True):
        if right is None and selection.missing == "exclude":
            dropped.append(hit)
            continue
        if right is None and selection.missing == "renormalise":
            value = left or 0.0
        else:
            value = weight * (left or 0.0) + (1 - weight) * (right or 0.0)
        blended.append((replace(hit, score=Score(value, ScoreKind.BLEND)), right or 0.0))
    return blended, dropped


def _value(hit: Hit) -> float:
    return hit.score.value if hit.score is not None else float("-inf")


def _minmax(values: Sequence[float | None]) -> list[float | None]:
    """(x − min)/(max − min); all equal gives 1, since none is worse than another."""
    present = [value for value in values if value is not None]
    if not present:
        return [None] * len(values)
    low, span = min(present), max(present) - min(present)
    return [None if value is None else (value - low) / span if span else 1.0 for value in values]


def _by_rank(values: Sequence[float | None]) -> list[float | None]:
    """1 for the best, 0 for the worst, evenly between; equal values share the better place."""
    ordered = sorted((value for value in values if value is not None), reverse=True)
    last = max(len(ordered) - 1, 1)
    return [None if value is None else 1 - ordered.index(value) / last for value in values]


SCALES: dict[str, Callable[[Sequence[float | None]], list[float | None]]] = {
    "minmax": _minmax,
    "rank": _by_rank,
    "raw": list,
}
