"""Every change of a relevant document's rank along a line of weightings.

Along weights w(t) = (1 - t)·start + t·stop a margin · w is linear in t, so that each contested pair changes
its order at one point at most. Most such flips happen far below the cutoff: they are counted by slices of the
line first, and only slices where the document can be within the cutoff are sorted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.runs import Floats, Ints
from atlas_rag.tuning.problem.problem import FusionProblem

SLICES = 16


@dataclass(frozen=True, slots=True)
class RankChanges:
    """Rank changes within the cutoff, ordered by document and then place.

    Args:
        first: rank of each relevant document just after the start, at most cutoff + 1.
        document: for each change, the place of the document among the relevant ones.
        at: where on the line, 0…1.
        before, after: rank on either side, at most cutoff + 1.
    """

    first: Ints
    document: Ints
    at: Floats
    before: Ints
    after: Ints


def rank_changes(problem: FusionProblem, start: Floats, stop: Floats) -> RankChanges:
    """Changes on the open line between two weightings of sum 1.

    Formula: margin · w(t) = 0 at t = m0 / (m0 - m1), with m0 and m1 the values at both ends.
    Raises:
        ExperimentError: a fusion that is not linear (7602).
    """
    if not problem.fusion.linear:
        raise ExperimentError(
            "an expression that is not linear in its weights has no exact sweep",
            expected="$rankFusion, or $scoreFusion by avg or sum",
            next_step="evaluate a grid of weights instead",
        )
    support = np.flatnonzero((start > 0) | (stop > 0))
    pairs = problem.pairs([int(column) for column in support])
    band = problem.band(len(support))
    low, high = start[support] @ pairs.margin, stop[support] @ pairs.margin
    low[np.abs(low) <= band] = 0.0
    high[np.abs(high) <= band] = 0.0
    ahead = (low > 0) | ((low == 0) & (high > 0))
    if len(level := np.flatnonzero((low == 0) & (high == 0))):
        ahead[level] = problem.server_decides(pairs.owner[level], pairs.rival[level], (start + stop) / 2)
    initial = pairs.ahead + np.bincount(pairs.owner[ahead], minlength=len(pairs.rows)).astype(np.int32)
    flips = np.flatnonzero(low * high < 0)
    low, high = low[flips], high[flips]
    return _within_cutoff(initial, pairs.owner[flips], low / (low - high), high > 0, pairs.cutoff)


def _within_cutoff(
    initial: Ints, owner: Ints, at: Floats, gains: NDArray[np.bool_], cutoff: int
) -> RankChanges:
    """Keeps the flips that change a rank of at most `cutoff`; `gains` marks rivals that come to be ahead."""
    shape = (len(initial), SLICES)
    cell = owner * SLICES + np.minimum((at * SLICES).astype(np.int32), SLICES - 1)
    raised = np.bincount(cell[gains], minlength=shape[0] * SLICES).reshape(shape)
    lowered = np.bincount(cell[~gains], minlength=shape[0] * SLICES).reshape(shape)
    entering = initial[:, None] + np.cumsum(raised - lowered, axis=1) - (raised - lowered)
    near = ((entering - lowered) < cutoff).ravel()
    kept = np.flatnonzero(near[cell])
    kept = kept[np.argsort(owner[kept] + at[kept])]  # owners are whole numbers and places below 1
    owner, at, cell, delta = owner[kept], at[kept], cell[kept], np.where(gains[kept], 1, -1)
    after = _running(entering.ravel(), cell, delta)
    before, after = np.minimum(after - delta, cutoff) + 1, np.minimum(after, cutoff) + 1
    real = before != after
    return RankChanges(np.minimum(initial, cutoff) + 1, owner[real], at[real], before[real], after[real])


def _running(entering: Ints, cell: Ints, delta: Ints) -> Ints:
    """Rivals ahead after each flip: those ahead on entering its slice, and the flips of the slice so far."""
    total = np.cumsum(delta)
    opens = np.ones(len(cell), dtype=bool)
    opens[1:] = cell[1:] != cell[:-1]
    leader = np.maximum.accumulate(np.where(opens, np.arange(len(cell)), 0))
    running: Ints = entering[cell] + total - (total - delta)[leader]
    return running
