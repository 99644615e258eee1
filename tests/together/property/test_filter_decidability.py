"""Where an index can decide a filter by the rule, it finds what the filter means and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st

from atlas_rag import Filter, LocalClient
from atlas_rag.capability.report import SearchIndex
from atlas_rag.plan.filterable import split_levels, undecided
from atlas_rag.stages.filters import simplify, to_match, to_search_clauses, to_vector_search
from tests.support.filter_drawing import (
    VECTOR_PATHS,
    as_stored,
    documents,
    filter_paths,
    filters,
    has_vector,
    holds,
    search_definitions,
    vector_definition,
)

FILTERS = 20
"""Filters that are asked of each collection."""

CALM: Any = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
}
drawn = given(
    documents,
    st.lists(filters, min_size=FILTERS, max_size=FILTERS),
    search_definitions,
    st.sampled_from(VECTOR_PATHS),
    filter_paths,
)


class Indexed:
    """Drawn documents in process, under a search index and a vectorSearch index."""

    def __init__(self, rows: list[dict[str, Any]], search: Any, vector_path: str, vectors: Any) -> None:
        self.rows, self.vector_path = rows, vector_path
        self.collection: Any = LocalClient()["db"]["c"]
        self.collection.insert_many(as_stored(row, number) for number, row in enumerate(rows))
        self.indexes = [
            SearchIndex(name=kind, type=kind, status="READY", queryable=True, definition=definition)
            for kind, definition in (("search", search), ("vectorSearch", vectors))
        ]
        for index in self.indexes:
            self.collection.create_search_index(index.model_dump(include={"name", "type", "definition"}))

    def found(self, stage: dict[str, Any]) -> set[int]:
        return {row["_id"] for row in self.collection.aggregate([stage])}

    def meant(self, condition: Filter) -> set[int]:
        return {number for number, row in enumerate(self.rows) if holds(condition, row)}

    def by_words(self, simple: Filter) -> set[int]:
        clauses = {"must": [{"text": {"query": "word", "path": "all"}}], **to_search_clauses(simple)}
        return self.found({"$search": {"index": "search", "compound": clauses}})

    def by_vector(self, simple: Filter) -> set[int]:
        query = {"index": "vectorSearch", "path": self.vector_path, "queryVector": [1.0, 0.0]}
        if self.vector_path == "v":
            spelled = {"filter": to_vector_search(simple)}
        else:
            levels = split_levels(simple, "c")
            both = {"filter": levels.child, "parentFilter": levels.parent}
            spelled = {name: to_vector_search(one) for name, one in both.items() if one is not None}
        return self.found({"$vectorSearch": {**query, "limit": 50, "exact": True, **spelled}})


def decides(
    rows: list[dict[str, Any]],
    conditions: list[Filter],
    definition: dict[str, Any],
    vector_path: str,
    paths: set[str],
) -> None:
    indexed = Indexed(rows, definition, vector_path, vector_definition(vector_path, paths))
    with_vector = {number for number, row in enumerate(rows) if has_vector(row, vector_path)}
    for condition in conditions:
        simple = simplify(condition)
        if isinstance(simple, str):
            continue
        meant = indexed.meant(condition)
        assert indexed.found({"$match": to_match(simple)}) == meant
        for index, ask, reachable in (
            (indexed.indexes[0], indexed.by_words, meant),
            (indexed.indexes[1], indexed.by_vector, meant & with_vector),
        ):
            problems = undecided(condition, index, vector_path=vector_path)
            event(f"{index.type}: {'undecided' if problems else 'decided'}")
            if not problems:
                assert ask(simple) == reachable
            elif all(one.loose for one in problems):
                assert ask(simple) >= reachable


@settings(max_examples=10, **CALM)
@drawn
def test_what_is_decided_is_decided_exactly(
    rows: list[dict[str, Any]], conditions: list[Filter], definition: Any, vector_path: str, paths: set[str]
) -> None:
    decides(rows, conditions, definition, vector_path, paths)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(max_examples=1000, **CALM)
@drawn
def test_what_is_decided_is_decided_exactly_in_20_000_draws(
    rows: list[dict[str, Any]], conditions: list[Filter], definition: Any, vector_path: str, paths: set[str]
) -> None:
    decides(rows, conditions, definition, vector_path, paths)


@pytest.mark.mongod
@settings(max_examples=10, **CALM)
@given(rows=documents, conditions=st.lists(filters, min_size=FILTERS, max_size=FILTERS))
def test_a_real_server_matches_what_is_meant(
    mongod_client: Any, rows: list[dict[str, Any]], conditions: list[Filter]
) -> None:
    """The belt behind every search, as a real server reads it."""
    collection = mongod_client["filters"]["drawn"]
    collection.delete_many({})
    collection.insert_many([as_stored(row, number) for number, row in enumerate(rows)])
    for condition in conditions:
        simple = simplify(condition)
        if not isinstance(simple, str):
            meant = {number for number, row in enumerate(rows) if holds(condition, row)}
            assert {row["_id"] for row in collection.aggregate([{"$match": to_match(simple)}])} == meant
