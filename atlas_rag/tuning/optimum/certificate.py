"""Proof that no weights of three input pipelines do better, by branch and bound over the triangle of weights.

A contested pair whose margin · w has one sign at all corners of a small polygon has it everywhere inside.
Counting only such pairs bounds every rank from below, and so the measure from above.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import numpy as np

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.runs import Floats, Ints
from atlas_rag.tuning.optimum.optimist import Optimist
from atlas_rag.tuning.optimum.polygon import divided, halving_line, inner_point
from atlas_rag.tuning.problem.problem import FusionProblem, Weights

FEW = 40
"""Open pairs up to which a cell is cut along their ties."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was found and what is impossible.

    Args:
        weights, value: the best weighting met, of sum 1.
        bound: no weighting with all weights > 0 has a higher mean, but for exact ties and for plateaus of
            less than 1e-15 of the area.
        cells: polygons examined.
        seconds: time spent.
        closed: whether `bound - value` came down to the gap asked for before the time limit.
    """

    weights: Floats
    value: float
    bound: float
    cells: int
    seconds: float
    closed: bool

    @property
    def gap(self) -> float:
        """How much better an unseen weighting could be at most."""
        return self.bound - self.value


@dataclass(frozen=True, slots=True)
class _Cell:
    corners: Floats
    owner: Ints
    margin: Floats
    ahead: Ints


def certify(
    problem: FusionProblem,
    start: Weights,
    *,
    gap: float = 0.0,
    seconds: float = 30.0,
    clock: Callable[[], float] = time.monotonic,
) -> Certificate:
    """Examines the whole triangle until nothing can be better than the best met by more than `gap`.

    Args:
        start: a good weighting, such as the result of `ascend`: the better it is, the sooner this ends.
        gap: of the mean of the measure, ≥ 0.
        seconds: time limit, > 0; the best bound so far is returned then.
    Raises:
        ExperimentError: not three input pipelines, or a fusion that is not linear (7602).
    """
    if len(problem.pipelines) != 3 or not problem.fusion.linear:
        raise ExperimentError(
            f"there is no certificate for {len(problem.pipelines)} input pipelines and {problem.fusion}",
            expected="three input pipelines and a linear fusion",
            next_step="for two, the sweep is exact; for more, use line searches",
        )
    search = _Search(problem, start)
    begin = clock()
    while search.bound - search.value > gap and clock() - begin < seconds:
        search.step()
    bound = max(search.bound, search.value)
    closed = bound - search.value <= gap
    return Certificate(search.weights, search.value, bound, search.cells, clock() - begin, closed)


class _Search:
    """The open cells, best bound first, and the best weighting met."""

    def __init__(self, problem: FusionProblem, start: Weights) -> None:
        self._optimist = Optimist(problem)
        size = len(problem.pipelines)
        pairs = problem.pairs(range(size))
        self._cutoff, self._band = pairs.cutoff, problem.band(size)
        (point,) = problem.weights(start)
        self.weights: Floats = point / point.sum()
        self.value = float(problem.mean(point)[0])
        self.cells = 0
        self._number = count()
        self._open: list[tuple[float, int, _Cell]] = []
        self._add(_Cell(np.eye(size), pairs.owner, pairs.margin, pairs.ahead))

    @property
    def bound(self) -> float:
        """The highest value that any open cell could hold."""
        return -self._open[0][0] if self._open else self.value

    def step(self) -> None:
        """Divides the most promising cell in two."""
        _, _, cell = heapq.heappop(self._open)
        for corners in divided(cell.corners, _dividing_line(cell)):
            self._add(_Cell(corners, cell.owner, cell.margin, cell.ahead))

    def _add(self, cell: _Cell) -> None:
        self.cells += 1
        cell = self._settled(cell)
        bound = self._optimist.bound(cell.ahead)
        if bound <= self.value:
            return
        self._try(cell, inner_point(cell.corners))
        if len(cell.owner):
            heapq.heappush(self._open, (-bound, next(self._number), cell))

    def _try(self, cell: _Cell, point: Floats) -> None:
        """Evaluates a point of the cell; only where no pair ties are the ranks known."""
        margin = point @ cell.margin
        if (np.abs(margin) <= self._band).any():
            return
        won = cell.owner[margin > 0]
        value = self._optimist.bound(cell.ahead + np.bincount(won, minlength=len(cell.ahead)))
        if value > self.value:
            self.value, self.weights = value, point

    def _settled(self, cell: _Cell) -> _Cell:
        """Counts the pairs that are decided in all of the cell and keeps the others."""
        value = cell.corners @ cell.margin
        lowest, highest = value.min(axis=0), value.max(axis=0)
        always = (lowest >= -self._band) & (highest > self._band)
        ahead = cell.ahead + np.bincount(cell.owner[always], minlength=len(cell.ahead))
        split = (lowest < -self._band) & (highest > self._band)
        kept = np.flatnonzero(split & (ahead < self._cutoff)[cell.owner])
        return _Cell(cell.corners, cell.owner[kept], cell.margin[:, kept], ahead)


def _dividing_line(cell: _Cell) -> Floats:
    """Halves a cell with many open pairs; with few, cuts along the line on which the most central one ties.

    Cutting along ties ends after finitely many steps: halving alone would never come to an end where many
    pairs tie on one line or in one point.
    """
    if len(cell.owner) > FEW:
        return halving_line(cell.corners)
    slope = cell.margin - cell.margin.mean(axis=0)
    distance = np.abs(cell.corners.mean(axis=0) @ cell.margin) / np.sqrt((slope**2).sum(axis=0))
    line: Floats = cell.margin[:, distance.argmin()]
    return line
