"""`find`, `count`, `distinct` and cursors of the in-process engine against a real server."""

from __future__ import annotations

import re
from typing import Any

import pytest
from bson import Int64
from pymongo import DESCENDING

from tests.inprocess.conformance.commands.sides import Sides

pytestmark = pytest.mark.mongod

ONE = {
    "_id": 1,
    "a": 1,
    "l": [1, 2, 3, 4, 5],
    "d": [{"x": 1, "y": 1}, {"x": 2, "y": 2}, {"x": 3, "y": 3}],
    "e": {"f": [1, 2, 3]},
}
MANY = [{"_id": i, "a": i % 3, "l": [{"x": i}, {"x": 5}], "n": None if i % 2 else i} for i in range(6)]

PROJECTIONS: list[tuple[Any, Any]] = [
    ({"l": {"$slice": 2}}, {}),
    ({"l": {"$slice": -2}}, {}),
    ({"l": {"$slice": 0}}, {}),
    ({"l": {"$slice": [1, 2]}}, {}),
    ({"l": {"$slice": [-3, 2]}}, {}),
    ({"l": {"$slice": 2}, "a": 1}, {}),
    ({"l": {"$slice": 2}, "a": 0}, {}),
    ({"l": {"$slice": 2}, "_id": 0}, {}),
    ({"e.f": {"$slice": 1}}, {}),
    ({"d.x": {"$slice": 1}}, {}),
    ({"a": {"$slice": 1}}, {}),
    ({"d": {"$elemMatch": {"x": 2}}}, {}),
    ({"d": {"$elemMatch": {"x": 2}}, "a": 1}, {}),
    ({"d": {"$elemMatch": {"x": 2}}, "a": 0}, {}),
    ({"d": {"$elemMatch": {"x": 9}}}, {}),
    ({"d": {"$elemMatch": 5}}, {}),
    ({"d.x": {"$elemMatch": {"y": 1}}}, {}),
    ({"l": {"$elemMatch": {"$gt": 2}}}, {}),
    ({"l": {"$slice": 1}, "d": {"$elemMatch": {"x": 2}}}, {}),
    ({"d.$": 1}, {"d.x": 2}),
    ({"d.$": 1, "a": 1}, {"d.x": {"$gt": 1}}),
    ({"l.$": 1}, {"l": 3}),
    ({"l.$": 1}, {"l": {"$elemMatch": {"$gt": 2}}}),
    ({"d.$": 1}, {"l": 3}),
    ({"d.$": 1}, {}),
    ({"d.$": 1, "l.$": 1}, {"l": 3}),
    ({"d.$": 0}, {"d.x": 2}),
    ({"b": {"$add": ["$a", 1]}}, {}),
    ({"b": "$a"}, {}),
    ({"a": 1, "b": 0}, {}),
    ({"a": 0, "b": 1}, {}),
    ({"_id": 0}, {}),
    ({"_id": 0, "a": 1}, {}),
    ({"_id": 1, "a": 0}, {}),
    ({"a": True}, {}),
    ({"a": "x"}, {}),
    ({"z": {"$literal": 5}}, {}),
    ({"d.x": 1}, {}),
    ({"d.x": 0}, {}),
]


@pytest.mark.parametrize(("projection", "query"), PROJECTIONS, ids=str)
def test_a_projection_gives_what_the_server_gives(sides: Sides, projection: Any, query: Any) -> None:
    ours, servers = sides.outcomes([ONE], lambda c: list(c.find(query, projection)))
    assert ours == servers


COMMANDS: list[dict[str, Any]] = [
    {"find": "things", "filter": {"a": 1}, "sort": {"_id": -1}, "skip": 1, "limit": 1},
    {"find": "things", "sort": {"n": 1, "_id": 1}},
    {"find": "things", "sort": {"l.x": -1, "_id": 1}},
    {"find": "things", "filter": {"_id": {"$in": [4, 2, 99]}}},
    {"find": "things", "filter": {"_id": 3, "a": 1}},
    {"find": "things", "filter": {"_id": re.compile("x")}},
    {"find": "things", "filter": {"$expr": {"$eq": ["$a", "$$x"]}}, "let": {"x": 2}},
    {"find": "things", "singleBatch": True, "batchSize": 1},
    {"find": "things", "foo": 1},
    {"find": "things", "limit": -1},
    {"find": "things", "skip": -1},
    {"find": "things", "batchSize": -1},
    {"find": "things", "limit": "x"},
    {"find": "things", "sort": {"a": 5}},
    {"find": 5},
    {"find": ""},
    {"find": "absent"},
    {"count": "things"},
    {"count": "things", "query": {"a": {"$gt": 0}}, "limit": 3},
    {"count": "things", "skip": 1, "limit": -2},
    {"count": "absent"},
    {"distinct": "things", "key": "l.x"},
    {"distinct": "things", "key": "l.0.x"},
    {"distinct": "things", "key": "n"},
    {"distinct": "things", "key": "a", "query": {"a": 1}},
    {"distinct": "things"},
    {"distinct": "absent", "key": "a"},
    {"getMore": Int64(5), "collection": "things"},
    {"killCursors": "things", "cursors": [Int64(5)]},
    {"aggregate": "things", "pipeline": []},
    {"aggregate": "things", "pipeline": 5, "cursor": {}},
    {"aggregate": "things", "pipeline": [], "cursor": {}, "foo": 1},
    {"aggregate": 1, "pipeline": [{"$documents": [{"a": 1}]}], "cursor": {}},
    {"nosuch": 1},
]


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_command_gets_the_reply_that_the_server_gives(sides: Sides, command: Any) -> None:
    ours, servers = sides.outcomes(MANY, lambda c: c.database.command(command))
    assert ours == servers


@pytest.mark.parametrize("size", [0, 1, 5, 6, 7])
@pytest.mark.parametrize("limit", [0, 3, 6])
def test_a_cursor_stays_open_where_the_server_leaves_it_open(sides: Sides, size: int, limit: int) -> None:
    def is_open(collection: Any) -> list[Any]:
        find = {"find": "things", "batchSize": size, "limit": limit}
        aggregate = {"aggregate": "things", "pipeline": [], "cursor": {"batchSize": size}}
        replies = [collection.database.command(command) for command in (find, aggregate)]
        return [(bool(reply["cursor"]["id"]), len(reply["cursor"]["firstBatch"])) for reply in replies]

    ours, servers = sides.outcomes(MANY, lambda c: str(is_open(c)))
    assert ours == servers


FACE_CALLS: list[Any] = [
    lambda c: list(c.find({}, ["a"]).sort([("a", DESCENDING), ("_id", 1)]).skip(1).limit(2)),
    lambda c: list(c.find(sort=[("a", 1), ("_id", -1)])),
    lambda c: c.find({}, batch_size=2).to_list(),
    lambda c: c.find({}).to_list(2),
    lambda c: c.find({}, []).to_list(1),
    lambda c: c.find_one(3),
    lambda c: c.find_one({"a": 99}),
    lambda c: c.count_documents({"a": 1}),
    lambda c: c.count_documents({}, skip=2, limit=3),
    lambda c: c.estimated_document_count(),
    lambda c: c.distinct("a"),
    lambda c: list(c.aggregate([{"$match": {"a": 1}}], batchSize=1)),
    lambda c: list(c.database.aggregate([{"$documents": [{"a": 1}]}])),
    lambda c: c.database.list_collection_names(),
    lambda c: c.find_one_and_update({"a": 1}, {"$inc": {"a": 10}}, sort=[("_id", -1)]),
    lambda c: c.find_one_and_update({"a": 1}, {"$inc": {"a": 10}}, ["a"], return_document=True),
    lambda c: c.find_one_and_update({"a": 77}, {"$set": {"b": 1}}, upsert=True, return_document=True),
    lambda c: c.find_one_and_replace({"a": 1}, {"z": 1}, return_document=True),
    lambda c: c.find_one_and_delete({"a": 1}, projection={"_id": 0}),
    lambda c: c.find_one_and_delete({"a": 77}),
]


@pytest.mark.parametrize("call", FACE_CALLS, ids=range(len(FACE_CALLS)))
def test_a_method_gives_what_the_driver_gives(sides: Sides, call: Any) -> None:
    ours, servers = sides.outcomes(MANY, call)
    assert ours == servers
