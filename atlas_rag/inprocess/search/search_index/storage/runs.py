"""Immutable inverted lists (a run) and how two of them become one.

A run covers documents added together. A field keeps a few runs of growing size, so a write touches only
the newest; readers see them as one list, because document numbers rise from run to run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Run(NamedTuple):
    """Postings sorted by term, then document.

    `starts[i]:starts[i + 1]` are the postings of term id `terms[i]`; `spots[j]:spots[j + 1]` the positions
    of posting j (None where the field keeps none).
    """

    terms: Ints
    starts: Longs
    docs: Ints
    freqs: Ints
    spots: Longs | None
    positions: Ints | None

    def span(self, term: int) -> tuple[int, int]:
        """Returns where the postings of a term id begin and end."""
        at = int(self.terms.searchsorted(term))
        if at == len(self.terms) or self.terms[at] != term:
            return 0, 0
        return int(self.starts[at]), int(self.starts[at + 1])


def build_run(terms: Ints, docs: Ints, positions: Ints | None) -> Run:
    """Inverts tokens given in document (then position) order.

    Args:
        terms: term id of each token.
        docs: document of each token, not falling.
        positions: position of each token, or None to keep none.
    """
    order = stable_order(terms)
    terms, docs = terms[order], docs[order]
    first = np.ones(len(terms), dtype=bool)
    first[1:] = (terms[1:] != terms[:-1]) | (docs[1:] != docs[:-1])
    heads = np.flatnonzero(first)
    spots = np.append(heads, len(terms)).astype(np.int64)
    freqs = np.diff(spots).astype(np.int32)
    sorted_positions = None if positions is None else positions[order]
    return _grouped(terms[heads], docs[heads], freqs, None if positions is None else spots, sorted_positions)


def merge_runs(runs: Sequence[Run], alive: Flags | None, renumbered: Ints | None = None) -> Run:
    """Joins runs (older first), dropping documents that are not alive.

    Args:
        alive: by document; None keeps all.
        renumbered: new number by old document number, order kept; None leaves numbers as they are.
    """
    terms = np.concatenate([np.repeat(run.terms, np.diff(run.starts)) for run in runs])
    docs = np.concatenate([run.docs for run in runs])
    order = stable_order(terms)
    if alive is not None:
        order = order[alive[docs[order]]]
    freqs = np.concatenate([run.freqs for run in runs])
    spots, positions = _merge_positions(runs, freqs, order)
    docs = docs[order]
    if renumbered is not None:
        docs = renumbered[docs]
    return _grouped(terms[order], docs, freqs[order], spots, positions)


def _merge_positions(runs: Sequence[Run], freqs: Ints, order: Longs) -> tuple[Longs | None, Ints | None]:
    if any(run.positions is None for run in runs):
        return None, None
    flat = np.concatenate([run.positions for run in runs if run.positions is not None])
    spots = np.concatenate([[0], np.cumsum(freqs, dtype=np.int64)])
    counts = freqs[order]
    ends = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    return ends, flat[slices(spots[:-1][order], counts)]


def stable_order(terms: Ints) -> Longs:
    """Returns the places of the terms in rising order, equal ones as they stand.

    Sorting term and place as one integer is several times faster than a stable argsort.
    """
    keys = terms.astype(np.int64) << 32
    keys |= np.arange(len(terms), dtype=np.int64)
    keys.sort()
    keys &= 0xFFFFFFFF
    return keys


def slices(starts: Longs, counts: Ints | Longs) -> Longs:
    """Returns the indices of many slices one after the other."""
    ends = np.cumsum(counts, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    indices: Longs = np.arange(total, dtype=np.int64) + np.repeat(starts - (ends - counts), counts)
    return indices


def _grouped(terms: Ints, docs: Ints, freqs: Ints, spots: Longs | None, positions: Ints | None) -> Run:
    first = np.ones(len(terms), dtype=bool)
    first[1:] = terms[1:] != terms[:-1]
    heads = np.flatnonzero(first)
    starts = np.append(heads, len(terms)).astype(np.int64)
    return Run(terms[heads], starts, docs.astype(np.int32), freqs.astype(np.int32), spots, positions)
