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

LEAF = 12
"""Weightings below which a box is no longer divided; the fastest of 4…32 when measured."""

Decider: TypeAlias = Callable[[Ints, Ints, int], NDArray[np.bool_]]
"""(owners, rivals, weighting) → whether each rival is ahead, by the server's own floats."""

Ranks: TypeAlias = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class _Open:
    """The pairs not yet decided in a box, and how many rivals are ahead in all of it."""

    owner: Ints
    rival: Ints
    margin: Floats
    ahead: Ints


def ranks_at(pairs: ContestedPairs, weights: Floats, *, band: float, decide: Decider) -> Ranks:
    """Rank of each relevant document (first axis) at each weighting (second axis), at most cutoff + 1.

    Args:
        weights: one weighting a row, all entries > 0, each row with sum 1.
        band: margins · w of this size or less may be decided either way by rounding; `decide` settles them.
    """
    ranks = np.empty((len(pairs.rows), len(weights)), dtype=np.int16)
    whole = _Open(pairs.owner, pairs.rival, pairs.margin, pairs.ahead)
    stack = [(np.arange(len(weights)), whole)] if len(weights) else []
    while stack:
        columns, undecided = stack.pop()
        here = weights[columns]
        undecided = _decided_in_box(undecided, here.min(axis=0), here.max(axis=0), band, pairs.cutoff)
        if len(columns) <= LEAF or not len(undecided.owner):
            ranks[:, columns] = _leaf_ranks(undecided, columns, here, band, decide, pairs.cutoff)
        else:
            widest = np.ptp(here, axis=0).argmax()
            order = columns[np.argsort(here[:, widest], kind="stable")]
            half = len(order) // 2
            stack += [(order[:half], undecided), (order[half:], undecided)]
    return ranks


def _decided_in_box(pairs: _Open, low: Floats, high: Floats, band: float, cutoff: int) -> _Open:
    up, down = np.maximum(pairs.margin, 0.0), np.minimum(pairs.margin, 0.0)
    least, most = low @ up + high @ down, high @ up + low @ down
    always = least > band
    ahead = pairs.ahead + np.bincount(pairs.owner[always], minlength=len(pairs.ahead)).astype(np.int32)
    keep = np.flatnonzero(~always & (most >= -band) & (ahead < cutoff)[pairs.owner])
    return _Open(pairs.owner[keep], pairs.rival[keep], pairs.margin[:, keep], ahead)


def _leaf_ranks(
    pairs: _Open, columns: NDArray[np.intp], weights: Floats, band: float, decide: Decider, cutoff: int
) -> Ranks:
    value = weights @ pairs.margin
    wins = value > band
    near = np.abs(value, out=value) <= band
    for place in np.flatnonzero(near.any(axis=1)):
        close = np.flatnonzero(near[place])
        wins[place, close] = decide(pairs.owner[close], pairs.rival[close], int(columns[place]))
    ends = np.searchsorted(pairs.owner, np.arange(len(pairs.ahead) + 1))
    total = np.zeros((len(weights), len(pairs.owner) + 1), dtype=np.int32)
    np.cumsum(wins, axis=1, out=total[:, 1:])
    ahead = pairs.ahead + (total[:, ends[1:]] - total[:, ends[:-1]])
    ranks: Ranks = np.minimum(ahead.T + 1, cutoff + 1).astype(np.int16)
    return ranks


def dense_ranks(scores: Floats, start: Ints) -> Ints:
    """Rank of every pool row within its query: score descending, then `_id`; by sorting, for any scores."""
    query = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
    order = np.lexsort((-scores, query))  # stable, and pool rows are in `_id` order within a query
    rank = np.empty(len(scores), dtype=np.int32)
    rank[order] = np.arange(len(scores), dtype=np.int32) - start[query[order]] + 1
    return rank
