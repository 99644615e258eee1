"""Ranks of the relevant documents at many weightings at once.

Weightings are divided like a tree, by nearness. In each box of weights most contested pairs are already
decided (the least or the greatest value of margin · w over the box has the same sign everywhere), so that
few remain for the small boxes at the leaves: thousands of weightings cost little more than a few.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from atlas_rag.tuning.data.runs import Floats, Ints
from atlas_rag.tuning.problem.pairs import ContestedPairs

LEAF = 24
"""Weightings below which a box is no longer divided; the fastest of 8…32 when measured."""

Decider: TypeAlias = Callable[[Ints, Ints, int], NDArray[np.bool_]]
"""(owners, rivals, weighting) → whether each rival is ahead, by the server's own floats."""

Ranks: TypeAlias = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class _Open:
    """The pairs not yet decided in a box, and how many rivals are ahead in all of it.

    Weights have sum 1, so margin · w = slope · (all weights but the last) + constant.
    """

    owner: Ints
    rival: Ints
    slope: Floats
    constant: Floats
    ahead: Ints

    def only(self, kept: NDArray[np.intp], ahead: Ints) -> _Open:
        slope = self.slope[:, kept]
        return _Open(self.owner[kept], self.rival[kept], slope, self.constant[kept], ahead)


def ranks_at(pairs: ContestedPairs, weights: Floats, *, band: float, decide: Decider) -> Ranks:
    """Rank of each relevant document (second axis) at each weighting (first axis), at most cutoff + 1.

    Args:
        weights: one weighting a row, all entries > 0, each row with sum 1.
        band: margins · w of this size or less may be decided either way by rounding; `decide` settles them.
    """
    ranks = np.empty((len(weights), len(pairs.rows)), dtype=np.int16)
    constant = pairs.margin[-1] if len(pairs.margin) else np.zeros(0)
    free = weights[:, :-1]
    whole = _Open(pairs.owner, pairs.rival, pairs.margin[:-1] - constant, constant, pairs.ahead)
    stack = [(np.arange(len(weights)), whole)] if len(weights) else []
    while stack:
        columns, undecided = stack.pop()
        here = free[columns]
        if len(columns) <= LEAF or not len(undecided.owner):
            ranks[columns] = _leaf_ranks(undecided, columns, here, band, decide, pairs.cutoff)
            continue
        order = columns[np.argsort(here[:, np.ptp(here, axis=0).argmax()], kind="stable")]
        for half in np.array_split(order, 2):
            stack.append((half, _decided_in_box(undecided, free[half], band, pairs.cutoff)))
    return ranks


def _decided_in_box(pairs: _Open, weights: Floats, band: float, cutoff: int) -> _Open:
    """Counts the pairs decided in the box of these weightings; keeps the others that still matter."""
    low, high = weights.min(axis=0), weights.max(axis=0)
    middle = (low + high) / 2 @ pairs.slope
    middle += pairs.constant
    reach = (high - low) / 2 @ np.abs(pairs.slope)
    reach += band
    ahead = pairs.ahead + np.bincount(pairs.owner[middle > reach], minlength=len(pairs.ahead)).astype(
        np.int32
    )
    kept = np.flatnonzero((np.abs(middle) <= reach) & (ahead < cutoff)[pairs.owner])
    return pairs.only(kept, ahead)


def _leaf_ranks(
    pairs: _Open, columns: NDArray[np.intp], weights: Floats, band: float, decide: Decider, cutoff: int
) -> Ranks:
    value = weights @ pairs.slope
    value += pairs.constant
    wins = value > band
    near = np.abs(value, out=value) <= band
    for place in np.flatnonzero(near.any(axis=1)):
        close = np.flatnonzero(near[place])
        wins[place, close] = decide(pairs.owner[close], pairs.rival[close], int(columns[place]))
    ends = np.searchsorted(pairs.owner, np.arange(len(pairs.ahead) + 1))
    total = np.zeros((len(weights), len(pairs.owner) + 1), dtype=np.int32)
    np.cumsum(wins, axis=1, out=total[:, 1:])
    ahead = pairs.ahead + (total[:, ends[1:]] - total[:, ends[:-1]])
    ranks: Ranks = np.minimum(ahead + 1, cutoff + 1).astype(np.int16)
    return ranks


def dense_ranks(scores: Floats, start: Ints) -> Ints:
    """Rank of every pool row within its query: score descending, then `_id`; by sorting, for any scores."""
    query = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
    order = np.lexsort((-scores, query))  # stable, and pool rows are in `_id` order within a query
    rank = np.empty(len(scores), dtype=np.int32)
    rank[order] = np.arange(len(scores), dtype=np.int32) - start[query[order]] + 1
    return rank
