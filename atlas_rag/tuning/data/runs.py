"""Ranked lists of several input pipelines for the same queries, held as arrays.

Documents are numbered in the server's `_id` order, so "the smaller number wins" is the server's tie rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from atlas_rag.errors import ExperimentError
from atlas_rag.fusion import id_order

Ints: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]

DocumentId: TypeAlias = Any
"""An `_id`, of a type that `fusion.id_order` can order."""

ScoredRow: TypeAlias = tuple[DocumentId, float]


@dataclass(frozen=True, slots=True)
class RankedLists:
    """One input pipeline's ranked list of every query, end to end.

    Args:
        start: where the list of query i begins; one more entry than queries.
        document: document numbers, best first.
        rank: competition ranks, ≥ 1: equal scores share a rank, the next rank skips ("1, 1, 3").
        score: the pipeline's own score of each row, higher is better.
    """

    start: Ints
    document: Ints
    rank: Ints
    score: Floats

    @property
    def query(self) -> Ints:
        """The query number of each row."""
        return np.repeat(np.arange(len(self.start) - 1, dtype=np.int32), np.diff(self.start))

    def where(self, keep: NDArray[np.bool_]) -> RankedLists:
        """The rows that are kept; ranks stay as they were."""
        counts = np.bincount(self.query[keep], minlength=len(self.start) - 1)
        start = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
        return RankedLists(start, self.document[keep], self.rank[keep], self.score[keep])


@dataclass(frozen=True, slots=True)
class Runs:
    """Everything that was collected: ranked lists by input pipeline.

    Args:
        queries: query ids.
        documents: distinct document ids in the server's order.
        lists: input pipeline name → its ranked lists. Names are kept in alphabetical order, the order in
            which the server adds contributions.
    """

    queries: tuple[str, ...]
    documents: tuple[DocumentId, ...]
    lists: Mapping[str, RankedLists]

    @classmethod
    def of(cls, lists: Mapping[str, Mapping[str, Sequence[ScoredRow]]]) -> Runs:
        """Builds runs from pipeline name → query id → (document id, score) rows, best first.

        A query that one pipeline lacks found nothing there. Queries come in the order of first appearance.
        """
        queries = tuple(dict.fromkeys(query for rows in lists.values() for query in rows))
        distinct = {row[0] for rows in lists.values() for ranked in rows.values() for row in ranked}
        documents = tuple(sorted(distinct, key=id_order))
        number = {document: place for place, document in enumerate(documents)}
        packed = {
            name: _pack([lists[name].get(query, ()) for query in queries], number) for name in sorted(lists)
        }
        return cls(queries, documents, packed)

    @property
    def pipelines(self) -> tuple[str, ...]:
        """Names of the input pipelines, alphabetical."""
        return tuple(self.lists)

    def ranked(self, pipeline: str, query: str) -> list[ScoredRow]:
        """The rows of one query in one input pipeline, best first."""
        lists, place = self.lists[pipeline], self.queries.index(query)
        rows = slice(int(lists.start[place]), int(lists.start[place + 1]))
        return [
            (self.documents[doc], float(score))
            for doc, score in zip(lists.document[rows], lists.score[rows], strict=True)
        ]

    def only(self, pipelines: Iterable[str]) -> Runs:
        """The named input pipelines alone."""
        wanted = sorted(set(pipelines))
        self._check(wanted)
        return replace(self, lists={name: self.lists[name] for name in wanted})

    def with_runs_of(self, replacements: Mapping[str, str]) -> Runs:
        """The lists of other input pipelines under these names: name → the one that takes its place."""
        self._check(replacements.values())
        lists = {**self.lists, **{name: self.lists[other] for name, other in replacements.items()}}
        return replace(self, lists=dict(sorted(lists.items())))

    def to_depth(self, depth: int | Mapping[str, int]) -> Runs:
        """Each list cut after `depth` rows (≥ 1), as a `$limit` in the input pipeline would."""
        if isinstance(depth, Mapping):
            self._check(depth)
        limits = depth if isinstance(depth, Mapping) else dict.fromkeys(self.lists, depth)
        return self._filtered({name: _position(self.lists[name]) < limit for name, limit in limits.items()})

    def above(self, thresholds: Mapping[str, float]) -> Runs:
        """Only rows whose own score reaches the threshold of their input pipeline (≥)."""
        self._check(thresholds)
        return self._filtered({name: self.lists[name].score >= least for name, least in thresholds.items()})

    def for_queries(self, queries: Iterable[str]) -> Runs:
        """The lists of some queries, in the order of these runs."""
        wanted = set(queries)
        chosen = np.array([query in wanted for query in self.queries], dtype=bool)
        lists = {}
        for name, ranked in self.lists.items():
            kept = ranked.where(chosen[ranked.query])
            start = np.concatenate(([0], np.cumsum(np.diff(kept.start)[chosen]))).astype(np.int32)
            lists[name] = replace(kept, start=start)
        return Runs(tuple(query for query in self.queries if query in wanted), self.documents, lists)

    def _check(self, names: Iterable[str]) -> None:
        if unknown := [name for name in names if name not in self.lists]:
            raise ExperimentError(f"no input pipeline {unknown[0]!r}", expected=f"some of {list(self.lists)}")

    def _filtered(self, keep: Mapping[str, NDArray[np.bool_]]) -> Runs:
        lists = {
            name: ranked.where(keep[name]) if name in keep else ranked for name, ranked in self.lists.items()
        }
        return replace(self, lists=lists)


def competition_ranks(start: Ints, score: Floats) -> Ints:
    """Ranks of rows sorted by descending score within each list: equal scores share the first's rank.

    Source: the server's `$rank` window over the sort key of an input pipeline.
    """
    position = np.arange(len(score), dtype=np.int32)
    first = np.zeros(len(score), dtype=bool)
    first[start[:-1][np.diff(start) > 0]] = True
    first[1:] |= score[1:] != score[:-1]
    leader = np.maximum.accumulate(np.where(first, position, 0)) if len(score) else position
    return (leader - np.repeat(start[:-1], np.diff(start)) + 1).astype(np.int32)


def _position(lists: RankedLists) -> Ints:
    return np.arange(len(lists.document), dtype=np.int32) - np.repeat(lists.start[:-1], np.diff(lists.start))


def _pack(ranked: Sequence[Sequence[ScoredRow]], number: Mapping[DocumentId, int]) -> RankedLists:
    start = np.concatenate(([0], np.cumsum([len(rows) for rows in ranked]))).astype(np.int32)
    document = np.array([number[row[0]] for rows in ranked for row in rows], dtype=np.int32)
    score = np.array([row[1] for rows in ranked for row in rows], dtype=np.float64)
    query = np.repeat(np.arange(len(ranked)), np.diff(start))
    order = np.lexsort((-score, query))  # stable: rows of equal score keep the order they came in
    score = score[order]
    return RankedLists(start, document[order], competition_ranks(start, score), score)
