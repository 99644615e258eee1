"""The filter language of vector search, ruling by ruling."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from bson import Binary, Decimal128, Int64, ObjectId

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.vector_index import open_vector_index

DAY = datetime(2024, 1, 1, tzinfo=UTC)
OID = ObjectId("65a000000000000000000000")
DOCUMENTS: list[dict[str, Any]] = [
    {"_id": "number", "c": 2},
    {"_id": "double", "c": 2.5},
    {"_id": "long", "c": Int64(2)},
    {"_id": "string", "c": "2"},
    {"_id": "true", "c": True},
    {"_id": "null", "c": None},
    {"_id": "missing"},
    {"_id": "array", "c": [1, "x", None]},
    {"_id": "nested array", "c": [[7]]},
    {"_id": "empty array", "c": []},
    {"_id": "date", "c": DAY},
    {"_id": "oid", "c": OID},
    {"_id": "uuid", "c": Binary.from_uuid(UUID(int=5))},
    {"_id": "decimal", "c": Decimal128("2")},
    {"_id": "document", "c": {"d": 1}},
    {"_id": "documents", "s": [{"k": 1}, {"k": "b"}, {}]},
    {"_id": "nan", "c": float("nan")},
]


@pytest.fixture(scope="module")
def found():
    index = open_vector_index(
        {
            "fields": [
                {"type": "vector", "path": "v", "numDimensions": 1, "similarity": "euclidean"},
                {"type": "filter", "path": "c"},
                {"type": "filter", "path": "c.d"},
                {"type": "filter", "path": "s.k"},
            ]
        }
    )
    for key, document in enumerate(DOCUMENTS):
        index.put(key, {**document, "v": [0.0]})

    def ids(filters: dict[str, Any]) -> set[str]:
        body = {
            "index": "i",
            "path": "v",
            "queryVector": [0.0],
            "limit": 99,
            "exact": True,
            "filter": filters,
        }
        return {DOCUMENTS[hit.key]["_id"] for hit in index.search(body).hits}

    return ids


ALL = {document["_id"] for document in DOCUMENTS}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, ALL),
        ({"c": 2}, {"number", "long"}),
        ({"c": {"$eq": 2.0}}, {"number", "long"}),
        ({"c": "2"}, {"string"}),
        ({"c": True}, {"true"}),
        ({"c": DAY}, {"date"}),
        ({"c": DAY.replace(tzinfo=None)}, {"date"}),
        ({"c": OID}, {"oid"}),
        ({"c": UUID(int=5)}, {"uuid"}),
        ({"c": None}, {"null", "array"}),
        ({"c": {"$ne": None}}, ALL - {"null", "array"}),
        ({"c": {"$ne": 2}}, ALL - {"number", "long"}),
        ({"c": {"$in": [1, 2.5]}}, {"array", "double"}),
        ({"c": {"$nin": ["x", "2"]}}, ALL - {"array", "string"}),
        ({"c": {"$gt": 2}}, {"double", "nested array"}),
        ({"c": {"$gte": 2}}, {"number", "long", "double", "nested array"}),
        ({"c": {"$lt": 2}}, {"array"}),
        ({"c": {"$gte": "2"}}, {"string", "array"}),
        ({"c": {"$gt": True}}, set()),
        ({"c": {"$gte": False}}, {"true"}),
        ({"c": {"$lte": DAY}}, {"date"}),
        ({"c": {"$gt": 0, "$lt": "y"}}, {"array"}),
        ({"c": {"$gt": 5, "$lt": 1}}, set()),
        ({"c": {"$gt": float("nan")}}, set()),
        ({"c": {"$exists": True}}, ALL - {"missing", "documents"}),
        ({"c": {"$exists": False}}, {"missing", "documents"}),
        ({"c": {"$exists": None, "$eq": 2}}, {"number", "long"}),
        ({"c": {"$not": {"$gt": 2}}}, ALL - {"double", "nested array"}),
        ({"c": {"$not": {"$gte": 2, "$lt": 2.5}}}, ALL - {"number", "long"}),
        ({"c": {"$not": {"$not": {"$eq": "2"}}}}, {"string"}),
        ({"$and": [{"c": {"$gte": 2}}, {"c": {"$lt": 2.5}}]}, {"number", "long"}),
        ({"$or": [{"c": "2"}, {"c": True}]}, {"string", "true"}),
        ({"$nor": [{"c": {"$exists": True}}]}, {"missing", "documents"}),
        ({"$and": [{}]}, ALL),
        ({"s.k": 1}, {"documents"}),
        ({"s.k": {"$gt": 0}, "c": {"$exists": False}}, {"documents"}),
        ({"c.d": 1}, {"document"}),
        ({"unindexed": None}, set()),
    ],
    ids=lambda part: " ".join(sorted(part)) if isinstance(part, set) else str(part),
)
def test_a_filter_finds(found, filters, expected) -> None:
    assert found(filters) == expected


@pytest.mark.parametrize(
    ("filters", "path"),
    [
        ({"zz": 1}, "zz"),
        ({"zz": {"$exists": True}}, "zz"),
        ({"$or": [{"c": 1}, {"zz": {"$in": [1]}}]}, "zz"),
        ({"c": 1, "_id": 1}, "_id"),
        ({"v": {"$gt": 1}}, "v"),
    ],
    ids=str,
)
def test_a_path_must_be_indexed(found, filters, path) -> None:
    with pytest.raises(EngineRefusal, match=f"^Path '{path}' needs to be indexed as filter$"):
        found(filters)


def test_strings_count_up_to_8191_characters() -> None:
    index = open_vector_index(
        {
            "fields": [
                {"type": "vector", "path": "v", "numDimensions": 1, "similarity": "euclidean"},
                {"type": "filter", "path": "c"},
            ]
        }
    )
    index.put(1, {"v": [0.0], "c": "a" * 9000})
    body = {"index": "i", "path": "v", "queryVector": [0.0], "limit": 9, "exact": True}
    assert [hit.key for hit in index.search({**body, "filter": {"c": "a" * 8191}}).hits] == [1]
    assert index.search({**body, "filter": {"c": "a" * 8190}}).hits == []
