"""Sorts: nulls in arrays, whole numbers beyond doubles, paths below and beside embedded documents."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from bson import ObjectId
from bson.int64 import Int64

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index import SearchIndex
from tests.support.text_index import indexed, keys, scores

FIELDS: dict[str, Any] = {
    "id": {"type": "number"},
    "p": [{"type": kind} for kind in ("number", "token", "date", "boolean", "objectId")],
    "w": {"type": "number", "representation": "int64"},
}
EVERYTHING = {"exists": {"path": "id"}}
VALUES = [5, "x", datetime(2020, 1, 1), True, ObjectId()]


def sorted_keys(values: list[Any], **sort: Any) -> list[int]:
    documents = [{"id": 1} if value is ... else {"id": 1, "p": value} for value in values]
    return keys(indexed(FIELDS, documents), **EVERYTHING, sort={"p": sort})


@pytest.mark.parametrize("value", VALUES, ids=[type(value).__name__ for value in VALUES])
def test_a_null_in_an_array_is_missing_where_missing_is_what_is_chosen(value: Any) -> None:
    values = [[value, None], ..., value]
    assert sorted_keys(values, order=1) == [0, 1, 2]
    assert sorted_keys(values, order=-1, noData="highest") == [0, 1, 2]
    assert sorted_keys(values, order=-1) == [0, 2, 1]
    assert sorted_keys(values, order=1, noData="highest") == [0, 2, 1]


def test_whole_numbers_beyond_doubles_keep_apart() -> None:
    base = 36028797018963972
    index = indexed(FIELDS, [{"id": 1, "w": Int64(base + step)} for step in range(4)])
    near = {"path": "w", "origin": Int64(base + 2), "pivot": 2}
    assert scores(index, near=near) == [(2, 1.0), (1, 0.666667), (3, 0.666667), (0, 0.5)]
    doubled = {**near, "score": {"boost": {"value": 2}}}
    assert scores(index, near=doubled)[:2] == [(2, 2.0), (1, 1.333333)]
    assert keys(index, equals={"path": "w", "value": Int64(base + 1)}) == [1]
    assert keys(index, range={"path": "w", "gt": Int64(base), "lt": Int64(base + 3)}) == [1, 2]
    assert keys(index, **{"in": {"path": "w", "value": [Int64(base + 3), Int64(base)]}}) == [0, 3]
    assert keys(index, exists={"path": "id"}, sort={"w": -1}) == [3, 2, 1, 0]


def test_distances_of_whole_numbers_end_at_the_largest() -> None:
    index = indexed(FIELDS, [{"w": Int64(-(2**63))}, {"w": Int64(2**63 - 1)}])
    near = {"path": "w", "origin": Int64(2**63 - 1), "pivot": float(2**62)}
    assert scores(index, near=near) == [(1, 1.0), (0, 0.333333)]


def test_in_cuts_doubles_where_whole_numbers_are_kept() -> None:
    index = indexed(FIELDS, [{"w": 7}, {"w": -7}, {"p": 7}])
    assert keys(index, **{"in": {"path": "w", "value": [7.5]}}) == [0]
    assert keys(index, **{"in": {"path": "w", "value": [-7.9]}}) == [1]
    assert keys(index, **{"in": {"path": "p", "value": [7.5]}}) == []
    assert keys(index, equals={"path": "w", "value": 7.5}) == []


SCOPED = {
    "exists": {"path": "items.qty"},
    "returnScope": {"path": "items"},
    "returnStoredSource": True,
}


def embedded() -> SearchIndex:
    beside = {"type": "document", "fields": {"qty": {"type": "number"}, "sku": {"type": "token"}}}
    fields = {"items": [{"type": "embeddedDocuments", "dynamic": True, "storedSource": True}, beside]}
    return indexed(fields, [{"items": [{"qty": 3, "sku": "b"}, {"qty": 1, "sku": "a"}]}])


def test_under_a_return_scope_paths_of_a_document_beside_it_may_be_sorted_and_counted_by() -> None:
    hits = embedded().search({**SCOPED, "sort": {"items.qty": 1}}).hits
    assert [hit.meta["searchSortValues"] for hit in hits] == [{"_0": 1.0}, {"_0": 3.0}]
    facets = {"f": {"type": "string", "path": "items.sku"}}
    collector = {"facet": {"operator": {"exists": {"path": "items.qty"}}, "facets": facets}}
    meta = embedded().search({**collector, "returnScope": {"path": "items"}}, meta_only=True).meta
    assert meta["facet"]["f"] == {"buckets": []}


def test_under_a_return_scope_unlisted_paths_are_still_refused() -> None:
    with pytest.raises(EngineRefusal, match=r"Field items\.price under return scope items is not indexed"):
        embedded().search({**SCOPED, "sort": {"items.price": 1}})
