"""PyMongo, PyMongo Async and Motor run the same CRUD and the three search modes against the server."""

from __future__ import annotations

from typing import Any

import pytest
from motor.motor_asyncio import AsyncIOMotorClient
from pymongo import AsyncMongoClient, MongoClient
from pymongo.errors import (
    BulkWriteError,
    CursorNotFound,
    DuplicateKeyError,
    ExecutionTimeout,
    OperationFailure,
)

from tests.inprocess.server.conftest import DOCUMENTS, HYBRID, MODELS, NEAREST, SEARCH


def ids(documents: list[dict[str, Any]]) -> list[Any]:
    return [document["_id"] for document in documents]


def test_pymongo_searches_in_three_modes(things: Any) -> None:
    things.insert_many(DOCUMENTS)
    assert things.create_search_indexes(MODELS) == ["text", "vector"]
    assert all(index["queryable"] for index in things.list_search_indexes())
    assert ids(list(things.aggregate([SEARCH]))) == [1, 2]
    assert ids(list(things.aggregate([NEAREST]))) == [1, 2, 3]
    assert ids(list(things.aggregate([HYBRID]))) == [1, 2, 3]


async def test_pymongo_async_searches_in_three_modes(server_uri: str, things: Any) -> None:
    async with AsyncMongoClient(server_uri) as client:
        collection = client["shop"]["things"]
        await collection.insert_many([dict(document) for document in DOCUMENTS])
        await collection.create_search_indexes(MODELS)
        for stage, expected in ((SEARCH, [1, 2]), (NEAREST, [1, 2, 3]), (HYBRID, [1, 2, 3])):
            cursor = await collection.aggregate([stage])
            assert ids(await cursor.to_list()) == expected


async def test_motor_searches_in_three_modes(server_uri: str, things: Any) -> None:
    client: Any = AsyncIOMotorClient(server_uri)
    try:
        collection = client["shop"]["things"]
        await collection.insert_many([dict(document) for document in DOCUMENTS])
        await collection.create_search_indexes(MODELS)
        for stage, expected in ((SEARCH, [1, 2]), (NEAREST, [1, 2, 3]), (HYBRID, [1, 2, 3])):
            assert ids(await collection.aggregate([stage]).to_list(None)) == expected
    finally:
        client.close()


def test_pymongo_writes_and_reads(things: Any) -> None:
    things.insert_one({"_id": 1, "n": 1})
    with pytest.raises(DuplicateKeyError):
        things.insert_one({"_id": 1})
    with pytest.raises(BulkWriteError):
        things.insert_many([{"_id": 2}, {"_id": 1}, {"_id": 3}])
    assert things.update_one({"_id": 1}, {"$inc": {"n": 1}}).modified_count == 1
    assert things.update_many({}, {"$set": {"l": [1, 2]}}).matched_count == 2
    filters = [{"x": {"$gt": 1}}]
    assert things.update_one({"_id": 1}, {"$set": {"l.$[x]": 9}}, array_filters=filters).modified_count == 1
    assert things.replace_one({"_id": 7}, {"n": 7}, upsert=True).upserted_id == 7
    assert things.find_one_and_update({"_id": 1}, {"$inc": {"n": 1}}, return_document=True)["n"] == 3
    assert things.find_one({"_id": 1}) == {"_id": 1, "n": 3, "l": [1, 9]}
    assert things.distinct("n") == [3, 7]
    assert things.count_documents({"n": {"$exists": True}}) == 2
    assert things.delete_many({}).deleted_count == 3


def test_a_long_result_comes_in_batches(things: Any) -> None:
    things.insert_many([{"_id": n} for n in range(1000)])
    assert ids(list(things.find())) == list(range(1000))
    assert ids(list(things.find(batch_size=7).sort("_id", -1))) == list(range(999, -1, -1))
    assert ids(list(things.aggregate([{"$match": {}}], batchSize=999))) == list(range(1000))


def test_large_documents_come_in_more_batches(things: Any) -> None:
    for n in range(5):
        things.insert_one({"_id": n, "text": "x" * 7_000_000})
    assert ids(list(things.find())) == [0, 1, 2, 3, 4]


def test_a_killed_cursor_is_gone(things: Any) -> None:
    things.insert_many([{"_id": n} for n in range(10)])
    cursor = things.find(batch_size=2)
    next(cursor)
    things.database.command("killCursors", "things", cursors=[cursor.cursor_id])
    with pytest.raises(CursorNotFound):
        list(cursor)


def test_a_query_out_of_time_is_ended(things: Any) -> None:
    things.insert_many([{"n": n} for n in range(3000)])
    slow = {"$set": {"x": {"$reduce": {"input": {"$range": [0, 3000]}, "initialValue": 0, "in": "$n"}}}}
    with pytest.raises(ExecutionTimeout):
        list(things.aggregate([slow], maxTimeMS=50))


def test_what_it_cannot_do_is_refused_with_the_servers_codes(server_uri: str, things: Any) -> None:
    things.insert_one({"_id": 1})

    def code(call: Any) -> int | None:
        with pytest.raises(OperationFailure) as caught:
            call()
        return caught.value.code

    assert code(lambda: things.watch()) == 115
    assert code(lambda: things.database.command("nosuchcommand")) == 59
    assert code(lambda: list(things.aggregate([{"$nosuch": 1}]))) == 40324
    assert code(lambda: things.database.command("mapReduce", "things")) == 59


def test_compressed_messages_are_understood(server_uri: str, things: Any) -> None:
    with MongoClient(server_uri, compressors="zlib", zlibCompressionLevel=1) as client:
        collection = client["shop"]["things"]
        collection.insert_many([{"_id": n, "text": "x" * 1000} for n in range(200)])
        assert len(list(collection.find())) == 200


def test_explain_shows_search_stages_as_a_server_does(things: Any) -> None:
    things.insert_many(DOCUMENTS)
    things.create_search_indexes(MODELS)
    command = {"aggregate": "things", "pipeline": [NEAREST], "cursor": {}}
    explained = things.database.command("explain", command)
    stage = explained["stages"][0]["$vectorSearch"]
    assert stage["queryVector"] == "redacted"
    assert things.find().explain()["queryPlanner"]["winningPlan"]["stage"] == "COLLSCAN"
