"""Proof that no weights do better, by branch and bound over the simplex.

A contested pair whose margin · w has one sign at all corners of a small simplex has it everywhere inside.
Counting only such pairs bounds every rank from below, and so the measure from above.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, count

import numpy as np

from atlas_rag.tuning.data.runs import Floats, Ints
from atlas_rag.tuning.optimum.optimist import Optimist
from atlas_rag.tuning.problem.problem import FusionProblem, Weights

SMALLEST = 1e-6
"""Cells of this size are evaluated along their edges instead of divided again.

Where three and more pairs tie at one point, not every combination of their orders exists, and no division
would ever show it. All plateaus that meet in that point reach the edges of a cell around it.
"""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was found and what is impossible.

    Args:
        weights, value: the best weighting met, of sum 1.
        bound: no weighting with all weights > 0 has a higher mean, but for exact ties and for plateaus that
            are less than 1e-6 wide in every direction.
        cells: simplices examined.
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
    gap: float = 1e-4,
    seconds: float = 30.0,
    clock: Callable[[], float] = time.monotonic,
) -> Certificate:
    """Examines the whole simplex until nothing can be better than the best met by more than `gap`.

    Args:
        start: a good weighting, such as the result of `ascend`: the better it is, the sooner this ends.
        gap: of the mean of the measure, ≥ 0.
        seconds: time limit, > 0; the best bound so far is returned then.
    """
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
        """Divides the most promising cell in two, across its longest edge."""
        _, _, cell = heapq.heappop(self._open)
        distance = np.abs(cell.corners[:, None] - cell.corners[None]).max(axis=2)
        one, other = np.unravel_index(distance.argmax(), distance.shape)
        middle = (cell.corners[one] + cell.corners[other]) / 2
        for replaced in (one, other):
            corners = cell.corners.copy()
            corners[replaced] = middle
            self._add(_Cell(corners, cell.owner, cell.margin, cell.ahead))

    def _add(self, cell: _Cell) -> None:
        self.cells += 1
        cell = self._settled(cell)
        bound = self._optimist.bound(cell.ahead)
        if bound <= self.value:
            return
        self._try(cell, cell.corners.mean(axis=0))
        if np.ptp(cell.corners, axis=0).max() < SMALLEST:
            for point in _between_ties_on_edges(cell):
                self._try(cell, point)
        elif len(cell.owner):
            heapq.heappush(self._open, (-bound, next(self._number), cell))

    def _try(self, cell: _Cell, point: Floats) -> None:
        """Evaluates a point of the cell: with known ranks the bound is their value."""
        won = cell.owner[point @ cell.margin > 0]
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


def _between_ties_on_edges(cell: _Cell) -> Iterator[Floats]:
    """A point of each plateau along the edges of a cell."""
    for start, stop in combinations(cell.corners, 2):
        low, high = start @ cell.margin, stop @ cell.margin
        crossing = low * high < 0
        ties = np.sort(low[crossing] / (low - high)[crossing])
        ends = np.concatenate(([0.0], ties, [1.0]))
        for place in (ends[1:] + ends[:-1])[np.diff(ends) > 0] / 2:
            yield (1.0 - place) * start + place * stop
