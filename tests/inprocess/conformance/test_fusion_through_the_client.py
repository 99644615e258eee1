"""Fusion stages through the client's own door: commands in, documents or PyMongo errors out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pymongo.errors import OperationFailure

from atlas_rag.fusion import RankedList, fuse_ranks
from atlas_rag.inprocess.client import LocalClient

WORDS = ["amber", "birch", "cedar", "delta", "ember"]
VECTORS = np.random.default_rng(3).normal(size=(40, 4)).tolist()
QUERY = [0.3, -1.0, 0.5, 0.2]


@pytest.fixture(scope="module", params=["8.2", "9.0"])
def collection(request) -> Iterator[Any]:
    with LocalClient(server_version=request.param) as client:
        found = client["shop"]["things"]
        found.insert_many(
            {"_id": at, "title": f"{WORDS[at % 5]} {WORDS[at % 3]}", "v": vector, "n": at % 4}
            for at, vector in enumerate(VECTORS)
        )
        vector = {"type": "vector", "path": "v", "numDimensions": 4, "similarity": "cosine"}
        found.create_search_index(
            {
                "name": "vector",
                "type": "vectorSearch",
                "definition": {"fields": [vector, {"type": "filter", "path": "n"}]},
            }
        )
        found.create_search_index(
            {
                "name": "text",
                "definition": {"mappings": {"dynamic": False, "fields": {"title": {"type": "string"}}}},
            }
        )
        yield found


BY_TEXT = [{"$search": {"index": "text", "text": {"path": "title", "query": "amber birch"}}}, {"$limit": 12}]
BY_VECTOR = [
    {
        "$vectorSearch": {
            "index": "vector",
            "path": "v",
            "queryVector": QUERY,
            "limit": 12,
            "numCandidates": 40,
        }
    }
]
SCORED = {"$project": {"score": {"$meta": "score"}}}


def fused(pipelines: Any, **rest: Any) -> dict[str, Any]:
    return {"$rankFusion": {"input": {"pipelines": pipelines}, **rest}}


def listed(collection: Any, name: str, pipeline: list[Any]) -> RankedList:
    rows = list(collection.aggregate([*pipeline, SCORED]))
    assert rows
    return RankedList(name, [row["_id"] for row in rows], [row["score"] for row in rows])


def test_native_fusion_equals_fusing_two_requests(collection) -> None:
    weights = {"vector": 0.7, "text": 0.3}
    native = list(
        collection.aggregate(
            [fused({"vector": BY_VECTOR, "text": BY_TEXT}, combination={"weights": weights}), SCORED]
        )
    )
    lists = [listed(collection, "vector", BY_VECTOR), listed(collection, "text", BY_TEXT)]
    assert [(row["_id"], row["score"]) for row in native] == [
        (item.id, item.score) for item in fuse_ranks(lists, weights)
    ]


def test_a_limit_behind_the_fusion_cuts_only(collection) -> None:
    stage = fused({"vector": BY_VECTOR, "text": BY_TEXT})
    whole = list(collection.aggregate([stage, SCORED]))
    assert list(collection.aggregate([stage, {"$limit": 5}, SCORED])) == whole[:5]
    assert list(collection.aggregate([stage, {"$skip": 2}, {"$limit": 3}, SCORED])) == whole[2:5]


def test_documents_come_whole(collection) -> None:
    first = next(iter(collection.aggregate([fused({"vector": BY_VECTOR}), {"$limit": 1}])))
    assert first == collection.find_one({"_id": first["_id"]})


def test_scores_fuse_across_search_types(collection) -> None:
    source = {"pipelines": {"vector": BY_VECTOR, "text": BY_TEXT}, "normalization": "minMaxScaler"}
    rows = list(collection.aggregate([{"$scoreFusion": {"input": source}}, SCORED]))
    assert {row["_id"] for row in rows} == {
        *listed(collection, "v", BY_VECTOR).ids,
        *listed(collection, "t", BY_TEXT).ids,
    }
    assert all(0 <= row["score"] <= 1 for row in rows)


def test_a_lookup_may_hold_a_fusion(collection) -> None:
    newest = [fused({"a": [{"$sort": {"_id": -1}}]}), {"$limit": 2}]
    lookup = {"from": "things", "pipeline": newest, "as": "newest"}
    rows = list(collection.aggregate([{"$match": {"_id": {"$lt": 2}}}, {"$lookup": lookup}]))
    assert [[found["_id"] for found in row["newest"]] for row in rows] == [[39, 38], [39, 38]]


def test_a_lookup_by_field_with_a_fusion_needs_9_0(collection) -> None:
    lookup = {
        "from": "things",
        "localField": "n",
        "foreignField": "n",
        "pipeline": [fused({"a": [{"$sort": {"_id": -1}}]})],
        "as": "near",
    }
    pipeline = [{"$match": {"_id": 1}}, {"$lookup": lookup}]
    if collection.database.client.server_info()["versionArray"][0] < 9:
        with pytest.raises(OperationFailure) as caught:
            list(collection.aggregate(pipeline))
        assert caught.value.code == 12982600
    else:
        (row,) = collection.aggregate(pipeline)
        assert [near["_id"] for near in row["near"]] == [at for at in range(39, -1, -1) if at % 4 == 1]


@pytest.mark.parametrize(
    ("stages", "code"),
    [
        ([fused({"a": [{"$vectorSearch": {**BY_VECTOR[0]["$vectorSearch"], "path": "nope"}}]})], 8),
        ([{"$limit": 1}, fused({"a": BY_VECTOR})], 10170100),
        ([{"$rerank": {}}], 40324),
    ],
    ids=["the engine's refusal", "not first", "rerank"],
)
def test_refusals_are_pymongos_own(collection, stages, code) -> None:
    with pytest.raises(OperationFailure) as caught:
        list(collection.aggregate(stages))
    assert caught.value.code == code
    if code == 8:
        assert "nope is not indexed as vector" in str(caught.value)
