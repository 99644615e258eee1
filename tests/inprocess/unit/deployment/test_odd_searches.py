"""Searches that no index has to answer, or that are odd: what a server of release 8.2 says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from bson import Code
from pymongo.errors import OperationFailure

from atlas_rag import LocalClient

VECTOR = {"index": "v", "path": "v", "queryVector": [1.0, 0.0], "limit": 2, "numCandidates": 2}
TEXT = {"text": {"path": "t", "query": "sea"}}
RANKED = {"a": [{"$sort": {"n": 1}}]}


@pytest.fixture(name="things", scope="module")
def filled() -> Iterator[Any]:
    with LocalClient() as client:
        things = client["d"]["c"]
        things.insert_many(
            [
                {"_id": 1, "n": math.nan, "t": "sea", "v": [1.0, 0.0]},
                {"_id": 2, "n": [2.0, math.nan], "t": "sea", "v": [0.0, 1.0]},
                {"_id": 3, "n": 3, "t": "sea"},
            ]
        )
        text = {"t": {"type": "string", "multi": {"m": {"type": "string"}}}, "n": {"type": "number"}}
        things.create_search_index({"name": "default", "definition": {"mappings": {"fields": text}}})
        fields = [{"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}]
        vectors = {"fields": [*fields, {"type": "filter", "path": "n"}]}
        things.create_search_index({"name": "v", "type": "vectorSearch", "definition": vectors})
        yield things


def identifiers(things: Any, *stages: dict[str, Any]) -> list[Any]:
    return [document["_id"] for document in things.aggregate([*stages])]


@pytest.mark.parametrize(("value", "wanted"), [(math.nan, {1, 2}), ([math.nan, 3], {1, 2, 3}), (3, {3})])
def test_in_finds_no_number_by_no_number(things: Any, value: Any, wanted: set[int]) -> None:
    within = {"in": {"path": "n", "value": value}}
    assert set(identifiers(things, {"$search": within})) == wanted
    assert set(identifiers(things, {"$search": {"compound": {"mustNot": within}}})) == {1, 2, 3} - wanted


@pytest.mark.parametrize("count", [{}, {"count": {"type": "lowerBound"}}, {"count": {"type": "total"}}])
def test_an_index_that_is_not_there_counts_a_total_of_nothing(things: Any, count: dict[str, Any]) -> None:
    (found,) = things.aggregate([{"$searchMeta": {"index": "nope", **TEXT, **count}}])
    assert found == {"count": {"total": 0}}


def fusion(**options: Any) -> dict[str, Any]:
    return {"$rankFusion": {"input": {"pipelines": RANKED}, **options}}


@pytest.mark.parametrize(
    ("stage", "code"),
    [
        *(({"$search": {op: {"path": {"value": "t", "multi": "nope"}, "query": "sea"}}}, 8) for op in (
            "text", "phrase", "wildcard", "regex"
        )),
        ({"$search": {**TEXT, "index": Code("x")}}, 8),
        ({"$searchMeta": {**TEXT, "index": Code("x")}}, 8),
        ({"$vectorSearch": {**VECTOR, "index": Code("x")}}, 8),
        ({"$search": {**TEXT, "returnStoredSource": True}}, 8),
        ({"$searchMeta": {**TEXT, "returnStoredSource": True}}, 8),
        ({"$vectorSearch": {**VECTOR, "returnStoredSource": True}}, 8),
        ({"$search": "x"}, 10065),
        ({"$search": None}, 10065),
        ({"$searchMeta": "x"}, 10065),
        ({"$search": {**TEXT, "scoreDetails": "x"}}, 13111),
        ({"$search": {**TEXT, "returnStoredSource": 1}}, 13111),
        ({"$vectorSearch": {**VECTOR, "returnStoredSource": "x"}}, 13111),
        ({"$vectorSearch": {**VECTOR, "limit": 0.5}}, 7912700),
        ({"$vectorSearch": {**VECTOR, "limit": math.nan}}, 7912700),
        ({"$vectorSearch": {**VECTOR, "limit": None}}, 8575100),
        ({"$vectorSearch": {**VECTOR, "filter": []}}, 8),
        ({"$vectorSearch": {**VECTOR, "filter": None}}, 10065),
        ({"$vectorSearch": {**VECTOR, "filter": {"$and": [{"$text": {"$search": "x"}}]}}}, 2),
        ({"$vectorSearch": {**VECTOR, "filter": {"n": {"$near": [0, 0]}}}}, 5626500),
        ({"$vectorSearch": {**VECTOR, "explainOptions": {"traceDocumentIds": [1]}}}, 8),
        ({"$rankFusion": {"input": None}}, 40414),
        ({"$rankFusion": {"input": {"pipelines": None}}}, 40414),
        (fusion(combination={"weights": None}), 40414),
        (fusion(combination={}), 40414),
    ],
)  # fmt: skip
def test_odd_arguments_are_refused_by_code(things: Any, stage: dict[str, Any], code: int) -> None:
    with pytest.raises(OperationFailure) as caught:
        list(things.aggregate([stage]))
    assert caught.value.code == code


def test_an_exact_question_cannot_ask_for_more_than_an_array_holds(things: Any) -> None:
    body = {**VECTOR, "exact": True, "numCandidates": None, "limit": 2147483631}
    with pytest.raises(OperationFailure, match="maxSize"):
        list(things.aggregate([{"$vectorSearch": body}]))
    assert identifiers(things, {"$vectorSearch": {**body, "limit": 2147483630}}) == [1, 2]


def test_options_that_are_null_are_as_absent(things: Any) -> None:
    plain = identifiers(things, fusion())
    assert identifiers(things, fusion(combination=None, scoreDetails=None)) == plain


def test_a_fusion_may_begin_a_pipeline_of_a_facet(things: Any) -> None:
    (found,) = things.aggregate([{"$facet": {"a": [fusion(), {"$limit": 2}]}}])
    assert [document["_id"] for document in found["a"]] == identifiers(things, fusion(), {"$limit": 2})


@pytest.mark.parametrize(
    "stage", [fusion(), {"$search": TEXT}, {"$searchMeta": TEXT}, {"$vectorSearch": VECTOR}]
)
def test_no_search_runs_over_a_whole_database(things: Any, stage: dict[str, Any]) -> None:
    with pytest.raises(OperationFailure) as caught:
        things.database.command({"aggregate": 1, "pipeline": [stage], "cursor": {}})
    assert caught.value.code == 73


def test_a_vector_search_of_release_8_2_ignores_what_it_does_not_know(things: Any) -> None:
    stage = {"$vectorSearch": {**VECTOR, "unheardOf": 1}}
    assert identifiers(things, stage) == [1, 2]
    with LocalClient(server_version="9.0") as client:
        client["d"]["c"].insert_one({})
        with pytest.raises(OperationFailure, match="unheardOf"):
            list(client["d"]["c"].aggregate([stage]))


def test_the_command_lists_what_the_stage_lists(things: Any) -> None:
    staged = list(things.aggregate([{"$listSearchIndexes": {}}]))
    reply = things.database.command({"listSearchIndexes": "c"})
    assert reply["cursor"]["firstBatch"] == staged
    assert [entry["name"] for entry in staged] == ["default", "v"]
    (one,) = things.database.command({"listSearchIndexes": "c", "name": "v"})["cursor"]["firstBatch"]
    assert one == staged[1]
    assert not things.database.command({"listSearchIndexes": "c", "id": "x"})["cursor"]["firstBatch"]
    with pytest.raises(OperationFailure) as caught:
        things.database.command({"listSearchIndexes": "nowhere"})
    assert caught.value.code == 26


def test_a_definition_with_fields_needs_its_type(things: Any) -> None:
    fields = [{"type": "vector", "path": "w", "numDimensions": 2, "similarity": "cosine"}]
    with pytest.raises(OperationFailure, match=r"Attribute mappings missing\..*vectorSearch"):
        things.create_search_index({"name": "w", "definition": {"fields": fields}})


def test_a_knn_vector_field_is_told_why_no_vector_search_reads_it(things: Any) -> None:
    field = {"type": "knnVector", "dimensions": 2, "similarity": "cosine"}
    things.create_search_index({"name": "knn", "definition": {"mappings": {"fields": {"v": field}}}})
    with pytest.raises(
        OperationFailure, match=r"Cannot execute .* over search index 'knn'.*knnBeta"
    ) as caught:
        list(things.aggregate([{"$vectorSearch": {**VECTOR, "index": "knn"}}]))
    things.drop_search_index("knn")
    assert caught.value.code == 8
