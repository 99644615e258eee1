"""Set operations on sorted document arrays, and sums of scores over them.

Sums are taken in double and cast to float32 once, as Lucene's Boolean scorers do.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from atlas_rag.inprocess.search.search_index.queries.base import NOTHING, Matches
from atlas_rag.inprocess.search.search_index.storage.runs import Flags, Ints

DENSE_SHARE = 16
"""Sums go through an array over all documents once the postings exceed 1 / DENSE_SHARE of them."""


def locate(needles: Ints, sorted_docs: Ints) -> tuple[Flags, NDArray[np.int64]]:
    """Returns which needles are among the documents, and where."""
    at = sorted_docs.searchsorted(needles)
    if not len(sorted_docs):
        return np.zeros(len(needles), bool), at
    at[at == len(sorted_docs)] = 0
    return sorted_docs[at] == needles, at


def intersect(arrays: Sequence[Ints]) -> Ints:
    """Returns the documents that all arrays hold."""
    ordered = sorted(arrays, key=len)
    docs = ordered[0]
    for other in ordered[1:]:
        if not len(docs):
            break
        docs = docs[locate(docs, other)[0]]
    return docs


def without(docs: Ints, others: Ints) -> Flags:
    """Returns which documents are not among the others."""
    return ~locate(docs, others)[0]


def union(arrays: Sequence[Ints], size: int) -> Ints:
    """Returns the documents that any array holds.

    Args:
        size: number of documents of the partition.
    """
    if len(arrays) == 1:
        return arrays[0]
    if not arrays:
        return NOTHING.docs
    joined = np.concatenate(arrays)
    if len(joined) * DENSE_SHARE < size:
        return np.unique(joined)
    flags = np.zeros(size, bool)
    flags[joined] = True
    return np.flatnonzero(flags).astype(np.int32)


def add_up(parts: Sequence[Matches], size: int) -> Matches:
    """Returns the documents any part matches, with the sum of their scores."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return NOTHING
    joined = np.concatenate([part.docs for part in parts])
    scores = np.concatenate([part.scores for part in parts])
    if len(joined) * DENSE_SHARE < size:
        return _add_sparse(joined, scores)
    flags = np.zeros(size, bool)
    flags[joined] = True
    docs = np.flatnonzero(flags).astype(np.int32)
    sums = np.bincount(joined, weights=scores, minlength=size)
    return Matches(docs, sums[docs].astype(np.float32))


def _add_sparse(docs: Ints, scores: NDArray[np.float32]) -> Matches:
    if not len(docs):
        return NOTHING
    order = np.argsort(docs, kind="stable")
    docs = docs[order]
    heads = np.flatnonzero(np.concatenate([[True], docs[1:] != docs[:-1]]))
    sums = np.add.reduceat(scores[order].astype(np.float64), heads)
    return Matches(docs[heads], sums.astype(np.float32))


def scores_at(docs: Ints, matches: Matches) -> NDArray[np.float32]:
    """Returns the scores of documents that all match."""
    if len(docs) == len(matches.docs):
        return matches.scores
    return matches.scores[matches.docs.searchsorted(docs)]
