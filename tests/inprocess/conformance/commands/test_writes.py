"""Inserts, deletes, bulk writes and the catalogue of the in-process engine against a real server."""

from __future__ import annotations

from typing import Any

import pytest
from pymongo import (
    DeleteMany,
    DeleteOne,
    IndexModel,
    InsertOne,
    ReplaceOne,
    UpdateMany,
    UpdateOne,
)

from tests.inprocess.conformance.commands.sides import Sides

pytestmark = pytest.mark.mongod

MANY = [{"_id": i, "a": i % 3} for i in range(6)]

METHODS: list[Any] = [
    lambda c: c.insert_one({"_id": 9}),
    lambda c: c.insert_one({"_id": 1}),
    lambda c: c.insert_one({"a": 1, "_id": 9}),
    lambda c: c.insert_one({"_id": [1]}),
    lambda c: c.insert_one({"_id": {"$a": 1}}),
    lambda c: c.insert_many([{"_id": 10}, {"_id": 1}, {"_id": 11}]),
    lambda c: c.insert_many([{"_id": 10}, {"_id": 1}, {"_id": 11}], ordered=False),
    lambda c: c.insert_many([]),
    lambda c: c.update_one({"a": 1}, {"$set": {"z": 1}}),
    lambda c: c.update_one({"a": 1}, {}),
    lambda c: c.update_one({"a": 1}, {"z": 1}),
    lambda c: c.update_many({"a": 1}, {"$set": {"z": 1}}),
    lambda c: c.update_many({"a": 77}, {"$set": {"z": 1}}, upsert=True),
    lambda c: c.update_one({"a": 1}, {"$inc": {"_id": 1}}),
    lambda c: c.replace_one({"a": 1}, {"z": 1}),
    lambda c: c.replace_one({"a": 1}, {"$set": {"z": 1}}),
    lambda c: c.replace_one({"_id": 77}, {"z": 1}, upsert=True),
    lambda c: c.delete_one({"a": 1}),
    lambda c: c.delete_many({"a": 1}),
    lambda c: c.delete_many({"a": {"$foo": 1}}),
    lambda c: c.drop(),
    lambda c: c.bulk_write(
        [InsertOne({"_id": 20}), UpdateOne({"a": 1}, {"$set": {"z": 1}}), DeleteOne({"a": 2})]
    ),
    lambda c: c.bulk_write([InsertOne({"_id": 1}), UpdateMany({}, {"$set": {"z": 1}}), DeleteMany({"a": 2})]),
    lambda c: c.bulk_write(
        [InsertOne({"_id": 1}), UpdateMany({}, {"$set": {"z": 1}}), DeleteMany({"a": 2})], ordered=False
    ),
    lambda c: c.bulk_write(
        [ReplaceOne({"_id": 50}, {"q": 1}, upsert=True), UpdateOne({"_id": 51}, {"$set": {"q": 1}}, True)]
    ),
    lambda c: c.bulk_write([]),
]


@pytest.mark.parametrize("call", METHODS, ids=range(len(METHODS)))
def test_a_write_does_what_the_driver_does(sides: Sides, call: Any) -> None:
    ours, servers = sides.outcomes(MANY, call)
    assert ours == servers


COMMANDS: list[dict[str, Any]] = [
    {"insert": "things", "documents": []},
    {"insert": "things"},
    {"insert": "things", "documents": [{"$a": 1, "_id": 9}]},
    {"delete": "things", "deletes": [{"q": {"a": 1}, "limit": 5}]},
    {"delete": "things", "deletes": [{"q": {"a": 1}}]},
    {"update": "things", "updates": [{"q": {}, "u": 5}]},
    {"findAndModify": "things", "query": {"a": 77}, "update": {"$set": {"b": 6}}},
    {"findAndModify": "things", "query": {"_id": 77}, "update": {"$set": {"b": 6}}, "upsert": True},
    {"findAndModify": "things", "query": {"_id": 77}, "update": {"a": 6}, "upsert": True, "new": True},
    {"findAndModify": "things", "query": {"a": 1}, "remove": True},
    {"findAndModify": "things", "query": {"a": 77}, "remove": True},
    {"findAndModify": "things", "remove": True, "update": {}},
    {"findAndModify": "things", "remove": True, "new": True},
    {"findAndModify": "things"},
    {"findAndModify": "things", "sort": {"_id": -1}, "remove": True},
    {"findAndModify": "things", "update": {"$inc": {"_id": "x"}}},
    {"create": "things"},
    {"create": "a$b"},
    {"create": ""},
    {"create": "system.x"},
    {"listCollections": 1, "nameOnly": True, "filter": {"name": "things"}},
    {"createIndexes": "things", "indexes": []},
    {"createIndexes": "things", "indexes": [{"key": {"a": 1}}]},
    {"createIndexes": "things", "indexes": [{"key": {"a": "x"}, "name": "q"}]},
    {"createIndexes": "things", "indexes": [{"key": {}, "name": "q"}]},
    {"createIndexes": "things", "indexes": [{"key": {"a": 1}, "name": "q", "foo": 1}]},
    {"createIndexes": "things", "indexes": [{"key": {"a": 1}, "name": "a_1"}]},
    {"listIndexes": "things"},
    {"listIndexes": "absent"},
    {"dropIndexes": "things", "index": "nope"},
    {"dropIndexes": "things", "index": "_id_"},
    {"dropIndexes": "things", "index": "*"},
    {"dropIndexes": "absent", "index": "*"},
    {"dropIndexes": "things", "index": {"a": 1}},
]


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_command_gets_the_reply_that_the_server_gives(sides: Sides, command: Any) -> None:
    ours, servers = sides.outcomes(MANY, lambda c: c.database.command(command))
    assert ours == servers


UNIQUE: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
    ({"key": {"k": 1}, "name": "k"}, [{"k": 1}, {"k": 1.0}]),
    ({"key": {"k": 1}, "name": "k"}, [{"k": "x"}, {"k": "x"}]),
    ({"key": {"k": 1}, "name": "k"}, [{}, {"k": None}]),
    ({"key": {"k": 1}, "name": "k"}, [{"k": [1, 2]}, {"k": 2}]),
    ({"key": {"k": 1}, "name": "k"}, [{"k": [1, 1]}, {"k": 3}]),
    ({"key": {"k": 1}, "name": "k"}, [{"k": {"x": 1}}, {"k": {"x": 1}}]),
    ({"key": {"k": 1}, "name": "k", "sparse": True}, [{}, {}, {"k": 1}, {"k": 1}]),
    (
        {"key": {"a.b": 1, "c": -1}, "name": "ab"},
        [{"a": [{"b": 1}, {"b": 2}], "c": 5}, {"a": {"b": 2}, "c": 5}],
    ),
    ({"key": {"a": 1, "b": 1}, "name": "ab"}, [{"a": [1, 2], "b": [1]}]),
    (
        {"key": {"k": 1}, "name": "k", "partialFilterExpression": {"t": {"$gt": 0}}},
        [{"k": 1}, {"k": 1}, {"k": 1, "t": 1}, {"k": 1, "t": 1}],
    ),
]


@pytest.mark.parametrize(("index", "documents"), UNIQUE, ids=str)
def test_a_unique_index_refuses_what_the_server_refuses(sides: Sides, index: Any, documents: Any) -> None:
    specification = {**index, "unique": True}

    def write(collection: Any) -> Any:
        command = {"createIndexes": collection.name, "indexes": [specification]}
        collection.database.command(command)
        numbered = [{"_id": position, **document} for position, document in enumerate(documents)]
        return collection.database.command({"insert": collection.name, "documents": numbered})

    ours, servers = sides.outcomes([], write)
    assert ours == servers


def test_a_unique_index_is_not_made_over_documents_that_break_it(sides: Sides) -> None:
    ours, servers = sides.outcomes(
        MANY,
        lambda c: str(_code(lambda: c.create_index("a", unique=True))) + str(sorted(c.index_information())),
    )
    assert ours == servers


def _code(call: Any) -> Any:
    try:
        call()
    except Exception as error:
        return type(error).__name__, getattr(error, "code", None)
    return None


def test_a_replaced_document_gives_its_unique_key_back(sides: Sides) -> None:
    def change(collection: Any) -> Any:
        collection.create_indexes([IndexModel([("k", 1)], unique=True)])
        collection.insert_many([{"_id": 1, "k": 1}, {"_id": 2, "k": 2}])
        refused = _code(lambda: collection.update_one({"_id": 1}, {"$set": {"k": 2}}))
        collection.update_one({"_id": 2}, {"$set": {"k": 3}})
        collection.update_one({"_id": 1}, {"$set": {"k": 2}})
        return str(refused)

    ours, servers = sides.outcomes([], change)
    assert ours == servers


def test_index_information_has_the_drivers_shape(sides: Sides) -> None:
    def information(collection: Any) -> Any:
        collection.create_index([("a", 1), ("b", -1)], unique=True, sparse=True)
        found = str(collection.index_information())
        collection.drop_index([("a", 1), ("b", -1)])
        return found + str(list(collection.index_information()))

    ours, servers = sides.outcomes([], information)
    assert ours == servers
