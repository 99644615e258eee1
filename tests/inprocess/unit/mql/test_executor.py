"""The executor over plain lists of documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from atlas_rag.inprocess.errors import CommandError, EngineRefusal
from atlas_rag.inprocess.index import Answer, IndexHit
from atlas_rag.inprocess.interruption import Operation, running
from atlas_rag.inprocess.mql.stages import Context, run
from tests.support.local_database import ListCollection, ListDatabase

DISHES = [
    {"_id": 1, "name": "bun", "n": 4},
    {"_id": 2, "name": "pancakes", "n": 2},
    {"_id": 3, "name": "marinade", "n": 3},
]


TEXT = {"text": {"query": "x", "path": "name"}}
NEAREST = {"index": "nope", "path": "v", "queryVector": [1.0], "limit": 1, "exact": True}


class CannedIndex:
    """An index that answers every search with the same hits, cut to the limit it was given."""

    def __init__(self, *hits: IndexHit, refusal: str | None = None) -> None:
        self.hits, self.refusal = hits, refusal
        self.limits: list[int | None] = []

    def search(self, body: Mapping[str, Any], **options: Any) -> Answer:
        if self.refusal:
            raise EngineRefusal(self.refusal)
        self.limits.append(options.get("limit"))
        return Answer(self.hits[: options.get("limit")], {"count": {"lowerBound": len(self.hits)}})


def aggregate(pipeline: list[Any], index: CannedIndex | None = None, **context: Any) -> list[Any]:
    kind = "vectorSearch" if "$vectorSearch" in pipeline[0] else "search"
    indexes = {"default": (kind, index)} if index else {}
    database = ListDatabase(dishes=ListCollection(DISHES, indexes))
    return list(run(pipeline, Context(database, **context), "dishes"))


def test_a_limit_reaches_the_index_through_stages_that_keep_the_number_of_rows() -> None:
    index = CannedIndex(IndexHit(2, 3.5, {}), IndexHit(0, 1.5, {}))
    pipeline = [
        {"$search": TEXT},
        {"$set": {"score": {"$meta": "searchScore"}}},
        {"$skip": 1},
        {"$limit": 1},
    ]
    assert aggregate(pipeline, index) == [{"_id": 1, "name": "bun", "n": 4, "score": 1.5}]
    assert index.limits == [2]


def test_a_score_may_be_read_where_fields_are_dropped() -> None:
    for dropped in (
        {"name": 0, "score": {"$meta": "searchScore"}},
        {"score": {"$meta": "searchScore"}, "name": 0},
    ):
        found = aggregate([{"$search": TEXT}, {"$project": dropped}], CannedIndex(IndexHit(0, 3.5, {})))
        assert found == [{"_id": 1, "n": DISHES[0]["n"], "score": 3.5}]


def test_a_hit_whose_document_is_gone_is_passed_over() -> None:
    index = CannedIndex(IndexHit(7, 2.0, {}), IndexHit(1, 1.0, {}))
    found = aggregate([{"$vectorSearch": {"index": "default"}}, {"$project": {"n": 1}}], index)
    assert found == [{"_id": 2, "n": 2}]


def test_stored_source_stands_in_for_the_document() -> None:
    index = CannedIndex(IndexHit(0, 2.0, {"storedSource": {"_id": 1, "name": "old"}}))
    assert aggregate([{"$search": {}}], index) == [{"_id": 1, "name": "old"}]


def test_search_meta_is_a_variable_of_later_stages() -> None:
    index = CannedIndex(IndexHit(0, 2.0, {}))
    found = aggregate([{"$search": {}}, {"$project": {"m": "$$SEARCH_META.count.lowerBound"}}], index)
    assert found == [{"_id": 1, "m": 1}]


def test_an_unknown_index_finds_nothing() -> None:
    assert aggregate([{"$search": {"index": "nope", **TEXT}}]) == []
    assert aggregate([{"$vectorSearch": NEAREST}]) == []
    assert aggregate([{"$searchMeta": {"count": {"type": "total"}, **TEXT}}]) == [{"count": {"total": 0}}]


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        ({"$search": {"index": 5, **TEXT}}, '"index" must be a string'),
        ({"$searchMeta": {"index": "nope", "text": {"path": "a"}}}, '"text.query" is required'),
        ({"$vectorSearch": {**NEAREST, "path": 1}}, '"path" must be a string'),
    ],
)
def test_a_body_is_read_before_its_index_is_looked_for(stage: dict[str, Any], text: str) -> None:
    with pytest.raises(CommandError, match=text) as caught:
        aggregate([stage])
    assert caught.value.code == 8


def test_an_index_that_is_null_is_the_default_one() -> None:
    found = aggregate([{"$search": {"index": None, **TEXT}}], CannedIndex(IndexHit(0, 2.0, {})))
    assert [row["_id"] for row in found] == [1]


@pytest.mark.parametrize("stage", [{"$search": TEXT}, {"$vectorSearch": {**NEAREST, "index": "default"}}])
def test_an_index_of_the_other_type_is_refused(stage: dict[str, Any]) -> None:
    database = ListDatabase(dishes=ListCollection(DISHES, {"default": ("other", CannedIndex())}))
    with pytest.raises(CommandError, match="over other index 'default'"):
        list(run([stage], Context(database), "dishes"))


def test_a_refusal_of_the_search_engine_has_code_8() -> None:
    with pytest.raises(CommandError) as caught:
        aggregate([{"$search": {}}], CannedIndex(refusal="Path 'x' needs to be indexed as token"))
    assert caught.value.code == 8
    prefix = "PlanExecutor error during aggregation :: caused by :: "
    assert caught.value.message == prefix + "Path 'x' needs to be indexed as token"


@pytest.mark.parametrize(
    ("pipeline", "release", "code"),
    [
        ([{"$match": {}}, {"$search": {}}], (8, 2), 40602),
        ([{"$search": {}}, {"$vectorSearch": {}}], (8, 2), 40602),
        ([{"$facet": {"a": [{"$search": {}}]}}], (8, 2), 40600),
        ([{"$lookup": {"from": "x", "pipeline": [{"$vectorSearch": {}}], "as": "r"}}], (8, 2), 51047),
        ([{"$project": {"m": "$$SEARCH_META"}}], (8, 2), 6347903),
        ([{"$vectorSearch": {}}, {"$project": {"m": "$$SEARCH_META"}}], (8, 2), 6347902),
        ([{"$search": {}}, {"$unionWith": "x"}, {"$project": {"m": "$$SEARCH_META"}}], (8, 2), 6347901),
        ([{"$vectorSearch": {"limit": -1}}], (8, 2), 7912700),
        ([{"$vectorSearch": {"limit": "a"}}], (8, 2), 8575100),
        ([{"$vectorSearch": {"filter": None}}], (8, 2), 10065),
        ([{"$vectorSearch": {"filter": {"a": {"$foo": 1}}}}], (8, 2), 2),
        ([{"$vectorSearch": {**NEAREST, "filter": {"a": {"$size": 1}}}}], (8, 2), 8),
        ([{"$search": 1}], (8, 2), 10065),
        ([{"$nope": 1}], (8, 2), 40324),
        ([{"$project": {"s": {"$meta": "score"}}}], (8, 2), 40218),
        ([{"$search": {}}, {"$group": {"_id": 1}}, {"$project": {"s": {"$meta": "score"}}}], (8, 2), 40218),
        ([{"$search": {}}, {"$project": {"s": {"$meta": "scoreDetails"}}}], (8, 2), 40218),
        ([{"$project": {"s": {"$meta": "vectorSearchScore"}}}], (8, 1), 40218),
        ([{"$project": {"s": {"$meta": "score"}}}], (8, 0), 17308),
        ([{"$project": {"s": {"$meta": "sortKey"}}}], (8, 1), 40218),
        ([{"$project": {"s": {"$meta": "geoNearDistance"}}}], (8, 2), 40218),
        ([{"$project": {"s": {"$sigmoid": 1}}}], (8, 0), 31325),
    ],
)
def test_what_a_release_refuses(pipeline: list[Any], release: tuple[int, int], code: int) -> None:
    with pytest.raises(CommandError) as caught:
        aggregate(pipeline, release=release)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("pipeline", "release"),
    [
        ([{"$project": {"s": {"$meta": "vectorSearchScore"}}}], (8, 0)),
        ([{"$project": {"s": {"$meta": "searchScore"}}}], (8, 2)),
        ([{"$project": {"s": {"$meta": "searchHighlights"}}}], (8, 2)),
        ([{"$sort": {"n": 1}}, {"$project": {"s": {"$meta": "sortKey"}}}], (8, 2)),
        ([{"$group": {"_id": {"$meta": "sortKey"}}}], (8, 2)),
        ([{"$vectorSearch": NEAREST}, {"$project": {"s": {"$meta": "geoNearDistance"}}}], (8, 2)),
    ],
)
def test_metadata_that_nobody_asks_after(pipeline: list[Any], release: tuple[int, int]) -> None:
    aggregate(pipeline, release=release)


def test_vector_search_may_stand_in_a_lookup_from_9_0_on() -> None:
    lookup = {"from": "dishes", "pipeline": [{"$vectorSearch": NEAREST}], "as": "r"}
    assert [row["r"] for row in aggregate([{"$lookup": lookup}], release=(9, 0))] == [[], [], []]


@pytest.mark.parametrize(
    ("release", "name"), [((7, 0), (6047401, "Location6047401")), ((8, 2), (31082, "SearchNotEnabled"))]
)
def test_without_a_search_engine_the_search_stages_say_so(
    release: tuple[int, int], name: tuple[int, str]
) -> None:
    with pytest.raises(CommandError) as caught:
        aggregate([{"$search": {}}], has_search=False, release=release)
    assert (caught.value.code, caught.value.code_name) == name


def test_a_deadline_ends_the_command_with_code_50() -> None:
    clock = iter([0.0, 0.0, 1.0, 1.0])
    operation = Operation(clock=lambda: next(clock))
    operation.begin("db", {"aggregate": "c", "maxTimeMS": 500})
    with running(operation), pytest.raises(CommandError) as caught:
        aggregate([{"$match": {}}])
    assert (caught.value.code, caught.value.code_name) == (50, "MaxTimeMSExpired")
    prefix = "PlanExecutor error during aggregation :: caused by :: "
    assert caught.value.message == prefix + "operation exceeded time limit"


def test_results_are_copies() -> None:
    collection = ListCollection([{"_id": 1, "list": [{"a": 1}]}])
    (found,) = run([{"$match": {}}], Context(ListDatabase(c=collection)), "c")
    found["list"][0]["a"] = 2
    assert collection.rows == [{"_id": 1, "list": [{"a": 1}]}]
