"""Which candidates become hits, and the one reason why each of the others does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import TypeAlias

from atlas_rag.hits import Hit, Score
from atlas_rag.hits.evidence import Rejection
from atlas_rag.plan import Plan
from atlas_rag.query.options import RetrievalOptions
from atlas_rag.query.threshold import ScoreKind, Threshold
from atlas_rag.retriever.collapsing import surplus

Verdict: TypeAlias = tuple[Hit, Rejection | None]
"""One candidate with its final rank, and why it is not a hit: None for a hit."""


def judge(
    candidates: Sequence[Hit],
    options: RetrievalOptions,
    plan: Plan,
    *,
    first_skip: int,
    rejected: Sequence[tuple[Hit, Rejection]] = (),
) -> list[Verdict]:
    """Applies thresholds and floors on the final scale, then collapse, then skip, then limit.

    Args:
        candidates: best first, finally scored.
        first_skip: how many admitted candidates are still to be passed over.
        rejected: candidates that were out before; they follow behind.
    """
    hits = [*candidates, *(hit for hit, _ in rejected)]
    reasons = [*_reasons(candidates, options, plan, first_skip), *(reason for _, reason in rejected)]
    start = options.skip - first_skip + 1
    return [
        (hit if hit.rank == rank else replace(hit, rank=rank), reason)
        for rank, (hit, reason) in enumerate(zip(hits, reasons, strict=True), start)
    ]


def _reasons(
    candidates: Sequence[Hit],
    options: RetrievalOptions,
    plan: Plan,
    first_skip: int,
) -> list[Rejection | None]:
    reasons: list[Rejection | None] = [None] * len(candidates)
    if plan.thresholds or plan.floors:
        reasons = [_reason(hit, plan) for hit in candidates]
    admitted = [position for position, reason in enumerate(reasons) if reason is None]
    if options.collapse is not None:
        full = list(surplus([candidates[position] for position in admitted], options.collapse))
        for position in compress(admitted, full):
            reasons[position] = "collapsed"
        admitted = [position for position in admitted if reasons[position] is None]
    for position in admitted[:first_skip]:
        reasons[position] = "skipped"
    for position in admitted[first_skip + options.limit :]:
        reasons[position] = "over-limit"
    return reasons


def _reason(hit: Hit, plan: Plan) -> Rejection | None:
    """Why a hit does not reach what is asked of it, or None; asked only where something is."""
    if hit.score is None:
        return "unscored"
    if not reaches(hit.score, plan.thresholds):
        return "below-threshold"
    return None if reaches(hit.score, plan.floors) else "below-min-score"


def reaches(score: Score, floors: Mapping[ScoreKind, float]) -> bool:
    """Whether a score is not below the value for its kind, where there is one."""
    floor = floors.get(score.kind)
    return floor is None or Threshold(floor, score.kind).admits(score)
