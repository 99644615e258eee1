"""Paths may be written as documents wherever the language allows it."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.search.search_index import open_search_index

DOCUMENT = {"_id": 0, "n": 5, "loc": {"type": "Point", "coordinates": [1, 2]}, "v": [1.0, 0.0], "t": "fox"}
FIELDS = {
    "loc": {"type": "geo", "indexShapes": True},
    "v": {"type": "vector", "numDimensions": 2, "similarity": "cosine"},
}
SQUARE = {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]}
CIRCLE = {"center": {"type": "Point", "coordinates": [1, 2]}, "radius": 10}


@pytest.mark.parametrize(
    "body",
    [
        {"range": {"path": {"value": "n"}, "gte": 5}},
        {"near": {"path": [{"value": "n"}], "origin": 5, "pivot": 1}},
        {"in": {"path": [{"value": "n"}], "value": [5]}},
        {"geoWithin": {"path": {"value": "loc"}, "circle": CIRCLE}},
        {"geoShape": {"path": {"value": "loc"}, "relation": "intersects", "geometry": SQUARE}},
        {"vectorSearch": {"path": {"value": "v"}, "queryVector": [1, 0], "exact": True, "limit": 1}},
        {"text": {"path": {"value": "t", "wildcard": None}, "query": "fox"}},
    ],
    ids=lambda body: next(iter(body)),
)
def test_a_path_may_be_a_document(body: dict[str, Any]) -> None:
    index = open_search_index({"mappings": {"dynamic": True, "fields": FIELDS}})
    index.put(0, DOCUMENT)
    assert [hit.key for hit in index.search(body).hits] == [0]
