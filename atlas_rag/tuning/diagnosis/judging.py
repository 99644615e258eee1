"""What to judge next, and measures that know which documents were judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.data.runs import DocumentId, Floats
from atlas_rag.tuning.problem.problem import FusionProblem, Weights
from atlas_rag.tuning.problem.ranks import dense_ranks
from atlas_rag.tuning.problem.tables import grade_table


@dataclass(frozen=True, slots=True)
class ToJudge:
    """An unjudged document that a reader would see.

    Args:
        shown: at how many of the pooled weightings it is among the first.
        rank: its best rank at them.
    """

    query: str
    document: DocumentId
    shown: int
    rank: int


def pooled_weightings(pipelines: int) -> Floats:
    """Each input pipeline alone and equal weights: with two of them 0, 1/2 and 1."""
    return np.concatenate((np.full((1, pipelines), 1.0 / pipelines), np.eye(pipelines)))


def to_judge(problem: FusionProblem, *, cutoff: int = 10) -> list[ToJudge]:
    """Unjudged documents among the first `cutoff` at any of the pooled weightings, the most shown first.

    Judging what every weighting shows keeps the next comparison fair to all of them.
    Source: the pooling of TREC (Sparck Jones and van Rijsbergen 1975).
    """
    weightings = pooled_weightings(len(problem.pipelines))
    ranks = np.array([_ranks(problem, weights) for weights in weightings])
    shown = (ranks <= cutoff).sum(axis=0)
    rows = np.flatnonzero((shown > 0) & (problem.grades < 0))
    query, best = problem.pool.query, ranks.min(axis=0)
    rows = rows[np.lexsort((query[rows], best[rows], -shown[rows]))]
    return [
        ToJudge(
            problem.queries[query[row]],
            problem.runs.documents[problem.pool.document[row]],
            int(shown[row]),
            int(best[row]),
        )
        for row in rows
    ]


def judged_at(problem: FusionProblem, weights: Weights, cutoff: int = 10) -> Floats:
    """Share of each query's first `cutoff` documents that were judged; 0 where nothing was found.

    Formula: judged documents among the first n, divided by n or by what was found if that is less.
    """
    ranks = _ranks(problem, problem.weights(weights)[0])
    seen = (ranks <= cutoff) & (problem.grades >= 0)
    judged = np.bincount(problem.pool.query[seen], minlength=len(problem.queries))
    found = np.minimum(np.diff(problem.pool.start), cutoff)
    share: Floats = judged / np.maximum(found, 1)
    return share


def condensed(problem: FusionProblem, weights: Weights) -> Floats:
    """The problem's measure of each query when unjudged documents are taken out of the ranking.

    Beside the plain measure it shows how much of a difference is only a difference in what was judged.
    Source: Sakai 2007 (condensed lists).
    """
    (row,) = problem.weights(weights)
    judged = problem.grades >= 0
    query = problem.pool.query[judged]
    start = np.searchsorted(query, np.arange(len(problem.queries) + 1)).astype(np.int32)
    ranks = dense_ranks(problem.fused_scores(row)[judged], start)
    relevant = problem.grades[judged] > 0
    cutoff = problem.measure.cutoff
    capped = np.minimum(ranks[relevant], cutoff + 1).astype(np.int16)[None]
    table = grade_table(
        capped, query[relevant], problem.grades[judged][relevant], queries=len(problem.queries), cutoff=cutoff
    )
    return problem.measure.values(table, problem.ideal)


def bpref(problem: FusionProblem, weights: Weights) -> Floats:
    """Binary preference of each query: relevant documents ahead of judged irrelevant ones, unjudged aside.

    Formula: 1/R · Σ over retrieved relevant documents of 1 - min(n, R) / min(R, N), n the judged irrelevant
        documents ahead of it, N those that were judged; 1 for a relevant document with none ahead.
    Source: Buckley and Voorhees 2004; trec_eval's m_bpref.c.
    """
    ranks = _ranks(problem, problem.weights(weights)[0])
    values = np.zeros(len(problem.queries))
    for place, name in enumerate(problem.queries):
        first, last = problem.pool.start[place], problem.pool.start[place + 1]
        grades, own = problem.grades[first:last], ranks[first:last]
        wanted = len(problem.judgments.relevant(name))
        irrelevant = sum(grade <= 0 for grade in problem.judgments.grades[name].values())
        if not wanted:
            continue
        worse = np.sort(own[grades == 0])
        ahead = np.searchsorted(worse, own[grades > 0])
        bound = min(wanted, irrelevant)
        total = sum(1.0 if not n else 1.0 - min(int(n), wanted) / bound for n in ahead)
        values[place] = total / wanted
    return values


def coverage_rows(problem: FusionProblem, cutoff: int = 10) -> Sequence[tuple[str, float, float, float]]:
    """(weighting, Judged@cutoff, plain mean, condensed mean) at each pooled weighting."""
    names = ["equal", *(f"{name} alone" for name in problem.pipelines)]
    return [
        (
            name,
            float(judged_at(problem, weights, cutoff).mean()),
            float(problem.mean(weights)[0]),
            float(condensed(problem, weights).mean()),
        )
        for name, weights in zip(names, pooled_weightings(len(problem.pipelines)), strict=True)
    ]


def _ranks(problem: FusionProblem, weights: Floats) -> np.ndarray:
    """Ranks of all pool rows; documents that score nothing at a weight of 0 stay behind all others."""
    return dense_ranks(problem.fused_scores(weights), problem.pool.start)
