"""The measure along a whole line of weightings, exactly.

The measure is constant between neighbouring rank changes. A sweep knows every such plateau and its value.
Source: the line search of Och (2003) for translation models, here for fused rankings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atlas_rag.tuning.data.runs import Floats, Ints
from atlas_rag.tuning.optimum.flips import RankChanges, rank_changes
from atlas_rag.tuning.problem.problem import FusionProblem, Weights

NARROWEST = 1e-9
"""Plateaus narrower than this share of the line are artefacts of rounding."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A piecewise constant function on the open line from `start` (t = 0) to `stop` (t = 1).

    Args:
        start, stop: weightings of sum 1.
        edges: ends of the plateaus, from 0 to 1, one more than plateaus.
        values: mean of the measure on each plateau.
        initial: value of each query just after the start.
        query, at, jump: every change of one query's value, in order of place.
    """

    start: Floats
    stop: Floats
    edges: Floats
    values: Floats
    initial: Floats
    query: Ints
    at: Floats
    jump: Floats

    def weights(self, t: float) -> Floats:
        """The weighting at a place of the line."""
        point: Floats = (1.0 - t) * self.start + t * self.stop
        return point

    def best(self) -> tuple[float, float]:
        """(place, value): the middle of the best plateau, the widest of equals."""
        widths = np.diff(self.edges)
        values = np.where(widths >= NARROWEST, self.values, -np.inf)
        place = np.where(values >= values.max() - 1e-12, widths, 0.0).argmax()
        return float((self.edges[place] + self.edges[place + 1]) / 2), float(self.values[place])

    def plateau(self, t: float) -> tuple[float, float]:
        """The ends of the plateau around a place."""
        place = int(np.clip(np.searchsorted(self.edges, t, side="right") - 1, 0, len(self.values) - 1))
        return float(self.edges[place]), float(self.edges[place + 1])


def sweep(problem: FusionProblem, start: Weights, stop: Weights) -> Sweep:
    """All plateaus between two weightings, each scaled to sum 1; of two pipelines these are all there are.

    The ends themselves, where weights may be 0, belong to the line only in the limit: evaluate them apart.
    """
    (low,), (high,) = problem.weights(start), problem.weights(stop)
    low, high = low / low.sum(), high / high.sum()
    changes = rank_changes(problem, low, high)
    initial, query, at, jump = _value_changes(problem, changes)
    order = np.argsort(at)
    query, at, jump = query[order], at[order], jump[order]
    values = (initial.sum() + np.concatenate(([0.0], np.cumsum(jump)))) / len(initial)
    edges = np.concatenate(([0.0], at, [1.0]))
    wide = np.flatnonzero(np.diff(edges) > 0)
    ends = np.append(edges[wide], 1.0)
    return Sweep(low, high, ends, values[wide], initial, query, at, jump)


def _value_changes(problem: FusionProblem, changes: RankChanges) -> tuple[Floats, Ints, Floats, Floats]:
    """(value of each query at the start; query, place and size of each change of a value)."""
    queries = len(problem.queries)
    query = problem.relevant_query[changes.document]
    order = np.argsort(query + changes.at)
    query, at, document = query[order], changes.at[order], changes.document[order]
    counts = np.bincount(query, minlength=queries)
    opening = (
        np.cumsum(counts + 1) - counts - 1
    )  # each query's states: the initial one, then one after each change
    state = np.arange(len(query)) + query + 1
    state_query = np.repeat(np.arange(queries), counts + 1)
    step = np.zeros(len(state_query), dtype=np.int32)
    step[state] = (changes.after - changes.before)[order]
    values = _state_values(problem, changes, state_query, opening, (state, document, step[state]))
    return values[opening], query.astype(np.int32), at, values[state] - values[state - 1]


def _state_values(
    problem: FusionProblem,
    changes: RankChanges,
    state_query: NDArray[np.intp],
    opening: NDArray[np.intp],
    steps: tuple[NDArray[np.intp], Ints, Ints],
) -> Floats:
    """The measure of a query's ranking in each of its states."""
    cutoff, queries = problem.measure.cutoff, len(problem.queries)
    live = changes.first <= cutoff
    live[changes.document] = True
    rows = np.flatnonzero(live)
    live_query = problem.relevant_query[rows]
    first_of_query = np.searchsorted(live_query, np.arange(queries))
    slot = np.zeros(len(live), dtype=np.int32)
    slot[rows] = np.arange(len(rows)) - first_of_query[live_query]
    width = int(slot.max(initial=0)) + 1
    begin = np.full((queries, width), cutoff + 1, dtype=np.int32)
    begin[live_query, slot[rows]] = changes.first[rows]
    grades = np.zeros((queries, width), dtype=np.int16)
    grades[live_query, slot[rows]] = problem.grades[problem.relevant[rows]]
    moved = np.zeros((len(state_query), width), dtype=np.int32)
    state, document, step = steps
    moved[state, slot[document]] = step
    np.cumsum(moved, axis=0, out=moved)
    ranks = begin[state_query] + moved - moved[opening][state_query]
    place, column = np.nonzero(ranks <= cutoff)
    table = np.zeros((cutoff, len(state_query)), dtype=np.int16)
    table[ranks[place, column] - 1, place] = grades[state_query[place], column]
    return problem.measure.values(table, problem.ideal.take(state_query))
