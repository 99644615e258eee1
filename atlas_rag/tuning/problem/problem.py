"""The fusion problem: collected runs and judgments, ready to be evaluated at any weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from atlas_rag.errors import Code, ExperimentError
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.runs import DocumentId, Floats, Ints, Runs
from atlas_rag.tuning.measures import Ideal, Measure, parse
from atlas_rag.tuning.measures.parse import whole
from atlas_rag.tuning.problem.fusion import Fusion, ReciprocalRankFusion
from atlas_rag.tuning.problem.pairs import ContestedPairs
from atlas_rag.tuning.problem.pool import Pool
from atlas_rag.tuning.problem.ranks import Ranks, dense_ranks, ranks_at
from atlas_rag.tuning.problem.tables import grade_table

Weights: TypeAlias = Mapping[str, float] | ArrayLike
"""By input pipeline name, or numbers in alphabetical order of the names; any scale, ≥ 0."""

RANKS = 30_000_000
"""Ranks held at a time, two bytes each: it bounds the memory of an evaluation."""

CELLS = 500_000
"""Cells of a grade table, two bytes each: it stays in the processor's cache."""


class FusionProblem:
    """Evaluates weightings of the collected runs exactly as the server would rank them.

    Args:
        runs: what was collected.
        judgments: queries without any are left out; a query whose relevant documents nobody found counts 0.
        measure: a measure or its name, such as "nDCG@10".
        fusion: `$rankFusion` unless given.
    """

    def __init__(
        self,
        runs: Runs,
        judgments: Judgments,
        measure: Measure | str = "nDCG@10",
        fusion: Fusion | None = None,
    ) -> None:
        self.judgments = judgments
        self.measure = parse(measure) if isinstance(measure, str) else measure
        self.fusion = fusion or ReciprocalRankFusion()
        judged = set(judgments.queries)
        self.runs = runs.for_queries(query for query in runs.queries if query in judged)
        if not self.runs.queries:
            raise ExperimentError(
                "no collected query has a judgment",
                expected="query ids that occur in the runs and in the judgments",
                next_step="check that both use the same ids",
                code=Code.TOO_FEW_JUDGMENTS,
            )
        self.pool = Pool.of(self.runs)
        self.measure = whole(self.measure, int(np.diff(self.pool.start).max(initial=1)))
        self.features = self.fusion.features(self.pool)
        self.grades = self.pool.grades(judgments)
        self.relevant: Ints = np.flatnonzero(self.grades > 0).astype(np.int32)
        self.relevant_query: Ints = self.pool.query[self.relevant]
        self._pairs: dict[tuple[int, ...], ContestedPairs] = {}

    @property
    def queries(self) -> tuple[str, ...]:
        """The judged queries, in the order of every per-query result."""
        return self.runs.queries

    @property
    def pipelines(self) -> tuple[str, ...]:
        """Names of the input pipelines, in the order of weights."""
        return self.runs.pipelines

    @cached_property
    def ideal(self) -> Ideal:
        """What the judgments allow at best, by query."""
        grades = [list(self.judgments.relevant(query).values()) for query in self.queries]
        counts = np.array([len(some) for some in grades], dtype=np.float64)
        return Ideal(counts, np.array([self.measure.ideal_gain(some) for some in grades], dtype=np.float64))

    def weights(self, weights: Weights) -> Floats:
        """One weighting a row, in the order of `pipelines`. An input pipeline without a weight has 1.

        Raises:
            ExperimentError: unknown names, negative or infinite numbers, or the wrong number of them (7105).
        """
        if isinstance(weights, Mapping):
            unknown = sorted(set(weights) - set(self.pipelines))
            rows = np.array([[float(weights.get(name, 1.0)) for name in self.pipelines]])
        else:
            unknown, rows = [], np.atleast_2d(np.asarray(weights, dtype=np.float64))
        if unknown or rows.shape[1] != len(self.pipelines) or not np.isfinite(rows).all() or (rows < 0).any():
            raise ExperimentError(
                f"these weights do not fit the input pipelines {list(self.pipelines)}",
                expected="one finite number ≥ 0 for each of them",
                next_step=f"remove {unknown[0]!r}" if unknown else "correct the weights",
                code=Code.INVALID_WEIGHTS,
            )
        return rows

    def per_query(self, weights: Weights) -> Floats:
        """The measure of each query (first axis) at each weighting (second axis)."""
        rows = self.weights(weights)
        values = np.empty((len(self.queries), len(rows)))
        many = max(1, RANKS // max(len(self.relevant), 1))
        few = max(1, CELLS // (len(self.queries) * self.measure.cutoff))
        for begin in range(0, len(rows), many):
            ranks = self.relevant_ranks(rows[begin : begin + many])
            for part in range(0, len(ranks), few):
                block = ranks[part : part + few]
                values[:, begin + part : begin + part + len(block)] = self._values(block)
        return values

    def mean(self, weights: Weights) -> Floats:
        """The mean over queries at each weighting."""
        mean: Floats = self.per_query(weights).mean(axis=0)
        return mean

    def relevant_ranks(self, weights: Floats) -> Ranks:
        """Rank of each relevant pool row (second axis) at each weighting; beyond the cutoff, cutoff + 1."""
        support = weights > 0
        if support.all():
            return self._ranks_with_support(weights, np.arange(weights.shape[1]))
        ranks = np.empty((len(weights), len(self.relevant)), dtype=np.int16)
        for pattern in np.unique(support, axis=0):
            columns = np.flatnonzero((support == pattern).all(axis=1))
            ranks[columns] = self._ranks_with_support(weights[columns], np.flatnonzero(pattern))
        return ranks

    def fused_scores(self, weights: Floats) -> Floats:
        """The server's fused score of every pool row at one weighting, to the last bit."""
        return self.fusion.scores(self.features, weights)

    def ranking(
        self, weights: Weights, limit: int | None = None
    ) -> dict[str, list[tuple[DocumentId, float]]]:
        """The fused (document id, score) rows of each query at one weighting, best first."""
        (row,) = self.weights(weights)
        scores = self.fused_scores(row)
        order = np.lexsort((-scores, self.pool.query))
        fused = {}
        for place, query in enumerate(self.queries):
            rows = order[self.pool.start[place] : self.pool.start[place + 1]][:limit]
            fused[query] = [
                (self.runs.documents[self.pool.document[row]], float(scores[row])) for row in rows
            ]
        return fused

    def pairs(self, support: Sequence[int]) -> ContestedPairs:
        """Contested pairs when only these input pipelines have a weight above 0; built once."""
        key = tuple(int(column) for column in support)
        if key not in self._pairs:
            features = self.features[list(key)]
            self._pairs[key] = ContestedPairs.of(
                features, self.pool.start, self.relevant, self.measure.cutoff
            )
        return self._pairs[key]

    def band(self, columns: int) -> float:
        """Differences of scores, at weights of sum 1, that rounding could decide either way."""
        return 16 * columns * 2.0**-53 * float(self.features.max(initial=1e-300))

    def _ranks_with_support(self, weights: Floats, support: NDArray[np.intp]) -> Ranks:
        pairs = self.pairs([int(column) for column in support])
        shares = (
            weights[:, support] / weights.sum(axis=1, keepdims=True) if len(support) else weights[:, support]
        )
        band = self.band(len(support))
        tiny = (shares * np.where(np.isfinite(pairs.gap), pairs.gap, 1.0) <= band).any(axis=1)
        tiny |= not self.fusion.linear

        def decide(owners: Ints, rivals: Ints, column: int) -> NDArray[np.bool_]:
            return self.server_decides(owners, rivals, weights[usual[column]])

        usual = np.flatnonzero(~tiny)
        fast = ranks_at(pairs, shares[usual], band=band, decide=decide)
        if not tiny.any():
            return fast
        ranks = np.empty((len(weights), len(self.relevant)), dtype=np.int16)
        ranks[usual] = fast
        for place in np.flatnonzero(tiny):
            every = dense_ranks(self.fused_scores(weights[place]), self.pool.start)
            ranks[place] = np.minimum(every[self.relevant], self.measure.cutoff + 1)
        return ranks

    def server_decides(self, owners: Ints, rivals: Ints, weights: Floats) -> NDArray[np.bool_]:
        """Whether each rival (a pool row) is ahead of its owner, by the server's floats and tie rule."""
        rows = self.relevant[owners]
        own = self.fusion.scores(self.features[:, rows], weights)
        other = self.fusion.scores(self.features[:, rivals], weights)
        ahead: NDArray[np.bool_] = (other > own) | ((other == own) & (rivals < rows))
        return ahead

    def _values(self, ranks: Ranks) -> Floats:
        weightings, queries = len(ranks), len(self.queries)
        table = grade_table(
            ranks,
            self.relevant_query,
            self.grades[self.relevant],
            queries=queries,
            cutoff=self.measure.cutoff,
        )
        ideal = self.ideal.take(np.tile(np.arange(queries), weightings))
        return self.measure.values(table, ideal).reshape(weightings, queries).T
