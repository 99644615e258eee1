"""One filter, three targets: all find what a ten-line oracle finds, on documents of every awkward kind."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pymongo
import pytest
from bson import ObjectId
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atlas_rag import Filter, LocalClient
from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Not
from atlas_rag.query.values import type_name
from atlas_rag.stages.filters import simplify, to_match, to_search_clauses, to_vector_search

FIELDS = ("a", "b", "c.d")
DAYS = [dt.datetime(2026, 1, day) for day in (1, 2, 3)]
NUMBERS = [-1, 0, 1, 2, 1.0, 1.5]
IDS = [ObjectId("0" * 24), ObjectId("1" * 24)]
SCALARS: list[Any] = [None, True, False, *NUMBERS, "a", "b", "ab", "", *DAYS, *IDS]
TYPES = ("number", "boolean", "date", "objectId", "token", "string")


def held(document: dict[str, Any], path: str) -> list[Any] | None:
    """The values at a path, an array's elements one by one; None where the path is missing."""
    value: Any = document
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value if isinstance(value, list) else [value]


def holds(condition: Filter, document: dict[str, Any]) -> bool:
    """The oracle: what a filter means."""
    match condition:
        case AllOf(parts):
            return all(holds(part, document) for part in parts)
        case AnyOf(parts):
            return any(holds(part, document) for part in parts)
        case Not(part):
            return not holds(part, document)
        case Comparison(path, operator, value):
            values = held(document, path)
            if operator in ("exists", "not_exists"):
                return (values is not None) == (operator == "exists")
            if operator in ("ne", "not_in"):
                return values is not None and not _any(values, "eq" if operator == "ne" else "in", value)
            return values is not None and _any(values, operator, value)
    raise TypeError(condition)


def _any(values: list[Any], operator: str, wanted: Any) -> bool:
    return any(_fits(one, operator, wanted) for one in values)


def _fits(one: Any, operator: str, wanted: Any) -> bool:
    if operator == "in":
        return any(_fits(one, "eq", option) for option in wanted)
    if type_name(one) != type_name(wanted):
        return False
    return {
        "eq": lambda: one == wanted,
        "gt": lambda: one > wanted,
        "gte": lambda: one >= wanted,
        "lt": lambda: one < wanted,
        "lte": lambda: one <= wanted,
    }[operator]()


values = st.one_of(
    st.sampled_from(SCALARS),
    st.lists(st.sampled_from([one for one in SCALARS if one is not None]), min_size=1, max_size=3),
)
documents = st.lists(
    st.fixed_dictionaries(
        {}, optional={"a": values, "b": values, "c": st.fixed_dictionaries({}, optional={"d": values})}
    ),
    min_size=1,
    max_size=12,
)
ordered = st.sampled_from([one for one in SCALARS if one is not None and not isinstance(one, bool)])
comparisons = st.one_of(
    st.builds(Comparison, st.sampled_from(FIELDS), st.sampled_from(["eq", "ne"]), st.sampled_from(SCALARS)),
    st.builds(Comparison, st.sampled_from(FIELDS), st.sampled_from(["gt", "gte", "lt", "lte"]), ordered),
    st.builds(
        Comparison,
        st.sampled_from(FIELDS),
        st.sampled_from(["in", "not_in"]),
        st.lists(st.sampled_from(SCALARS), max_size=4).map(tuple),
    ),
    st.builds(Comparison, st.sampled_from(FIELDS), st.sampled_from(["exists", "not_exists"])),
)
filters = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: AllOf(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: AnyOf(tuple(parts))),
        inner.map(lambda part: ~part),
    ),
    max_leaves=5,
)


def loaded(rows: list[dict[str, Any]]) -> Any:
    """A collection in process with both indexes over the fields."""
    collection = LocalClient()["db"]["c"]
    collection.insert_many({**row, "_id": i, "v": [1.0, 0.5], "all": "x"} for i, row in enumerate(rows))
    fields = [{"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}]
    fields += [{"type": "filter", "path": path} for path in FIELDS]
    collection.create_search_index({"name": "v", "type": "vectorSearch", "definition": {"fields": fields}})
    kinds = [{"type": kind} for kind in TYPES]
    mapped = {
        "a": kinds,
        "b": kinds,
        "c": {"type": "document", "fields": {"d": kinds}},
        "all": {"type": "string"},
    }
    definition = {"mappings": {"dynamic": False, "fields": mapped}}
    collection.create_search_index({"name": "t", "type": "search", "definition": definition})
    return collection


def found(collection: Any, pipeline: list[dict[str, Any]]) -> set[int]:
    return {row["_id"] for row in collection.aggregate(pipeline)}


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(documents, filters)
def test_all_targets_find_what_the_oracle_finds(rows: list[dict[str, Any]], condition: Filter) -> None:
    expected = {i for i, row in enumerate(rows) if holds(condition, row)}
    simple = simplify(condition)
    if isinstance(simple, str):
        assert expected == (set(range(len(rows))) if simple == "everything" else set())
        return
    collection = loaded(rows)
    vector = {"index": "v", "path": "v", "queryVector": [1.0, 0.0], "limit": 50, "exact": True}
    every = {"text": {"query": "x", "path": "all"}}
    assert found(collection, [{"$match": to_match(simple)}]) == expected
    assert found(collection, [{"$vectorSearch": {**vector, "filter": to_vector_search(simple)}}]) == expected
    clauses = {"must": [every], **to_search_clauses(simple)}
    assert found(collection, [{"$search": {"index": "t", "compound": clauses}}]) == expected


@pytest.fixture(scope="module")
def real(mongod_client: pymongo.MongoClient[dict[str, Any]]) -> Any:
    return mongod_client["filters"]["docs"]


@pytest.mark.mongod
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(rows=documents, condition=filters)
def test_a_real_server_matches_what_the_oracle_finds(
    real: Any, rows: list[dict[str, Any]], condition: Filter
) -> None:
    simple = simplify(condition)
    if isinstance(simple, str):
        return
    real.delete_many({})
    real.insert_many([{**row, "_id": i} for i, row in enumerate(rows)])
    expected = {i for i, row in enumerate(rows) if holds(condition, row)}
    assert found(real, [{"$match": to_match(simple)}]) == expected
