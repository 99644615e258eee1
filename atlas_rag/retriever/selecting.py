"""Which candidates become hits, and the one reason why each of the others does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from atlas_rag.hits import Hit, ScoreKind, Threshold
from atlas_rag.hits.evidence import Rejection
from atlas_rag.retriever.options import RetrievalOptions

Verdict: TypeAlias = tuple[Hit, Rejection | None]
"""One candidate with its final rank, and why it is not a hit: None for a hit."""


def judge(
    candidates: Sequence[Hit],
    options: RetrievalOptions,
    thresholds: Mapping[ScoreKind, float],
    *,
    first_skip: int,
    rejected: Sequence[tuple[Hit, Rejection]] = (),
) -> list[Verdict]:
    """Applies the thresholds on the final scale, then skip, then limit.

    Args:
        candidates: best first, finally scored.
        first_skip: how many admitted candidates are still to be passed over.
        rejected: candidates that were out before; they follow behind.
    """
    hits = [*candidates, *(hit for hit, _ in rejected)]
    reasons = [*_reasons(candidates, options, thresholds, first_skip), *(reason for _, reason in rejected)]
    start = options.skip - first_skip + 1
    return [
        (hit if hit.rank == rank else replace(hit, rank=rank), reason)
        for rank, (hit, reason) in enumerate(zip(hits, reasons, strict=True), start)
    ]


def _reasons(
    candidates: Sequence[Hit],
    options: RetrievalOptions,
    thresholds: Mapping[ScoreKind, float],
    first_skip: int,
) -> list[Rejection | None]:
    reasons: list[Rejection | None] = [None] * len(candidates)
    if thresholds or options.min_score is not None:
        reasons = [_reason(hit, options, thresholds) for hit in candidates]
    admitted = [position for position, reason in enumerate(reasons) if reason is None]
    for position in admitted[:first_skip]:
        reasons[position] = "skipped"
    for position in admitted[first_skip + options.limit :]:
        reasons[position] = "over-limit"
    return reasons


def _reason(hit: Hit, options: RetrievalOptions, thresholds: Mapping[ScoreKind, float]) -> Rejection | None:
    """Why a hit does not reach what is asked of it, or None; asked only where something is."""
    if hit.score is None:
        return "unscored"
    floor = thresholds.get(hit.score.kind)
    if floor is not None and not Threshold(floor, hit.score.kind).admits(hit.score):
        return "below-threshold"
    least = options.min_score
    if least is not None and least.kind is hit.score.kind and not least.admits(hit.score):
        return "below-min-score"
    return None
