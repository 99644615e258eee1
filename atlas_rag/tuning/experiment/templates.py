"""Stages with holes for the query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.collect.rows import Stages
from atlas_rag.tuning.data.queries import ExperimentQuery
from atlas_rag.tuning.data.runs import Floats

TEXT, VECTOR = "{text}", "{vector}"


def from_template(stages: Sequence[Any], vectors: Floats | None) -> Callable[[ExperimentQuery], Stages]:
    """A function that puts a query's text where "{text}" stands, and its vector where "{vector}" stands.

    Args:
        vectors: one row per query, by `ExperimentQuery.row`.
    """

    def fill(value: Any, query: ExperimentQuery) -> Any:
        if isinstance(value, dict):
            return {name: fill(inner, query) for name, inner in value.items()}
        if isinstance(value, list):
            return [fill(inner, query) for inner in value]
        if value == TEXT:
            return query.text
        if value == VECTOR:
            if vectors is None or query.row >= len(vectors):
                raise ExperimentError(
                    f"there is no vector for query {query.id!r}",
                    expected="data.vectors with a row for every query",
                    next_step="embed the queries and name the file",
                )
            return vectors[query.row].tolist()
        return value

    return lambda query: [fill(stage, query) for stage in stages]
