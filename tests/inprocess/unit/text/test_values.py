"""What numbers, dates and other values are found by, and how they sort; facts measured on the real engine."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

import pytest
from bson import Decimal128, Int64, MaxKey, MinKey, ObjectId

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index import SearchIndex, open_search_index

FIELDS = {
    "whole": {"type": "number", "representation": "int64"},
    "integers": {"type": "number", "indexDoubles": False},
    "tag": {"type": "token", "normalizer": "lowercase"},
    "grams": {"type": "autocomplete", "maxGrams": 4},
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
            {"autocomplete": {"path": "grams", "query": "x", "fuzzy": {"prefixLength": 5}}},
            "minimum fuzzy prefix length must be less than the maximum indexed token length",
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


@pytest.mark.parametrize("representation", ["double", "int64"])
@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"equals": {"path": "n", "value": float("inf")}}, []),
        ({"equals": {"path": "n", "value": float("-inf")}}, []),
        ({"range": {"path": "n", "gte": float("inf")}}, []),
        ({"range": {"path": "n", "gte": -1e299, "lte": 1e299}}, [2]),
    ],
    ids=str,
)
def test_what_lies_beyond_the_numbers_is_not_found_by_value(
    representation: str, body: dict[str, Any], found: list[int]
) -> None:
    field = {"type": "number", "representation": representation}
    index = open_search_index({"mappings": {"fields": {"n": field}}})
    for key, number in enumerate([float("inf"), float("-inf"), 5.0]):
        index.put(key, {"n": number})
    keys = [hit.key for hit in index.search(body).hits]
    # Kept as an integer, an infinity is the largest or least one, and a wide range holds it.
    assert keys == (found if representation == "double" or found != [2] else [0, 1, 2])


def test_numbers_above_all_integers_find_no_integer() -> None:
    index = open_search_index({"mappings": {"fields": {"n": FIELDS["whole"]}}})
    index.put(0, {"n": 1e300})
    assert index.search({"range": {"path": "n", "gte": 1e299}}).hits == []
    assert len(index.search({"range": {"path": "n", "gte": 9e18}}).hits) == 1


@pytest.mark.parametrize("representation", ["double", "int64"])
def test_facet_boundaries_may_be_infinite(representation: str) -> None:
    field = {"type": "number", "representation": representation}
    index = open_search_index({"mappings": {"fields": {"n": field}}})
    for key, number in enumerate([-1.0, 0.0, 2.0]):
        index.put(key, {"n": number})
    facet = {"type": "number", "path": "n", "boundaries": [float("-inf"), 0.0, float("inf")]}
    meta = index.search({"facet": {"facets": {"f": facet}}}).meta
    assert [bucket["count"] for bucket in meta["facet"]["f"]["buckets"]] == [1, 2]


def test_numbers_that_overflow_warn_nobody(recwarn: pytest.WarningsRecorder) -> None:
    index = open_search_index({"mappings": {"dynamic": True}})
    index.put(0, {"n": 1.0, "t": "a"})
    near = {"near": {"path": "n", "origin": 1e300, "pivot": 1e300, "score": {"boost": {"value": 3e38}}}}
    assert index.search({**near, "scoreDetails": True}).hits[0].score > 1e38
    assert not recwarn.list
    boosted = {"text": {"path": "t", "query": "a", "score": {"boost": {"value": 3e38}}}}
    with pytest.raises(EngineRefusal, match="boost must be a positive float, got Infinity"):
        index.search({"compound": {"must": [boosted], "score": {"boost": {"value": 3e38}}}})
    assert not recwarn.list


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
