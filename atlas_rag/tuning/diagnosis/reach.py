"""Relevant documents that no weights can bring within the cutoff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from atlas_rag.tuning.data.runs import DocumentId
from atlas_rag.tuning.problem.problem import FusionProblem


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A relevant document out of reach of any positive weights.

    Args:
        reason: "not found" by any input pipeline (raise the depth, or change analyzer, model or chunks), or
            "outranked": `ahead` documents are ahead of it in every input pipeline.
        ahead: 0 for a document that was not found.
    """

    query: str
    document: DocumentId
    reason: Literal["not found", "outranked"]
    ahead: int


def unreachable(problem: FusionProblem) -> list[Unreachable]:
    """In the order of queries; of a fusion that is not linear only what was not found is known."""
    pairs = problem.pairs(range(len(problem.pipelines)))
    found: dict[str, list[Unreachable]] = {query: [] for query in problem.queries}
    pooled: dict[str, set[str]] = {query: set() for query in problem.queries}
    outranked = pairs.ahead if problem.fusion.linear else np.zeros_like(pairs.ahead)
    for row, place, ahead in zip(problem.relevant, problem.relevant_query, outranked, strict=True):
        query, document = problem.queries[place], problem.runs.documents[problem.pool.document[row]]
        pooled[query].add(str(document))
        if ahead >= problem.measure.cutoff:
            found[query].append(Unreachable(query, document, "outranked", int(ahead)))
    for query in problem.queries:
        missing = [doc for doc in problem.judgments.relevant(query) if doc not in pooled[query]]
        found[query] += [Unreachable(query, document, "not found", 0) for document in missing]
    return [entry for entries in found.values() for entry in entries]
