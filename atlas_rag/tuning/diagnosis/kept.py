"""What each possible threshold keeps, and how sure its precision and recall are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.problem.problem import FusionProblem
from atlas_rag.tuning.statistics.student import quantile

Goal = Literal["precision", "recall"]

ROOM = 1.1
FIRST, STEPS = 20, 60
"""Documents that the highest threshold tried keeps, and how many thresholds are tried."""


@dataclass(frozen=True)
class Kept:
    """Documents by descending score; each score is a possible threshold.

    Args:
        score, query, relevant: of each document; `relevant` is 1 or 0.
        wanted: number of documents judged relevant for each query, found or not.
    """

    score: Floats
    query: NDArray[np.int32]
    relevant: Floats
    wanted: Floats
    last_of_equals: NDArray[np.bool_]
    kept_before: Floats
    found_before: Floats

    @classmethod
    def of(cls, problem: FusionProblem, scores: Floats, *, least: int) -> Kept:
        """The documents of the pool with a score and a grade of `least` (-1 counts unjudged ones)."""
        rows = np.flatnonzero((problem.grades >= least) & ~np.isnan(scores))
        if not len(rows):
            raise ExperimentError(
                "no document that counts has a score", expected="judgments of documents that were retrieved"
            )
        rows = rows[np.argsort(-scores[rows], kind="stable")]
        score, query = scores[rows], problem.pool.query[rows]
        relevant = (problem.grades[rows] > 0).astype(np.float64)
        last = np.append(score[1:] != score[:-1], True)
        return cls(
            score,
            query,
            relevant,
            problem.ideal.relevant,
            last,
            _before(query, np.ones(len(query))),
            _before(query, relevant),
        )

    def curves(self, counts: Floats) -> tuple[Floats, Floats]:
        """(precision, recall) at each threshold when each query counts so many times."""
        weight = counts[self.query]
        found = np.cumsum(weight * self.relevant)
        kept = np.cumsum(weight)
        precision = np.divide(found, kept, out=np.zeros_like(found), where=kept > 0)
        return precision, found / max(float(counts @ self.wanted), 1e-300)

    def reached(self, goal: Goal, place: int, counts: Floats) -> float:
        """Precision or recall of a threshold on other queries; NaN where it keeps or there is nothing."""
        kept = counts[self.query[: place + 1]]
        found = float(kept @ self.relevant[: place + 1])
        whole = float(kept.sum()) if goal == "precision" else float(counts @ self.wanted)
        return found / whole if whole > 0 else float("nan")

    def choose(
        self, goal: Goal, target: float, counts: Floats, confidence: float | None = None
    ) -> int | None:
        """The threshold that meets the target and keeps the most (precision) or the fewest (recall).

        With a confidence, one whose value on as many other queries falls below the target with probability
        1 - confidence at most. Precision neither rises nor falls steadily: thresholds are then tried from
        the highest down, and the first that fails ends the search, so that trying many costs no confidence.

        Formula: value - t · √2 · 1.1 · error ≥ target: a share of these queries and one of as many others
            differ by √2 standard errors; a tenth more for shares that are far from normal.
        Source: Angelopoulos et al. 2021 (Learn then Test), fixed-sequence testing.
        """
        precision, recall = self.curves(counts)
        curve = precision if goal == "precision" else recall
        if confidence is not None:
            queries = int((counts > 0).sum())
            reach = quantile(confidence, max(queries - 1, 1)) * np.sqrt(2.0) * ROOM
            curve = curve - reach * self._errors(goal, target, counts, curve)
            if goal == "precision":
                return self._stepping_down(curve >= target, np.cumsum(counts[self.query]))
        able = np.flatnonzero((curve >= target) & self.last_of_equals)
        if not len(able):
            return None
        return int(able[-1] if goal == "precision" else able[0])

    def _stepping_down(self, able: NDArray[np.bool_], kept: Floats) -> int | None:
        """The last of the thresholds, tried from the highest down, before one fails."""
        ends = np.flatnonzero(self.last_of_equals)
        sizes = np.geomspace(FIRST, max(float(kept[-1]), FIRST + 1.0), STEPS)
        tried = ends[np.unique(np.minimum(np.searchsorted(kept[ends], sizes), len(ends) - 1))]
        failed = np.flatnonzero(~able[tried])
        passed = int(failed[0]) if len(failed) else len(tried)
        return int(tried[passed - 1]) if passed else None

    def _errors(self, goal: Goal, target: float, counts: Floats, curve: Floats) -> Floats:
        """Standard error of a ratio of two sums over queries, by linearisation, at each threshold.

        Formula: √Σ (found - ratio · whole)² / Σ whole, with sums over queries; whole is what the query keeps
            (precision) or wants (recall). Where few documents are kept all may be alike by luck: the error
            is then at least that of so many independent ones at the target.
        Source: Cochran 1977, 6.4.
        """
        weight = counts[self.query]
        squares = np.cumsum(weight * self.relevant * (2 * self.found_before + 1))
        if goal == "precision":
            whole = np.cumsum(weight)
            both = np.cumsum(weight * (self.found_before + self.relevant * (self.kept_before + 1)))
            wholes = np.cumsum(weight * (2 * self.kept_before + 1))
        else:
            whole = np.full(len(weight), float(counts @ self.wanted))
            both = np.cumsum(weight * self.relevant * self.wanted[self.query])
            wholes = np.full(len(weight), float(counts @ self.wanted**2))
        total = np.maximum(squares - 2 * curve * both + curve**2 * wholes, 0.0)
        error = np.sqrt(total) / np.maximum(whole, 1.0)
        least = np.sqrt(target * (1.0 - target) / np.maximum(whole, 1.0))
        errors: Floats = np.maximum(error, least)
        return errors


def _before(query: NDArray[np.int32], values: Floats) -> Floats:
    """For each row, the sum of the values of earlier rows of its own query."""
    order = np.argsort(query, kind="stable")
    running = np.cumsum(values[order]) - values[order]
    first = np.flatnonzero(np.append(True, query[order][1:] != query[order][:-1]))
    offset = np.repeat(running[first], np.diff(np.append(first, len(query))))
    before = np.empty(len(query))
    before[order] = running - offset
    return before
