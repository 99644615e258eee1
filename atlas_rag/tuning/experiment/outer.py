"""Settings around the weights, tried offline: depth, rank constant, thresholds, reranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from atlas_rag.fusion import RANK_CONSTANT
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.runs import Runs
from atlas_rag.tuning.measures import Measure
from atlas_rag.tuning.optimum import optimum, simplex_grid
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.problem.fusion import ReciprocalRankFusion
from atlas_rag.tuning.problem.slow import reranked_values

RERANK_STEPS = 10


@dataclass(frozen=True, slots=True)
class OuterResult:
    """One setting: mean at equal weights, and at the best weights for it (seen, so not a promise)."""

    setting: str
    equal: float
    best: float
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Reranking:
    """Reranker scores of the pool by query and document (text of its id), and how many are reranked."""

    scores: Mapping[str, Mapping[str, float]]
    top: int


def outer_sweep(
    runs: Runs,
    judgments: Judgments,
    measure: Measure | str = "nDCG@10",
    *,
    depths: Sequence[int] = (),
    rank_constants: Sequence[int] = (),
    thresholds: Sequence[Mapping[str, float]] = (),
    rerankings: Sequence[Reranking | None] = (None,),
) -> list[OuterResult]:
    """Every combination of the settings, on the collected runs.

    Depth and thresholds cut the collected lists as the server would have; `numCandidates` cannot be tried
    offline, see `candidate_study`.

    Args:
        depths: documents per input pipeline, at most what was collected; none for the collected depth.
        rank_constants: instead of the server's 60, to see what it is worth.
        thresholds: least score by input pipeline; {} for none.
        rerankings: None for no reranking.
    """
    results = []
    for depth, constant, least, reranking in product(
        depths or (None,), rank_constants or (RANK_CONSTANT,), thresholds or ({},), rerankings
    ):
        cut = runs.above(least) if least else runs
        cut = cut.to_depth(depth) if depth else cut
        problem = FusionProblem(cut, judgments, measure, ReciprocalRankFusion(constant))
        results.append(_tried(problem, _name(depth, constant, least, reranking), reranking))
    return results


def _tried(problem: FusionProblem, name: str, reranking: Reranking | None) -> OuterResult:
    size = len(problem.pipelines)
    equal = np.full(size, 1.0 / size)
    if reranking is None:
        best = optimum(problem, certified=False)
        mean, value, weights = float(problem.mean(equal)[0]), best.value, best.weights
    else:
        grid = np.concatenate((equal[None], simplex_grid(size, RERANK_STEPS)))
        means = reranked_values(problem, grid, reranking.scores, top=reranking.top).mean(axis=0)
        mean, value, weights = float(means[0]), float(means.max()), grid[int(means.argmax())]
    return OuterResult(name, mean, value, dict(zip(problem.pipelines, map(float, weights), strict=True)))


def _name(depth: int | None, constant: int, least: Mapping[str, float], reranking: Reranking | None) -> str:
    parts = [f"depth {depth}" if depth else "collected depth"]
    if constant != RANK_CONSTANT:
        parts.append(f"rank constant {constant}")
    parts += [f"{name} ≥ {score:g}" for name, score in least.items()]
    if reranking:
        parts.append(f"first {reranking.top} reranked")
    return ", ".join(parts)
