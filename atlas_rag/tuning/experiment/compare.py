"""Is run B worse than run A? For a gate in continuous integration."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.runs import Runs
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.statistics import Comparison, compare


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Means of both runs, the paired comparison, and the queries that lose most (query, A, B)."""

    measure: str
    first: float
    second: float
    comparison: Comparison
    losers: tuple[tuple[str, float, float], ...]

    def worse_by(self, margin: float) -> bool:
        """Whether the second mean is lower by more than `margin` (≥ 0)."""
        return self.comparison.difference < -margin


def read_run(path: str | Path) -> dict[str, list[tuple[str, float]]]:
    """Reads a TREC run: query → (document, score), by descending score; equal scores by rank.

    Raises:
        ExperimentError: a line without six fields (7602).
    """
    rows: dict[str, list[tuple[float, int, str]]] = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        fields = line.split()
        if len(fields) != 6:
            raise ExperimentError(
                f"{Path(path).name}, line {number} has {len(fields)} fields",
                expected="query Q0 document rank score name",
            )
        query, _, document, rank, score, _ = fields
        rows.setdefault(query, []).append((-float(score), int(rank), document))
    return {
        query: [(document, -score) for score, _, document in sorted(found)] for query, found in rows.items()
    }


def compare_runs(
    first: str | Path, second: str | Path, judgments: Judgments, measure: str = "nDCG@10", *, losers: int = 10
) -> RunComparison:
    """Compares two TREC runs on all judged queries; a query that a run lacks counts 0 for it.

    Raises:
        ExperimentError: an unreadable run, or fewer than two judged queries (7601, 7602).
    """
    values = [_values(path, judgments, measure) for path in (first, second)]
    queries = [query for query in judgments.queries if query in values[0] or query in values[1]]
    pairs = np.array([[run.get(query, 0.0) for run in values] for query in queries]).reshape(-1, 2)
    result = compare(pairs[:, 0], pairs[:, 1])
    order = np.argsort(pairs[:, 1] - pairs[:, 0], kind="stable")[:losers]
    worst = [
        (queries[place], float(pairs[place, 0]), float(pairs[place, 1]))
        for place in order
        if pairs[place, 1] < pairs[place, 0]
    ]
    return RunComparison(measure, float(pairs[:, 0].mean()), float(pairs[:, 1].mean()), result, tuple(worst))


def _values(path: str | Path, judgments: Judgments, measure: str) -> dict[str, float]:
    # ranks in the file are what counts: strictly falling scores keep them through our own tie rule
    ranked = {
        query: [(document, -float(place)) for place, (document, _) in enumerate(rows)]
        for query, rows in read_run(path).items()
    }
    problem = FusionProblem(Runs.of({"run": ranked}), judgments, measure)
    return dict(zip(problem.queries, problem.per_query([1.0])[:, 0].tolist(), strict=True))
