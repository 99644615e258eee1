"""Vectors in the elements of one array: every element is a child of its document, which is what is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array
from atlas_rag.inprocess.search.vector_index.paths import values_at
from atlas_rag.inprocess.search.vector_index.rows import VectorRows
from atlas_rag.inprocess.search.vector_index.selection import best, contenders


class Family(NamedTuple):
    """Children and their parents: `parents[child row]` is a document row, ascending."""

    parents: Array
    parent_allowed: Array | None


def children_of(document: Mapping[str, Any], root: str) -> Iterator[Mapping[str, Any]]:
    """The sub-documents at the nested root."""
    for value in values_at(document, root):
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, Mapping):
                yield item


def best_parents(
    rows: VectorRows,
    query: Array,
    count: int,
    *,
    mode: str,
    allowed: Array | None,
    candidates: int | None,
    family: Family,
    places: Array | None,
) -> tuple[Array, Array]:
    """Document rows of the best `count` parents and their scores, best first.

    Measured rules: an approximate question takes its best candidates among the *children* that pass the
    filter, drops those whose parent does not pass the parent filter, and scores what is left: `max` by the
    best of these candidates, `avg` by the mean over all children of the parent. An exact question scores by
    the best, or the mean, of the children that pass the filter.

    Args:
        rows: the vectors; their owners are child rows.
        mode: "max" or "avg".
        allowed: mask over child rows; None for all.
        candidates: None for an exact question.
        places: rank of every document row in a tie, instead of the row itself.
    """
    if candidates is None:
        parents, scores = _exact(rows, query, count, mode, allowed, family)
    else:
        parents, scores = _approximate(rows, query, mode, allowed, candidates, family)
    order = best(scores, count, parents if places is None else places[parents])
    return parents[order], scores[order]


def _exact(
    rows: VectorRows, query: Array, count: int, mode: str, allowed: Array | None, family: Family
) -> tuple[Array, Array]:
    if family.parent_allowed is not None:
        passing = family.parent_allowed[family.parents]
        allowed = passing if allowed is None else allowed & passing
    wanted = rows.positions(allowed)
    if wanted is None:
        wanted = np.arange(len(rows.owners))
    estimates, error = rows.approximate_scores(query, wanted)
    parents = family.parents[rows.owners[wanted]]
    _, group_scores = _grouped(parents, estimates, mode)
    chosen = contenders(group_scores, count, error)
    group = np.cumsum(np.diff(parents, prepend=-1) != 0) - 1
    final = wanted[np.isin(group, chosen)]
    return _grouped(family.parents[rows.owners[final]], rows.scores(query, final).astype(np.float64), mode)


def _approximate(
    rows: VectorRows, query: Array, mode: str, allowed: Array | None, candidates: int, family: Family
) -> tuple[Array, Array]:
    positions, scores = rows.search(query, candidates, allowed, candidates)
    if family.parent_allowed is not None:
        passing = family.parent_allowed[family.parents[rows.owners[positions]]]
        positions, scores = positions[passing], scores[passing]
    if mode == "avg":
        found = np.unique(family.parents[rows.owners[positions]])
        positions = np.flatnonzero(np.isin(family.parents[rows.owners], found))
        scores = rows.scores(query, positions)
    ascending = np.argsort(positions)
    return _grouped(family.parents[rows.owners[positions[ascending]]], scores[ascending], mode)


def _grouped(parents: Array, scores: Array, mode: str) -> tuple[Array, Array]:
    """One float32 score per run of equal parents; means are taken in the precision of `scores`.

    The engine takes them in double for exact questions and in float for approximate ones.
    """
    if not len(parents):
        return parents, scores
    starts = np.flatnonzero(np.diff(parents, prepend=-1))
    if mode == "max":
        return parents[starts], np.maximum.reduceat(scores, starts).astype(np.float32)
    lengths = np.diff(starts, append=len(parents))
    sums = np.zeros(len(starts), scores.dtype)
    for place in range(int(lengths.max())):  # one after the other, as the engine adds
        longer = lengths > place
        sums[longer] += scores[starts[longer] + place]
    return parents[starts], (sums / lengths.astype(scores.dtype)).astype(np.float32)
