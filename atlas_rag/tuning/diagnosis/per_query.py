"""Which queries win and lose by a change of weights, and why."""

from __future__ import annotations

from dataclasses import dataclass

from atlas_rag.tuning.data.runs import DocumentId
from atlas_rag.tuning.problem.problem import FusionProblem, Weights
from atlas_rag.tuning.problem.ranks import dense_ranks


@dataclass(frozen=True, slots=True)
class RelevantDocument:
    """Where a relevant document stands.

    Args:
        ranks: its rank in each input pipeline, None where not found.
        before, after: its rank in the fused ranking at either weighting, None where it is not in it.
    """

    document: DocumentId
    grade: int
    ranks: dict[str, int | None]
    before: int | None
    after: int | None


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


def outcomes(
    problem: FusionProblem, before: Weights, after: Weights, *, then: FusionProblem | None = None
) -> list[QueryOutcome]:
    """Every query, the greatest loss first and the greatest win last.

    Args:
        then: the problem of the second weighting, where it is another: another fusion or variant of the
            same queries. Ranks by input pipeline are those of the first.
    """
    then = then or problem
    values = [problem.per_query(before)[:, 0], then.per_query(after)[:, 0]]
    ranks = _ranks(problem, before), _ranks(then, after)
    own = _own_ranks(problem)
    found: dict[int, list[RelevantDocument]] = {}
    for (place, number), grade in sorted((_grades(problem) | _grades(then)).items()):
        key = (place, number)
        entry = RelevantDocument(
            problem.runs.documents[number],
            grade,
            own.get(key, dict.fromkeys(problem.pipelines)),
            ranks[0].get(key),
            ranks[1].get(key),
        )
        found.setdefault(place, []).append(entry)
    all_outcomes = [
        QueryOutcome(query, float(values[0][place]), float(values[1][place]), tuple(found.get(place, ())))
        for place, query in enumerate(problem.queries)
    ]
    return sorted(all_outcomes, key=lambda outcome: (outcome.difference, outcome.query))


Key = tuple[int, int]
"""(number of the query, number of the document)."""


def _keys(problem: FusionProblem) -> list[Key]:
    documents = problem.pool.document[problem.relevant]
    return list(zip(problem.relevant_query.tolist(), documents.tolist(), strict=True))


def _grades(problem: FusionProblem) -> dict[Key, int]:
    return dict(zip(_keys(problem), problem.grades[problem.relevant].tolist(), strict=True))


def _ranks(problem: FusionProblem, weights: Weights) -> dict[Key, int]:
    (row,) = problem.weights(weights)
    ranks = dense_ranks(problem.fused_scores(row), problem.pool.start)[problem.relevant]
    return dict(zip(_keys(problem), ranks.tolist(), strict=True))


def _own_ranks(problem: FusionProblem) -> dict[Key, dict[str, int | None]]:
    rows = problem.pool.ranks[problem.relevant].tolist()
    return {
        key: dict(zip(problem.pipelines, (rank or None for rank in row), strict=True))
        for key, row in zip(_keys(problem), rows, strict=True)
    }
