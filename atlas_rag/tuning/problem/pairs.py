"""Which documents can overtake a relevant one, and when.

Every measure here depends on the ranks of the relevant documents alone, and the rank of one is 1 + the number
of *rivals* (other documents of its query) ahead of it. The margin of a rival is its features minus those of
the relevant document; at weights w it is ahead when margin · w > 0. Where all entries of the margin have one
sign, no positive weights can change the order. Only margins with both signs are *contested* and kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from atlas_rag.tuning.data.runs import Floats, Ints

BLOCK = 1 << 19
"""Pairs examined at a time; bounds the memory of building to some tens of megabytes."""


@dataclass(frozen=True, slots=True)
class ContestedPairs:
    """The pairs whose order depends on positive weights, sorted by owner.

    Args:
        rows: pool row of each relevant document.
        ahead: for each relevant document, rivals that are ahead at any positive weights.
        owner: for each pair, the place of the relevant document in `rows`.
        rival: for each pair, the rival's pool row.
        margin: rival's features minus the relevant document's, one row per input pipeline.
        gap: smallest difference other than 0 met in each input pipeline, decided pairs included.
        cutoff: relevant documents with at least so many rivals always ahead keep no pairs.
    """

    rows: Ints
    ahead: Ints
    owner: Ints
    rival: Ints
    margin: Floats
    gap: Floats
    cutoff: int

    @classmethod
    def of(cls, features: Floats, start: Ints, rows: Ints, cutoff: int) -> ContestedPairs:
        """Compares each relevant pool row with every other row of its query.

        Args:
            features: one row per input pipeline, one column per pool row.
            start: first pool row of each query.
            rows: pool rows of relevant documents, ascending.
            cutoff: ranks that matter, ≥ 1.
        """
        query = np.searchsorted(start, rows, side="right") - 1
        first, width = start[query], np.diff(start)[query]
        parts = [
            _compare(features, rows[block], first[block], width[block], cutoff) for block in _blocks(width)
        ]
        offsets = np.cumsum([0] + [len(part[0]) for part in parts])
        ahead = [part[0] for part in parts]
        owner = [part[1] + offset for part, offset in zip(parts, offsets, strict=False)]
        return cls(
            rows,
            _join(ahead, np.int32),
            _join(owner, np.int32),
            _join([part[2] for part in parts], np.int32),
            np.concatenate([part[3] for part in parts], axis=1) if parts else features[:, :0],
            np.min([part[4] for part in parts], axis=0) if parts else np.full(len(features), np.inf),
            cutoff,
        )


def _join(parts: list[Ints], kind: type[np.int32]) -> Ints:
    return np.concatenate(parts).astype(kind, copy=False) if parts else np.zeros(0, dtype=kind)


def _blocks(width: NDArray[np.integer]) -> list[slice]:
    """Consecutive relevant documents whose pairs number about `BLOCK`."""
    total = np.cumsum(width)
    if not len(total):
        return []
    edges = np.searchsorted(total, np.arange(BLOCK, int(total[-1]), BLOCK), side="left") + 1
    bounds = np.unique(np.concatenate(([0], edges, [len(width)])))
    return [slice(int(low), int(high)) for low, high in pairwise(bounds)]


def _compare(
    features: Floats, rows: Ints, first: Ints, width: Ints, cutoff: int
) -> tuple[Ints, Ints, Ints, Floats, Floats]:
    """(ahead, owner, rival, margin, gap) of one block, see `ContestedPairs`."""
    owner = np.repeat(np.arange(len(rows), dtype=np.int32), width)
    begin = (np.cumsum(width) - width).astype(np.int32)
    rival = np.arange(len(owner), dtype=np.int32) + np.repeat(first - begin, width)
    above = np.zeros(len(owner), dtype=bool)
    below = np.zeros(len(owner), dtype=bool)
    margin = np.empty((len(features), len(owner)))
    gap = np.full(len(features), np.inf)
    for column, feature in enumerate(features):
        difference = np.subtract(feature[rival], np.repeat(feature[rows], width), out=margin[column])
        up, down = difference > 0, difference < 0
        above |= up
        below |= down
        if len(features) > 1:  # the order by a single pipeline is that of its scores, however close
            gap[column] = np.min(np.abs(difference), where=up | down, initial=np.inf)
    equal_and_first = ~(above | below) & (rival < np.repeat(rows, width))
    ahead = np.bincount(owner[(above & ~below) | equal_and_first], minlength=len(rows)).astype(np.int32)
    kept = np.flatnonzero(above & below & np.repeat(ahead < cutoff, width))
    return ahead, owner[kept], rival[kept], margin[:, kept], gap
