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
    verdicts: list[Verdict] = []
    passed, last = 0, first_skip + options.limit
    has_floor = bool(thresholds) or options.min_score is not None
    for rank, hit in enumerate(candidates, start=options.skip - first_skip + 1):
        reason = _reason(hit, options, thresholds) if has_floor else None
        if reason is None:
            passed += 1
            if passed <= first_skip:
                reason = "skipped"
            elif passed > last:
                reason = "over-limit"
        verdicts.append((hit if hit.rank == rank else replace(hit, rank=rank), reason))
    behind = options.skip - first_skip + len(candidates) + 1
    verdicts += [(_ranked(hit, rank), reason) for rank, (hit, reason) in enumerate(rejected, start=behind)]
    return verdicts


def _ranked(hit: Hit, rank: int) -> Hit:
    return hit if hit.rank == rank else replace(hit, rank=rank)


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
