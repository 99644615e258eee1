"""The score threshold of an input pipeline or of the fused score, from judgments instead of by feel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.problem.problem import FusionProblem, Weights
from atlas_rag.tuning.statistics.resampling import bootstrap_counts

Goal = Literal["precision", "recall"]


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
    """

    goal: Goal
    target: float
    score: float | None
    interval: tuple[float, float] | None
    precision: float
    recall: float
    kept: float
    documents: int


def calibrate_threshold(
    problem: FusionProblem,
    goal: Goal,
    target: float,
    *,
    pipeline: str | None = None,
    weights: Weights | None = None,
    unjudged: Literal["irrelevant", "skip"] = "irrelevant",
    resamples: int = 400,
    seed: int = 0,
) -> Threshold:
    """The lowest threshold with a wanted precision, or the highest with a wanted recall.

    Args:
        target: 0…1.
        unjudged: whether documents without a judgment count as "irrelevant", as in every measure here, or
            are left out ("skip"): then precision rests on what was judged irrelevant.
        pipeline: calibrate this input pipeline's own score; None for the fused score at `weights`, which
            are equal by default.
        resamples: of the queries, for the interval.
    Raises:
        ExperimentError: a target that is no share, or no judged document at all (7602).
    """
    if not 0 < target <= 1:
        raise ExperimentError(f"{goal} {target} is no share", expected="a number above 0 and at most 1")
    scores = _scores(problem, pipeline, weights)
    least = 0 if unjudged == "skip" else -1
    candidates = _Candidates(problem, scores, problem.grades >= least)
    everyone = np.ones(len(problem.queries))
    place = candidates.choose(goal, target, everyone)
    precision, recall = candidates.curves(everyone)
    chosen = None if place is None else float(candidates.score[place])
    return Threshold(
        goal,
        target,
        chosen,
        _interval(candidates, goal, target, resamples, seed),
        float(precision[place]) if place is not None else float("nan"),
        float(recall[place]) if place is not None else float("nan"),
        float((scores >= chosen).sum() / len(problem.queries)) if chosen is not None else 0.0,
        len(candidates.score),
    )


class _Candidates:
    """Documents by descending score; each score is a possible threshold."""

    def __init__(self, problem: FusionProblem, scores: Floats, counted: NDArray[np.bool_]) -> None:
        rows = np.flatnonzero(counted & ~np.isnan(scores))
        if not len(rows):
            raise ExperimentError(
                "no document that counts has a score", expected="judgments of documents that were retrieved"
            )
        rows = rows[np.argsort(-scores[rows], kind="stable")]
        self.score: Floats = scores[rows]
        self._query: NDArray[np.int32] = problem.pool.query[rows]
        self._relevant = (problem.grades[rows] > 0).astype(np.float64)
        self.wanted = problem.ideal.relevant
        self._last_of_equals = np.append(self.score[1:] != self.score[:-1], True)

    def curves(self, counts: Floats) -> tuple[Floats, Floats]:
        """(precision, recall) at each candidate when each query counts so many times."""
        weight = counts[self._query]
        found = np.cumsum(weight * self._relevant)
        kept = np.cumsum(weight)
        precision = np.divide(found, kept, out=np.zeros_like(found), where=kept > 0)
        return precision, found / max(float(counts @ self.wanted), 1e-300)

    def choose(self, goal: Goal, target: float, counts: Floats) -> int | None:
        """The candidate that meets the target and keeps the most (precision) or the fewest (recall)."""
        precision, recall = self.curves(counts)
        curve = precision if goal == "precision" else recall
        able = np.flatnonzero((curve >= target) & self._last_of_equals)
        if not len(able):
            return None
        return int(able[-1] if goal == "precision" else able[0])


def _scores(problem: FusionProblem, pipeline: str | None, weights: Weights | None) -> Floats:
    if pipeline is None:
        (row,) = problem.weights({} if weights is None else weights)
        return problem.fused_scores(row)
    if pipeline not in problem.pipelines:
        raise ExperimentError(f"no input pipeline {pipeline!r}", expected=f"one of {list(problem.pipelines)}")
    scores: Floats = problem.pool.scores[:, problem.pipelines.index(pipeline)]
    return scores


def _interval(
    candidates: _Candidates, goal: Goal, target: float, resamples: int, seed: int
) -> tuple[float, float] | None:
    draw = np.random.default_rng(seed)
    counts = bootstrap_counts(len(candidates.wanted), resamples, draw).astype(np.float64)
    places = [candidates.choose(goal, target, row) for row in counts]
    reached = [float(candidates.score[place]) for place in places if place is not None]
    if len(reached) < 0.9 * resamples:
        return None
    low, high = np.quantile(reached, [0.05, 0.95])
    return float(low), float(high)
