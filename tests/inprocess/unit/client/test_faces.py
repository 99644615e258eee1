"""What the faces add to the commands: copies, cursors, detection, other collections as sources."""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
import uuid
from typing import Any

import mongomock
import pytest
from bson import Binary, Decimal128, Int64, Regex
from bson.codec_options import CodecOptions
from bson.errors import InvalidDocument
from pymongo import ReadPreference, WriteConcern
from pymongo.errors import (
    CollectionInvalid,
    ConfigurationError,
    DocumentTooLarge,
    InvalidName,
    InvalidOperation,
    OperationFailure,
)
from pymongo.read_concern import ReadConcern

from atlas_rag.inprocess.client import AsyncLocalClient, LocalClient, asynchronous

TEXT = {"definition": {"mappings": {"dynamic": True}}}
RED = {"$search": {"text": {"path": "t", "query": "red"}}}


@pytest.fixture
def things() -> Any:
    with LocalClient() as client:
        yield client["shop"]["things"]


# ---------------------------------------------------------------- each side owns its documents


def test_a_stored_document_does_not_follow_the_callers(things: Any) -> None:
    document: dict[str, Any] = {"_id": 1, "l": [1, {"x": 1}], "v": [1.0, 2.0]}
    things.insert_one(document)
    document["l"][1]["x"] = 2
    document["v"][0] = 9.0
    assert things.find_one() == {"_id": 1, "l": [1, {"x": 1}], "v": [1.0, 2.0]}


def test_a_returned_document_is_the_callers(things: Any) -> None:
    things.insert_one({"_id": 1, "l": [1, {"x": 1}], "v": [1.0, 2.0]})
    for found in (things.find_one(), next(things.aggregate([]))):
        found["l"][1]["x"] = 2
        found["v"][0] = 9.0
    assert things.find_one() == {"_id": 1, "l": [1, {"x": 1}], "v": [1.0, 2.0]}


def test_an_identifier_is_added_to_the_callers_document(things: Any) -> None:
    one: dict[str, Any] = {"a": 1}
    many: list[dict[str, Any]] = [{}, {}]
    assert things.insert_one(one).inserted_id == one["_id"]
    assert things.insert_many(many).inserted_ids == [document["_id"] for document in many]


def test_values_become_what_bson_makes_of_them(things: Any) -> None:
    moment = dt.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    things.insert_one({"_id": 1, "t": (1, 2), "n": 2**40, "d": moment, "b": b"x", "m": Decimal128("1.0")})
    found = things.find_one()
    assert found["t"] == [1, 2]
    assert type(found["n"]) is Int64
    assert found["d"] == dt.datetime(2026, 1, 2, 1, 4, 5, 678000)
    assert found["b"] == b"x"
    things.insert_one({"_id": 2, "r": Regex("x", "i"), "u": Binary.from_uuid(uuid.UUID(int=5))})
    assert things.find_one(2)["u"].as_uuid() == uuid.UUID(int=5)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({1, 2}, InvalidDocument),
        (2**64, OverflowError),
        ("\ud800", UnicodeEncodeError),
        (uuid.UUID(int=7), ValueError),
        ({1: 2}, InvalidDocument),
        ({"a\0b": 2}, InvalidDocument),
    ],
    ids=str,
)
def test_what_a_driver_cannot_send_is_refused_as_a_driver_does(
    things: Any, value: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        things.insert_one({"x": value})
    assert things.count_documents({}) == 0


def test_documents_too_large_or_too_deep_are_refused(things: Any) -> None:
    with pytest.raises(DocumentTooLarge):
        things.insert_one({"x": "y" * 17_000_000})
    things.insert_one({"_id": 1, "x": "y" * 16_000_000})
    deep: dict[str, Any] = {}
    for _ in range(181):
        deep = {"a": deep}
    with pytest.raises(OperationFailure, match="180 levels"):
        things.insert_one(deep)


# ---------------------------------------------------------------- cursors


def test_a_cursor_runs_once_and_can_be_rewound(things: Any) -> None:
    things.insert_many([{"_id": n} for n in range(5)])
    cursor = things.find().sort("_id", -1).limit(3)
    assert [document["_id"] for document in cursor] == [4, 3, 2]
    assert list(cursor) == []
    with pytest.raises(InvalidOperation):
        cursor.skip(1)
    assert len(list(cursor.rewind())) == 3
    assert len(list(cursor.clone())) == 3


def test_a_closed_cursor_gives_nothing_more(things: Any) -> None:
    things.insert_many([{"_id": n} for n in range(300)])
    with things.find(batch_size=2) as cursor:
        next(cursor)
        assert cursor.alive
        assert len(things.deployment.cursors) == 1
    assert not cursor.alive
    assert len(things.deployment.cursors) == 0
    assert len(list(cursor)) <= 1


@pytest.mark.parametrize("call", ["skip", "batch_size"])
def test_a_cursor_refuses_numbers_below_zero(things: Any, call: str) -> None:
    with pytest.raises(ValueError, match=">= 0"):
        getattr(things.find(), call)(-1)


# ---------------------------------------------------------------- names, detection, the end


def test_collections_are_found_by_name_and_by_attribute() -> None:
    with LocalClient() as client:
        assert client.shop.things == client["shop"]["things"]
        assert client["shop"]["a"]["b"].full_name == "shop.a.b"
        assert client["shop"].create_collection("made").name == "made"
        with pytest.raises(CollectionInvalid):
            client["shop"].create_collection("made")
        with pytest.raises(InvalidName):
            client["shop"]["..x"]
        with pytest.raises(NotImplementedError):
            bool(client["shop"]["things"])


async def test_options_that_one_copy_meets_are_taken_and_others_refused() -> None:
    met: Any = {
        "read_preference": ReadPreference.SECONDARY,
        "read_concern": ReadConcern("majority"),
        "write_concern": WriteConcern("majority"),
        "codec_options": CodecOptions(),
    }
    with LocalClient() as client:
        over = AsyncLocalClient.over(client)
        things = client.get_database("shop", **met).get_collection("things", **met).with_options(**met)
        assert things == client["shop"]["things"]
        things.insert_one({"_id": 1})
        also = over.get_database("shop", **met).get_collection("things", **met).with_options(**met)
        assert await also.find_one() == {"_id": 1}
        for place in (things.with_options, client["shop"].get_collection, over.get_database):
            name = () if place == things.with_options else ("things",)
            with pytest.raises(ConfigurationError, match="codec_options"):
                place(*name, codec_options=CodecOptions(tz_aware=True))
            with pytest.raises(ConfigurationError, match="write concern of 0"):
                place(*name, write_concern=WriteConcern(0))
            with pytest.raises(TypeError, match="'session'"):
                place(*name, session=None)


def test_the_types_say_what_they_are() -> None:
    from atlas_rag.inprocess.client import AsyncLocalCollection, LocalCollection

    assert LocalCollection.__atlas_rag_local__
    assert AsyncLocalCollection.__atlas_rag_local__


def test_a_closed_client_refuses() -> None:
    client = LocalClient()
    things = client["shop"]["things"]
    client.close()
    client.close()
    with pytest.raises(InvalidOperation):
        things.find_one()


def test_an_unknown_release_is_refused() -> None:
    with pytest.raises(ValueError, match=r"7\.0, 8\.0, 8\.2, 9\.0"):
        LocalClient(server_version="4.4")


# ---------------------------------------------------------------- other collections as sources


def test_a_mongomock_collection_is_loaded() -> None:
    source = mongomock.MongoClient()["shop"]["things"]
    source.insert_many([{"_id": 1, "t": "red"}, {"_id": 2, "t": "blue"}])
    with LocalClient() as client:
        copy = client.load(source, name="copy")
        copy.create_search_index(TEXT)
        assert copy.full_name == "shop.copy"
        assert [hit["_id"] for hit in copy.aggregate([RED])] == [1]


def test_an_attached_collection_takes_over_what_has_changed() -> None:
    source = mongomock.MongoClient()["shop"]["things"]
    source.insert_many([{"_id": n, "t": "blue"} for n in range(4)])
    with LocalClient() as client:
        attachment = client.attach(source)
        attachment.collection.create_search_index(TEXT)
        source.update_one({"_id": 1}, {"$set": {"t": "red"}})
        source.delete_one({"_id": 2})
        source.insert_one({"_id": 9, "t": "red"})
        assert attachment.refresh() == 3
        assert attachment.refresh() == 0
        assert {hit["_id"] for hit in attachment.collection.aggregate([RED])} == {1, 9}
        assert attachment.collection.count_documents({}) == 4


def test_a_local_collection_is_loaded_with_its_search_indexes() -> None:
    with LocalClient() as one, LocalClient() as other:
        one["shop"]["things"].insert_one({"_id": 1, "t": "red"})
        one["shop"]["things"].create_search_index(TEXT)
        copy = other.load(one["shop"]["things"])
        assert [hit["_id"] for hit in copy.aggregate([RED])] == [1]


# ---------------------------------------------------------------- the asynchronous faces


async def test_the_asynchronous_faces_do_the_same() -> None:
    async with AsyncLocalClient() as client:
        things = client["shop"]["things"]
        await things.insert_many([{"_id": n, "t": "red"} for n in range(5)])
        assert await things.create_search_index(TEXT) == "default"
        assert len(await (await things.aggregate([RED])).to_list()) == 5
        assert await things.find_one({"_id": 3}) == {"_id": 3, "t": "red"}
        cursor = things.find().sort("_id", -1).skip(1).limit(2).batch_size(1)
        assert [document["_id"] async for document in cursor] == [3, 2]
        assert await things.find().to_list(2) == [{"_id": 0, "t": "red"}, {"_id": 1, "t": "red"}]
        assert [entry["name"] async for entry in await things.list_search_indexes()] == ["default"]
        assert (await client["shop"].command("ping"))["ok"] == 1
        assert await client["shop"].list_collection_names() == ["things"]
        assert await client.list_database_names() == ["shop"]


async def test_a_large_collection_is_searched_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asynchronous.collection, "LARGE", 3)
    threads: list[bool] = []
    async with AsyncLocalClient() as client:
        things = client["shop"]["things"]
        run = things.deployment.run_command

        def watched(database: str, command: Any) -> Any:
            threads.append(threading.current_thread() is threading.main_thread())
            return run(database, command)

        monkeypatch.setattr(things.deployment, "run_command", watched)
        await things.insert_many([{"_id": n} for n in range(4)])
        await things.count_documents({})
        assert [document["_id"] async for document in things.find()] == [0, 1, 2, 3]
    assert threads == [True, False, False]  # one command for the whole batch


async def test_both_faces_share_one_deployment() -> None:
    with LocalClient() as client:
        client["a"]["b"].insert_one({"_id": 1})
        assert await AsyncLocalClient.over(client)["a"]["b"].count_documents({}) == 1


async def test_concurrent_writers_lose_nothing() -> None:
    async with AsyncLocalClient() as client:
        things = client["shop"]["things"]
        await things.insert_one({"_id": 1, "n": 0})
        one = things.delegate

        def increase() -> None:
            for _ in range(50):
                one.update_one({"_id": 1}, {"$inc": {"n": 1}})

        await asyncio.gather(*(asyncio.to_thread(increase) for _ in range(4)))
        assert (await things.find_one(1))["n"] == 200


@pytest.mark.parametrize("update", [{}, [], {"a": 1}, 5, None], ids=str)
def test_what_pymongo_does_not_send_is_not_run(update: Any) -> None:
    with LocalClient() as client:
        things = client["shop"]["things"]
        things.insert_one({"_id": 1, "a": 0})
        for change in (things.update_one, things.update_many, things.find_one_and_update):
            with pytest.raises((TypeError, ValueError)):
                change({}, update)
        assert things.find_one() == {"_id": 1, "a": 0}
