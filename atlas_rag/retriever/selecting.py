"""Which candidates become hits, and the one reason why each of the others does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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

Arrange: TypeAlias = Callable[[Sequence[Hit]], list[int]]
"""The places of hits in a new order."""


def judge(
    candidates: Sequence[Hit],
    options: RetrievalOptions,
    plan: Plan,
    *,
    first_skip: int,
    rejected: Sequence[tuple[Hit, Rejection]] = (),
    arrange: Arrange | None = None,
) -> list[Verdict]:
    """Applies thresholds and floors on the final scale, then collapse and diversity, then skip, then limit.

    Args:
        candidates: best first, finally scored.
        first_skip: how many admitted candidates are still to be passed over.
        rejected: candidates that were out before; they follow behind.
        arrange: the order of those that are left; default as they are.
    """
    reasons = _shortcomings(candidates, options, plan)
    admitted = [position for position, reason in enumerate(reasons) if reason is None]
    order: Sequence[int] = range(len(candidates))
    if arrange is not None:
        admitted = [admitted[place] for place in arrange([candidates[position] for position in admitted])]
        order = [*admitted, *(position for position in order if reasons[position] is not None)]
    for position in admitted[:first_skip]:
        reasons[position] = "skipped"
    for position in admitted[first_skip + options.limit :]:
        reasons[position] = "over-limit"
    start = options.skip - first_skip + 1
    judged = [*((candidates[position], reasons[position]) for position in order), *rejected]
    return [
        (hit if hit.rank == rank else replace(hit, rank=rank), reason)
        for rank, (hit, reason) in enumerate(judged, start)
    ]


def _shortcomings(candidates: Sequence[Hit], options: RetrievalOptions, plan: Plan) -> list[Rejection | None]:
    """Why a candidate is out whatever its place: its score, or its group is full."""
    reasons: list[Rejection | None] = [None] * len(candidates)
    if plan.thresholds or plan.floors:
        reasons = [_reason(hit, plan) for hit in candidates]
    if options.collapse is not None:
        admitted = [position for position, reason in enumerate(reasons) if reason is None]
        full = surplus([candidates[position] for position in admitted], options.collapse)
        for position in compress(admitted, full):
            reasons[position] = "collapsed"
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


def scaled_scores(hits: Sequence[Hit]) -> list[float]:
    """Final scores on 0…1 over the hits: all equal, 1; unscored, 0."""
    scores = [hit.score.value for hit in hits if hit.score is not None]
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    span = high - low
    return [0.0 if hit.score is None else (hit.score.value - low) / span if span else 1.0 for hit in hits]
