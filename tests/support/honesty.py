"""What tunings of many samples claim, against what is true of the population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np

from atlas_rag.tuning.diagnosis.kept import Goal, Kept
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.selection import decide, nest
from tests.support.populations import Population


@dataclass(frozen=True, slots=True)
class Claim:
    """One sample.

    Args:
        moved: whether something else than equal weights was recommended.
        claimed, interval: the gain that was reported with it.
        true: the true gain of the weights that it was reported for.
        single: whether the single pipeline was said to be as good or better.
    """

    moved: bool
    claimed: float
    interval: tuple[float, float]
    true: float
    single: bool

    @property
    def covered(self) -> bool:
        """Whether the interval holds the truth."""
        low, high = self.interval
        return low - 1e-12 <= self.true <= high + 1e-12


def claims(
    population: Population,
    queries: Sequence[int],
    runs: int,
    *,
    folds: int = 10,
    repeats: int = 2,
    seed: int = 0,
) -> list[Claim]:
    """Tunes on `runs` samples, whose numbers of queries take turns."""
    draw = np.random.default_rng(seed)
    sizes = islice(cycle(queries), runs)
    return [_claim(population, size, folds, repeats, draw) for size in sizes]


def _claim(
    population: Population, queries: int, folds: int, repeats: int, draw: np.random.Generator
) -> Claim:
    sample = population.sample(queries, draw)
    seed = int(draw.integers(1 << 31))
    verdict = decide(sample, nest(sample, folds=folds, repeats=repeats, seed=seed), seed=seed)
    moved = verdict.rule != "equal"
    told = verdict.recommended if moved else verdict.guess
    if verdict.gain is None:
        raise ValueError("too few queries for a claim")
    return Claim(
        moved,
        verdict.gain.estimate,
        verdict.gain.interval,
        population.gain(told.weights),
        "as good or better" in verdict.hybrid,
    )


def moves(found: list[Claim]) -> float:
    """Share of samples in which equal weights were left."""
    return float(np.mean([claim.moved for claim in found]))


def coverage(found: list[Claim]) -> float:
    """Share of intervals that hold the truth."""
    return float(np.mean([claim.covered for claim in found]))


def inflation(found: list[Claim]) -> float:
    """Median of the reported over the true gain, where equal weights were left; NaN where they never were."""
    ratios = [claim.claimed / claim.true for claim in found if claim.moved]
    return float(np.median(ratios)) if ratios else float("nan")


def says_single(found: list[Claim]) -> float:
    """Share of samples in which the single pipeline was said to be as good or better."""
    return float(np.mean([claim.single for claim in found]))


def thresholds_met(
    problem: FusionProblem, goal: Goal, target: float, pipeline: str | None, *, runs: int, confidence: float
) -> tuple[float, int]:
    """(share of fresh halves on which a threshold chosen on the other half meets its target, how many)."""
    if pipeline is None:
        scores = problem.fused_scores(np.full(len(problem.pipelines), 1.0 / len(problem.pipelines)))
    else:
        scores = problem.pool.scores[:, problem.pipelines.index(pipeline)]
    kept = Kept.of(problem, scores, least=-1)
    draw, queries = np.random.default_rng(0), len(problem.queries)
    met = []
    for _ in range(runs):
        first = np.zeros(queries)
        first[draw.permutation(queries)[: queries // 2]] = 1.0
        place = kept.choose(goal, target, first, confidence)
        if place is not None:
            met.append(kept.reached(goal, place, 1.0 - first) >= target)
    return float(np.mean(met)) if met else float("nan"), len(met)
