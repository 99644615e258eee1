"""Arrays of numbers are indexed as a whole, and found as their elements are."""

from __future__ import annotations

from typing import Any

import pytest
from bson import Int64
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag import LocalClient

NUMBERS = st.integers(-5, 5) | st.integers(-5, 5).map(Int64) | st.sampled_from([-2.5, 0.0, 1.5, 3.0])
ARRAYS = st.one_of(
    st.lists(st.integers(-5, 5), max_size=4),
    st.lists(st.integers(-5, 5).map(Int64), max_size=4),
    st.lists(st.sampled_from([-2.5, 0.0, 1.5, 3.0]), max_size=4),
    st.lists(NUMBERS | st.booleans() | st.none() | st.just("x"), max_size=4),
    NUMBERS,
)
TYPES: list[dict[str, Any]] = [
    {"dynamic": True},
    {"dynamic": False, "fields": {"a": {"type": "number"}}},
    {"dynamic": False, "fields": {"a": {"type": "number", "representation": "int64"}}},
    {"dynamic": False, "fields": {"a": {"type": "number", "indexDoubles": False}}},
    {"dynamic": False, "fields": {"a": {"type": "number", "indexIntegers": False}}},
]


@pytest.mark.parametrize("mappings", TYPES, ids=["dynamic", "static", "int64", "no doubles", "no integers"])
@given(arrays=st.lists(ARRAYS, min_size=1, max_size=6), low=st.integers(-5, 5))
def test_an_array_is_found_as_its_elements_are(mappings: Any, arrays: list[Any], low: int) -> None:
    notes = LocalClient()["a"]["b"]
    parts = LocalClient()["a"]["b"]
    for number, value in enumerate(arrays):
        notes.insert_one({"_id": number, "a": value})
        items = value if isinstance(value, list) else [value]
        parts.insert_many(
            [{"_id": f"{number}.{place}", "a": item} for place, item in enumerate(items)] or [{}]
        )
    found = []
    for collection in (notes, parts):
        collection.create_search_index({"name": "words", "definition": {"mappings": mappings}})
        wanted = {"range": {"path": "a", "gte": low}}
        rows = collection.aggregate([{"$search": {"index": "words", **wanted}}])
        found.append({int(str(row["_id"]).partition(".")[0]) for row in rows})
    assert found[0] == found[1]
