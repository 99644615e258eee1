"""Where an index can decide a filter by the rule, it finds what the filter means and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, event, given, settings

from atlas_rag import Filter, LocalClient
from atlas_rag.capability.report import SearchIndex
from atlas_rag.plan.filterable import undecided
from atlas_rag.stages.filters import simplify, to_match, to_search_clauses, to_vector_search
from tests.support.filter_drawing import (
    as_stored,
    documents,
    filter_paths,
    filters,
    holds,
    search_definitions,
    vector_definition,
)

CALM: Any = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
}
SLOW = settings(max_examples=20_000, **CALM)
QUICK = settings(max_examples=200, **CALM)


def decides(
    rows: list[dict[str, Any]], condition: Filter, definition: dict[str, Any], paths: set[str]
) -> None:
    simple = simplify(condition)
    if isinstance(simple, str):
        return
    expected = {number for number, row in enumerate(rows) if holds(condition, row)}
    collection = LocalClient()["db"]["c"]
    collection.insert_many(
        {**as_stored(row), "_id": i, "v": [1.0, 0.5], "all": "x"} for i, row in enumerate(rows)
    )
    assert found(collection, [{"$match": to_match(simple)}]) == expected

    index = listed("search", definition)
    problems = undecided(condition, index)
    event(f"search: {'undecided' if problems else 'decided'}")
    if all(one.loose for one in problems):
        collection.create_search_index({"name": "t", "type": "search", "definition": definition})
        clauses = {"must": [{"text": {"query": "x", "path": "all"}}], **to_search_clauses(simple)}
        answer = found(collection, [{"$search": {"index": "t", "compound": clauses}}])
        assert answer >= expected if problems else answer == expected

    index = listed("vectorSearch", vector_definition(paths))
    problems = undecided(condition, index, vector_path="v")
    event(f"vectorSearch: {'undecided' if problems else 'decided'}")
    if all(one.loose for one in problems):
        collection.create_search_index(
            {"name": "v", "type": "vectorSearch", "definition": vector_definition(paths)}
        )
        query = {"index": "v", "path": "v", "queryVector": [1.0, 0.0], "limit": 50, "exact": True}
        answer = found(collection, [{"$vectorSearch": {**query, "filter": to_vector_search(simple)}}])
        assert answer >= expected if problems else answer == expected


def listed(kind: Any, definition: dict[str, Any]) -> SearchIndex:
    return SearchIndex(name="i", type=kind, status="READY", queryable=True, definition=definition)


def found(collection: Any, pipeline: list[dict[str, Any]]) -> set[int]:
    return {row["_id"] for row in collection.aggregate(pipeline)}


@QUICK
@given(documents, filters, search_definitions, filter_paths)
def test_what_is_decided_is_decided_exactly(
    rows: list[dict[str, Any]], condition: Filter, definition: dict[str, Any], paths: set[str]
) -> None:
    decides(rows, condition, definition, paths)


@pytest.mark.slow
@SLOW
@given(documents, filters, search_definitions, filter_paths)
def test_what_is_decided_is_decided_exactly_in_20_000_draws(
    rows: list[dict[str, Any]], condition: Filter, definition: dict[str, Any], paths: set[str]
) -> None:
    decides(rows, condition, definition, paths)
