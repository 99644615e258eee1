"""Reasons to doubt a result, in words."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.diagnosis.coverage import coverage
from atlas_rag.tuning.diagnosis.gate import gates
from atlas_rag.tuning.problem.fusion import ReciprocalRankFusion
from atlas_rag.tuning.problem.problem import FusionProblem

JUDGED = 0.8
DEEP = 0.9
"""A relevant document in the last tenth of a list suggests that more lie below it."""


def warnings(problem: FusionProblem, weights: Floats) -> list[str]:
    """What a reader should know about these weights (of sum 1)."""
    return [
        *_about_judgments(problem, weights),
        *_about_weights(problem, weights),
        *_about_depth(problem),
    ]


def _about_judgments(problem: FusionProblem, weights: Floats) -> Iterable[str]:
    shown = coverage(problem, weights)
    if shown.judged < JUDGED:
        yield (
            f"Only {shown.judged:.0%} of the first {shown.cutoff} documents are judged; the rest counts as "
            "irrelevant. A ranking that finds new documents is at a disadvantage."
        )
    if shown.nothing_found:
        yield (
            f"No input pipeline found a relevant document for {len(shown.nothing_found)} of "
            f"{len(problem.queries)} queries: no weights can help them."
        )
    if shown.without_relevant:
        yield f"Queries without a relevant document: {len(shown.without_relevant)}. They always count 0."


def _about_weights(problem: FusionProblem, weights: Floats) -> Iterable[str]:
    if (weights == 0).any() and len(weights) > 1:
        unused = ", ".join(
            name for name, weight in zip(problem.pipelines, weights, strict=True) if not weight
        )
        yield f"The weight of {unused} is 0: leave that input pipeline out and save its time."
    if isinstance(problem.fusion, ReciprocalRankFusion) and problem.fusion.rank_constant == 60:
        queries = len(problem.queries)
        for gate in gates(problem, weights):
            if gate.closed and gate.short < queries:
                where = f" in {queries - gate.short} of {queries} queries" if gate.short else ""
                yield (
                    f"{gate.heavier} has more than {gate.share:.3f} of the weight of {gate.heavier} and "
                    f"{gate.other}: what only {gate.other} found cannot enter the first {gate.places}{where}."
                )


def _about_depth(problem: FusionProblem) -> Iterable[str]:
    for place, name in enumerate(problem.pipelines):
        ranks = problem.pool.ranks[:, place]
        own = ranks[problem.relevant]
        depth = int(ranks.max(initial=0))
        share = float(np.mean(own[own > 0] > DEEP * depth)) if (own > 0).any() else 0.0
        if depth >= 10 and share > 1 - DEEP:
            yield f"{share:.0%} of what {name} found of relevance is in its last tenth: collect deeper."
