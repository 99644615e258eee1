"""Collections that are renamed, and writes across collections, kept on disk too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pymongo import DeleteMany, DeleteOne, InsertOne, ReplaceOne, UpdateMany, UpdateOne
from pymongo.errors import ClientBulkWriteException, DuplicateKeyError, InvalidOperation, OperationFailure

from atlas_rag.inprocess.client import LocalClient

TEXT = {"definition": {"mappings": {"dynamic": True}}}
RED = [{"$search": {"text": {"path": "t", "query": "red"}}}]


def test_a_renamed_collection_keeps_documents_and_indexes(tmp_path: Path) -> None:
    with LocalClient(tmp_path) as client:
        things = client["shop"]["things"]
        things.insert_one({"_id": 1, "t": "red", "u": 1})
        things.create_index("u", unique=True)
        things.create_search_index(TEXT)
        things.rename("goods")
        client["shop"]["goods"].insert_one({"_id": 2, "t": "red", "u": 2})
    with LocalClient(tmp_path) as client:
        goods = client["shop"]["goods"]
        assert client["shop"].list_collection_names() == ["goods"]
        assert len(list(goods.aggregate(RED))) == 2
        with pytest.raises(DuplicateKeyError, match=r"shop\.goods"):
            goods.insert_one({"u": 1})


BOTH: list[Any] = [
    InsertOne(namespace="a.one", document={"_id": 1, "n": 1}),
    InsertOne(namespace="b.two", document={"_id": 2}),
    UpdateOne(namespace="a.one", filter={"_id": 1}, update={"$inc": {"n": 1}}),
    UpdateMany(namespace="a.one", filter={}, update={"$set": {"m": 1}}),
    UpdateOne(namespace="a.one", filter={"_id": 9}, update={"$set": {"n": 0}}, upsert=True),
    ReplaceOne(namespace="b.two", filter={"_id": 2}, replacement={"r": 1}),
    DeleteOne(namespace="a.one", filter={"_id": 9}),
    DeleteMany(namespace="b.two", filter={"_id": 5}),
]


@pytest.mark.parametrize("real", [False, True], ids=["in process", "PyMongo over the wire"])
def test_one_command_writes_to_several_collections(real: bool) -> None:
    with LocalClient() as client:
        if real:
            with client.as_pymongo() as pymongo_client:
                result = pymongo_client.bulk_write(BOTH, verbose_results=True)
        else:
            result = client.bulk_write(BOTH, verbose_results=True)
        counts = (result.inserted_count, result.matched_count, result.modified_count)
        assert counts == (2, 3, 3)
        assert (result.upserted_count, result.deleted_count) == (1, 1)
        assert result.update_results[4].upserted_id == 9
        assert result.insert_results[1].inserted_id == 2
        assert client["a"]["one"].find_one() == {"_id": 1, "n": 2, "m": 1}
        assert client["b"]["two"].find_one() == {"_id": 2, "r": 1}


@pytest.mark.parametrize("real", [False, True], ids=["in process", "PyMongo over the wire"])
@pytest.mark.parametrize(("ordered", "done"), [(True, 1), (False, 2)])
def test_an_operation_that_fails_is_told_by_its_place(real: bool, ordered: bool, done: int) -> None:
    models = [InsertOne(namespace="a.one", document={"_id": number}) for number in (1, 1, 2)]
    with LocalClient() as client:
        writer: Any = client.as_pymongo() if real else client
        with pytest.raises(ClientBulkWriteException) as caught:
            writer.bulk_write(models, ordered=ordered)
        assert [(error["idx"], error["code"]) for error in caught.value.write_errors or ()] == [(1, 11000)]
        assert caught.value.partial_result.inserted_count == done
        if real:
            writer.close()


def test_older_releases_have_no_such_command() -> None:
    with LocalClient(server_version="7.0") as client:
        with pytest.raises(OperationFailure, match="no such command"):
            client.bulk_write([InsertOne(namespace="a.one", document={})])
        with pytest.raises(InvalidOperation):
            client.bulk_write([])
        with pytest.raises(InvalidOperation, match="namespace"):
            client.bulk_write([InsertOne({})])
        with pytest.raises(TypeError):
            client.bulk_write([{"insert": 1}])


def test_options_and_views_are_kept_on_disk(tmp_path: Path) -> None:
    with LocalClient(tmp_path) as client:
        shop = client["shop"]
        shop.create_collection("log", capped=True, size=4096, max=2)
        shop.create_collection("strict", validator={"a": {"$type": "int"}})
        shop.create_collection("seen", viewOn="strict", pipeline=[{"$match": {"a": 1}}])
        shop.create_collection("gone", viewOn="strict", pipeline=[])
        shop["strict"].insert_many([{"_id": n, "a": n} for n in range(3)])
        shop["log"].insert_many([{"_id": n} for n in range(3)])
        shop.drop_collection("gone")
        shop.command("collMod", "strict", validationAction="warn")
        options = shop["strict"].options()
    with LocalClient(tmp_path) as client:
        shop = client["shop"]
        assert sorted(shop.list_collection_names()) == ["log", "seen", "strict"]
        assert shop["strict"].options() == options
        assert shop["seen"].find_one() == {"_id": 1, "a": 1}
        shop["log"].insert_one({"_id": 3})
        assert [document["_id"] for document in shop["log"].find()] == [2, 3]
        shop["strict"].insert_one({"a": "warned of"})
        shop.command("collMod", "strict", validationAction="error")
        with pytest.raises(OperationFailure, match="failed validation"):
            shop["strict"].insert_one({"a": "refused"})


def test_the_bytes_of_a_capped_collection_are_counted_after_it_is_reopened(tmp_path: Path) -> None:
    with LocalClient(tmp_path) as client:
        log = client["shop"].create_collection("log", capped=True, size=1024)
        log.insert_many([{"_id": n, "t": "x" * 400} for n in range(2)])
    with LocalClient(tmp_path) as client:
        log = client["shop"]["log"]
        log.insert_one({"_id": 2, "t": "x" * 400})
        assert [document["_id"] for document in log.find()] == [1, 2]


def test_views_on_too_many_views_are_refused() -> None:
    with LocalClient() as client:
        shop = client["shop"]
        shop["v0"].insert_one({"_id": 1})
        for number in range(1, 22):
            shop.create_collection(f"v{number}", viewOn=f"v{number - 1}", pipeline=[])
        assert shop["v20"].find_one() == {"_id": 1}
        with pytest.raises(OperationFailure) as caught:
            shop["v21"].find_one()
        assert caught.value.code == 165


def test_a_view_is_searched_like_a_collection_without_indexes() -> None:
    with LocalClient() as client:
        client["shop"]["things"].insert_one({"_id": 1, "t": "red"})
        client["shop"].create_collection("view", viewOn="things", pipeline=[])
        assert not list(client["shop"]["view"].aggregate(RED))
        with pytest.raises(OperationFailure):
            client["shop"]["view"].create_search_index(TEXT)
