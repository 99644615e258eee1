"""Paths into database references work wherever a path may stand; values as release 6.0.5 gives them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from bson import DBRef
from pymongo.errors import OperationFailure

from atlas_rag.inprocess.client import LocalClient


@pytest.fixture
def things() -> Iterator[Any]:
    with LocalClient() as client:
        collection = client["db"]["c"]
        collection.insert_many([{"_id": at, "cat": DBRef("k", at)} for at in range(3)])
        yield collection


def test_a_sort_and_a_projection_reach_into_a_reference(things: Any) -> None:
    assert [found["_id"] for found in things.find().sort("cat.$id", -1)] == [2, 1, 0]
    assert things.find_one({}, {"cat.$id": 1, "_id": 0}) == {"cat": {"$id": 0}}
    assert things.distinct("cat.$id") == [0, 1, 2]


def test_expressions_and_joins_reach_into_a_reference(things: Any) -> None:
    join = {"from": "c", "localField": "cat.$id", "foreignField": "_id", "as": "z"}
    walk = {"from": "c", "startWith": "$cat.$id", "connectFromField": "cat.$id", "connectToField": "_id"}
    shown = {"x": "$cat.$id", "y": "$cat.$ref", "z": {"$size": "$z"}, "w": {"$size": "$w"}}
    pipeline = [{"$lookup": join}, {"$graphLookup": {**walk, "as": "w"}}, {"$project": shown}, {"$limit": 1}]
    assert list(things.aggregate(pipeline)) == [{"_id": 0, "x": 0, "y": "k", "z": 1, "w": 1}]
    assert list(things.aggregate([{"$addFields": {"cat.$id": 5}}]))[2] == {"_id": 2, "cat": DBRef("k", 5)}
    assert len(list(things.aggregate([{"$unwind": "$cat.$id"}]))) == 3


def test_other_names_with_a_dollar_stay_refused(things: Any) -> None:
    for path in ("cat.$foo", "$id"):
        with pytest.raises(OperationFailure) as refused:
            list(things.find().sort(path, 1))
        assert refused.value.code == 16410
