"""What numbers, dates and other values are found by, and how they sort; facts measured on the real engine."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

import pytest
from bson import Decimal128, Int64, MaxKey, MinKey, ObjectId

from atlas_rag.engines.local.refusals import EngineRefusal
from atlas_rag.engines.local.text import SearchIndex, open_search_index

FIELDS = {
    "whole": {"type": "number", "representation": "int64"},
    "integers": {"type": "number", "indexDoubles": False},
    "tag": {"type": "token", "normalizer": "lowercase"},
}
DOCUMENTS: list[dict[str, Any]] = [
    {
        "n": 1.5,
        "whole": 12.7,
        "integers": 3.5,
        "tag": "Red",
        "many": [1, 5, 9],
        "nothing": None,
        "odd": float("nan"),
    },
    {"n": 2, "whole": Int64(2**60 + 1), "integers": 3, "tag": "blue", "many": [2], "odd": 5.0},
    {"n": Int64(2**60), "many": 7, "d": Decimal128("1.5"), "at": datetime(2020, 1, 1), "u": uuid.UUID(int=5)},
    {"n": [4, 8], "o": ObjectId("0" * 24), "b": True},
]


@pytest.fixture(scope="module")
def index() -> SearchIndex:
    made = open_search_index({"mappings": {"dynamic": True, "fields": FIELDS}})
    for key, document in enumerate(DOCUMENTS):
        made.put(key, {"_id": key, **document})
    return made


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"equals": {"path": "whole", "value": 12}}, {0: 1.0}),
        ({"equals": {"path": "whole", "value": 12.7}}, {}),
        ({"near": {"path": "whole", "origin": 12.7, "pivot": 1}}, {0: 1.0, 1: pytest.approx(0.0)}),
        ({"range": {"path": "whole", "gte": 1e299}}, {}),
        ({"equals": {"path": "n", "value": 2**60 + 1}}, {2: 1.0}),
        ({"equals": {"path": "integers", "value": 3.5}}, {}),
        ({"exists": {"path": "integers"}}, {0: 1.0, 1: 1.0}),
        ({"exists": {"path": "d"}}, {2: 1.0}),
        ({"exists": {"path": "nothing"}}, {0: 1.0}),
        ({"equals": {"path": "nothing", "value": None}}, {0: 1.0}),
        ({"near": {"path": "odd", "origin": 5, "pivot": 1}}, {0: 0.0, 1: 1.0}),
        ({"near": {"path": "many", "origin": 5, "pivot": 1}}, {2: pytest.approx(1 / 3)}),
        ({"range": {"path": "many", "gte": 6, "lte": 8}}, {2: 1.0}),
        ({"range": {"path": ["n", "many"], "gt": 1, "lt": 3}}, {0: 1.0, 1: 2.0}),
        ({"in": {"path": ["n", "many"], "value": [2, 4]}}, {1: 1.0, 3: 1.0}),
        ({"equals": {"path": "tag", "value": "RED"}}, {0: 1.0}),
        ({"range": {"path": "tag", "gt": "BLUE"}}, {0: 1.0}),
        ({"equals": {"path": "u", "value": uuid.UUID(int=5)}}, {2: 1.0}),
        ({"range": {"path": "o", "gte": ObjectId("0" * 24)}}, {3: 1.0}),
        ({"in": {"path": "b", "value": [True, False]}}, {3: 1.0}),
        ({"range": {"path": "at", "lt": datetime(2020, 1, 1)}}, {}),
        ({"range": {"path": "at", "lte": datetime(2020, 1, 1)}}, {2: 1.0}),
        ({"equals": {"path": "unmapped", "value": "one"}}, {}),
    ],
    ids=str,
)
def test_finds(index: SearchIndex, body: dict[str, Any], expected: dict[int, Any]) -> None:
    assert {hit.key: hit.score for hit in index.search(body).hits} == expected


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ({"n": 1}, [(0, 1.5), (1, 2.0), (3, 4.0), (2, float(2**60))]),
        ({"n": -1}, [(2, float(2**60)), (3, 8.0), (1, 2.0), (0, 1.5)]),
        ({"tag": 1}, [(2, MinKey()), (3, MinKey()), (1, "blue"), (0, "red")]),
        (
            {"tag": {"order": 1, "noData": "highest"}},
            [(1, "blue"), (0, "red"), (2, MaxKey()), (3, MaxKey())],
        ),
        ({"whole": -1}, [(1, 2**60 + 1), (0, 12), (2, MinKey()), (3, MinKey())]),
    ],
    ids=str,
)
def test_sorts(index: SearchIndex, sort: dict[str, Any], expected: list[tuple[int, Any]]) -> None:
    hits = index.search({"exists": {"path": "_id"}, "sort": sort}).hits
    assert [(hit.key, hit.meta["searchSortValues"]["_0"]) for hit in hits] == expected


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            {"equals": {"path": "unmapped", "value": "two words"}},
            "Path 'unmapped' needs to be indexed as token",
        ),
        (
            {"autocomplete": {"path": "n", "query": "x"}},
            "autocomplete index field definition not present at path n",
        ),
        (
            {"wildcard": {"path": "n", "query": "x*"}},
            "Field n is analyzed. Use a keyword analyzed field or set allowAnalyzedField to true.",
        ),
        (
            {"facet": {"facets": {"f": {"type": "string", "path": "n"}}}},
            'Cannot facet on field "n" "" because it was not indexed as a "token" field.',
        ),
        (
            {
                "geoWithin": {
                    "path": "n",
                    "circle": {"center": {"type": "Point", "coordinates": [0, 0]}, "radius": 1},
                }
            },
            "geoWithin requires path 'n' to be indexed as 'geo'",
        ),
        (
            {"embeddedDocument": {"path": "n", "operator": {"exists": {"path": "n.a"}}}},
            "embeddedDocument requires path 'n' to be indexed as 'embeddedDocuments'",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refuses_in_the_engines_words(index: SearchIndex, body: dict[str, Any], message: str) -> None:
    with pytest.raises(EngineRefusal) as refusal:
        index.search(body)
    assert refusal.value.text == message


def test_an_index_sort_decides_ties() -> None:
    definition = {
        "mappings": {"fields": {"n": {"type": "number"}, "t": {"type": "string"}}},
        "sort": {"n": -1},
    }
    index = open_search_index(definition)
    for key, number in enumerate([3, 1, 2]):
        index.put(key, {"n": number, "t": "same"})
    body = {"text": {"path": "t", "query": "same"}}
    assert [hit.key for hit in index.search(body).hits] == [0, 2, 1]
    assert [hit.key for hit in index.search(body, limit=2).hits] == [0, 2]
    token = index.search(body, tokens=True).hits[0].meta["searchSequenceToken"]
    assert [hit.key for hit in index.search({**body, "searchAfter": token}).hits] == [2, 1]


def test_types_that_share_what_they_keep_keep_it_once() -> None:
    both = [{"type": "number"}, {"type": "numberFacet"}]
    index = open_search_index({"mappings": {"fields": {"n": both}}})
    index.put(0, {"n": 4})
    assert index.search({"near": {"path": "n", "origin": 4, "pivot": 1}}).hits[0].score == 1.0
    facets = {"f": {"type": "number", "path": "n", "boundaries": [0, 10]}}
    counts = index.search({"facet": {"facets": facets}}, meta_only=True).meta["facet"]
    assert counts == {"f": {"buckets": [{"_id": 0, "count": 1}]}}


def test_the_older_sort_reads_the_older_types() -> None:
    index = open_search_index({"mappings": {"fields": {"s": {"type": "sortableStringBetaV1"}}}})
    for key, text in enumerate("bca"):
        index.put(key, {"s": text})
    body = {"exists": {"path": "s"}, "sortBetaV1": {"s": 1}}
    assert [hit.key for hit in index.search(body).hits] == [2, 0, 1]
