"""The score threshold of an input pipeline or of the fused score, from judgments instead of by feel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.diagnosis.kept import Goal, Kept
from atlas_rag.tuning.problem.problem import FusionProblem, Weights
from atlas_rag.tuning.statistics.resampling import bootstrap_counts

HALVES = 50
"""Random divisions of the queries into two halves, for the values out of sample."""

FEWEST = 8
"""Queries below which halves say nothing."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Keep documents whose score is at least `score`.

    Args:
        score: on the scale of the scores calibrated; None where no threshold reaches the target.
        interval: where the threshold falls in 90 % of resamples of the queries; None where too few reach it.
        precision: share of relevant ones among the kept documents.
        recall: share of the judged-relevant documents that are kept, of all that were judged relevant.
        kept: mean number of documents left for a query.
        documents: number of documents that the figures rest on.
        confidence: that the target is met on as many other queries; None where it is only met on these.
        validated: mean of the goal on halves of the queries that took no part in the choice; None where there
            are too few queries or no half reaches the target.
        met: share of these halves on which the target was met.
        attainable: the highest recall that any threshold allows: the rest of what is relevant was not found
            within the collected depth.
    """

    goal: Goal
    target: float
    score: float | None
    interval: tuple[float, float] | None
    precision: float
    recall: float
    kept: float
    documents: int
    confidence: float | None = None
    validated: float | None = None
    met: float | None = None
    attainable: float = 1.0

    @property
    def capped(self) -> bool:
        """Whether depth, not the threshold, is what stands between a recall and its target."""
        return self.goal == "recall" and self.attainable < self.target


def calibrate_threshold(
    problem: FusionProblem,
    goal: Goal,
    target: float,
    *,
    pipeline: str | None = None,
    weights: Weights | None = None,
    unjudged: Literal["irrelevant", "skip"] = "irrelevant",
    confidence: float | None = None,
    resamples: int = 400,
    seed: int = 0,
) -> Threshold:
    """The lowest threshold with a wanted precision, or the highest with a wanted recall.

    A threshold that just meets its target on the queries that chose it misses it on about half of all others.
    `confidence` asks for one that meets it on other queries, see `Kept.choose`; what that is worth is tried
    on random halves of these queries (`validated`, `met`).

    Args:
        target: 0…1.
        unjudged: whether documents without a judgment count as "irrelevant", as in every measure here, or
            are left out ("skip"): then precision rests on what was judged irrelevant.
        pipeline: calibrate this input pipeline's own score; None for the fused score at `weights`, which
            are equal by default.
        confidence: above 1/2 and below 1, such as .9; None to meet the target on these queries only.
        resamples: of the queries, for the interval.
    Raises:
        ExperimentError: a target or confidence that is no share, or no judged document at all (7602).
    """
    if not 0 < target <= 1:
        raise ExperimentError(f"{goal} {target} is no share", expected="a number above 0 and at most 1")
    if confidence is not None and not 0.5 < confidence < 1:
        raise ExperimentError(f"{confidence} is no confidence", expected="a number above 0.5 and below 1")
    scores = _scores(problem, pipeline, weights)
    candidates = Kept.of(problem, scores, least=0 if unjudged == "skip" else -1)
    everyone = np.ones(len(problem.queries))
    place = candidates.choose(goal, target, everyone, confidence)
    precision, recall = candidates.curves(everyone)
    chosen = None if place is None else float(candidates.score[place])
    validated, met = _halves(candidates, goal, target, confidence, seed)
    return Threshold(
        goal,
        target,
        chosen,
        _interval(candidates, goal, target, confidence, resamples, seed),
        float(precision[place]) if place is not None else float("nan"),
        float(recall[place]) if place is not None else float("nan"),
        float((scores >= chosen).sum() / len(problem.queries)) if chosen is not None else 0.0,
        len(candidates.score),
        confidence,
        validated,
        met,
        float(recall[-1]),
    )


def _scores(problem: FusionProblem, pipeline: str | None, weights: Weights | None) -> Floats:
    if pipeline is None:
        (row,) = problem.weights({} if weights is None else weights)
        return problem.fused_scores(row)
    if pipeline not in problem.pipelines:
        raise ExperimentError(f"no input pipeline {pipeline!r}", expected=f"one of {list(problem.pipelines)}")
    scores: Floats = problem.pool.scores[:, problem.pipelines.index(pipeline)]
    return scores


def _halves(
    candidates: Kept, goal: Goal, target: float, confidence: float | None, seed: int
) -> tuple[float | None, float | None]:
    """(mean of the goal, share of targets met) on the halves that took no part in the choice."""
    queries = len(candidates.wanted)
    if queries < FEWEST:
        return None, None
    draw = np.random.default_rng(seed)
    reached = []
    for _ in range(HALVES):
        first = np.zeros(queries)
        first[draw.permutation(queries)[: queries // 2]] = 1.0
        for seen in (first, 1.0 - first):
            place = candidates.choose(goal, target, seen, confidence)
            if place is not None:
                reached.append(candidates.reached(goal, place, 1.0 - seen))
    values = [value for value in reached if not math.isnan(value)]
    if not values:
        return None, None
    return float(np.mean(values)), float(np.mean([value >= target - 1e-12 for value in values]))


def _interval(
    candidates: Kept, goal: Goal, target: float, confidence: float | None, resamples: int, seed: int
) -> tuple[float, float] | None:
    draw = np.random.default_rng(seed)
    counts = bootstrap_counts(len(candidates.wanted), resamples, draw).astype(np.float64)
    places = [candidates.choose(goal, target, row, confidence) for row in counts]
    reached = [float(candidates.score[place]) for place in places if place is not None]
    if len(reached) < 0.9 * resamples:
        return None
    low, high = np.quantile(reached, [0.05, 0.95])
    return float(low), float(high)
