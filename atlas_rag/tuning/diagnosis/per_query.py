"""Which queries win and lose by a change of weights, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.data.runs import DocumentId
from atlas_rag.tuning.problem.problem import FusionProblem, Weights
from atlas_rag.tuning.problem.ranks import dense_ranks


@dataclass(frozen=True, slots=True)
class RelevantDocument:
    """Where a relevant document stands.

    Args:
        ranks: its rank in each input pipeline, None where not found.
        before, after: its rank in the fused ranking at either weighting.
    """

    document: DocumentId
    grade: int
    ranks: dict[str, int | None]
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class QueryOutcome:
    """One query at two weightings: value of the measure, and the relevant documents in the pool."""

    query: str
    before: float
    after: float
    relevant: tuple[RelevantDocument, ...]

    @property
    def difference(self) -> float:
        """Above 0 where the second weighting is better."""
        return self.after - self.before


def outcomes(problem: FusionProblem, before: Weights, after: Weights) -> list[QueryOutcome]:
    """Every query, the greatest loss first and the greatest win last."""
    first, second = problem.weights(before)[0], problem.weights(after)[0]
    values = problem.per_query(np.array([first, second]))
    start = problem.pool.start
    ranks = [
        dense_ranks(problem.fused_scores(weights), start)[problem.relevant] for weights in (first, second)
    ]
    found: dict[int, list[RelevantDocument]] = {}
    for place, (row, query) in enumerate(zip(problem.relevant, problem.relevant_query, strict=True)):
        own = dict(
            zip(problem.pipelines, (int(rank) or None for rank in problem.pool.ranks[row]), strict=True)
        )
        document = problem.runs.documents[problem.pool.document[row]]
        entry = RelevantDocument(
            document, int(problem.grades[row]), own, int(ranks[0][place]), int(ranks[1][place])
        )
        found.setdefault(int(query), []).append(entry)
    all_outcomes = [
        QueryOutcome(query, float(values[place, 0]), float(values[place, 1]), tuple(found.get(place, ())))
        for place, query in enumerate(problem.queries)
    ]
    return sorted(all_outcomes, key=lambda outcome: (outcome.difference, outcome.query))
