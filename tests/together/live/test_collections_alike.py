"""Views, validators, capped collections and `collMod`, in process and on a real server."""

from __future__ import annotations

from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.errors import OperationFailure

from atlas_rag import LocalClient
from tests.support.mql.parity import typed

pytestmark = pytest.mark.mongod

NOT_COMPARED = ("operationTime", "$clusterTime", "electionId", "opTime", "codeName")
SET_UP: list[dict[str, Any]] = [
    {"insert": "c", "documents": [{"_id": n, "a": n} for n in range(5)]},
    {"create": "v", "viewOn": "c", "pipeline": [{"$match": {"a": {"$gt": 1}}}]},
    {"create": "vv", "viewOn": "v", "pipeline": [{"$project": {"a": 1}}]},
    {"create": "none", "viewOn": "nope", "pipeline": []},
    {"create": "val", "validator": {"a": {"$gt": 1}}, "validationLevel": "moderate"},
    {"insert": "val", "documents": [{"_id": 1, "a": 0}], "bypassDocumentValidation": True},
    {"insert": "val", "documents": [{"_id": 2, "a": 2}]},
    {
        "create": "js",
        "validator": {"$jsonSchema": {"required": ["x"], "properties": {"n": {"bsonType": "int"}}}},
    },
    {"create": "cap", "capped": True, "size": 100, "max": 3},
    {"createIndexes": "c", "indexes": [{"key": {"t": 1}, "name": "t", "expireAfterSeconds": 5}]},
    {"createIndexes": "c", "indexes": [{"key": {"h": 1}, "name": "h"}]},
]


def aggregate(collection: Any, *stages: dict[str, Any], **options: Any) -> dict[str, Any]:
    return {"aggregate": collection, "pipeline": list(stages), "cursor": {}, **options}


def update(collection: str, query: dict[str, Any], change: Any, **options: Any) -> dict[str, Any]:
    return {"update": collection, "updates": [{"q": query, "u": change, **options}]}


MADE = {"$documents": [{"_id": 5}]}
VIEWS: list[dict[str, Any]] = [
    {"create": "v", "viewOn": "c", "pipeline": []},
    {"create": "v", "pipeline": []},
    {"create": "w", "viewOn": "c", "pipeline": [{"$out": "q"}]},
    {"create": "w", "viewOn": ""},
    {"create": "w", "viewOn": "c"},
    {"create": "w", "viewOn": "w"},
    {"create": "w", "viewOn": "c", "pipeline": [{"$nope": 1}]},
    {"create": "w", "viewOn": 5},
    {"find": "v"},
    {"find": "vv", "filter": {"a": 2}, "projection": {"_id": 0}},
    {"find": "v", "sort": {"a": -1}, "limit": 1, "skip": 1},
    {"find": "v", "filter": {"_id": 3}},
    {"find": "v", "filter": {"_id": 1}},
    {"find": "none"},
    {"count": "v", "query": {"a": {"$lt": 4}}},
    aggregate("v", {"$match": {"_id": {"$in": [0, 3]}}}),
    aggregate("vv", {"$count": "n"}),
    aggregate("c", {"$lookup": {"from": "v", "localField": "a", "foreignField": "a", "as": "l"}}),
    aggregate("c", {"$unionWith": "vv"}, {"$count": "n"}),
    aggregate("c", {"$out": "v"}),
    aggregate("c", {"$merge": "v"}),
    {"insert": "v", "documents": [{"_id": 1}]},
    update("v", {}, {"$set": {"x": 1}}),
    {"delete": "v", "deletes": [{"q": {}, "limit": 0}]},
    {"findAndModify": "v", "remove": True},
    {"createIndexes": "v", "indexes": [{"key": {"a": 1}, "name": "a"}]},
    {"listIndexes": "v"},
    {"dropIndexes": "v", "index": "*"},
    {"collMod": "v", "viewOn": "c", "pipeline": []},
    {"collMod": "v", "pipeline": [{"$match": {"a": 4}}], "viewOn": "c"},
    {"collMod": "c", "viewOn": "c", "pipeline": []},
    {"drop": "v"},
    {"validate": "v"},
    {"collStats": "v"},
]
VALIDATORS: list[dict[str, Any]] = [
    {"insert": "val", "documents": [{"_id": 3, "a": 0}]},
    {"insert": "val", "documents": [{"_id": 3, "a": 0}, {"_id": 4, "a": 5}], "ordered": False},
    {"insert": "val", "documents": [{"_id": 3, "a": 0}], "bypassDocumentValidation": True},
    update("val", {"_id": 1}, {"$set": {"b": 1}}),
    update("val", {"_id": 2}, {"$set": {"a": 0}}),
    update("val", {"_id": 9}, {"$set": {"a": 0}}, upsert=True),
    {**update("val", {"_id": 2}, {"$set": {"a": 0}}), "bypassDocumentValidation": True},
    {"findAndModify": "val", "query": {"_id": 2}, "update": {"$set": {"a": 0}}},
    {"create": "w", "validator": {"$nope": 1}},
    {"create": "w", "validator": 5},
    {"create": "w", "validationLevel": "x"},
    {"create": "w", "validationAction": "x"},
    {"insert": "js", "documents": [{"_id": 1}]},
    {"insert": "js", "documents": [{"_id": 1, "x": 1}]},
    aggregate(1, MADE, {"$merge": "js"}),
    aggregate(1, MADE, {"$merge": "js"}, bypassDocumentValidation=True),
    aggregate(1, MADE, {"$out": "js"}),
    {"collMod": "val", "validator": {}, "validationLevel": "strict"},
    {"collMod": "val", "validationAction": "warn"},
    {"collMod": "val", "validationLevel": "off"},
    {"collMod": "nope"},
    {"collMod": "val", "nope": 1},
]
INDEXES: list[dict[str, Any]] = [
    {"collMod": "c", "index": given}
    for given in (
        {"name": "t", "expireAfterSeconds": 10},
        {"keyPattern": {"t": 1}, "expireAfterSeconds": 10},
        {"name": "h", "hidden": True},
        {"name": "h", "hidden": False},
        {"name": "h", "expireAfterSeconds": 7},
        {"name": "nope", "expireAfterSeconds": 7},
        {"name": "h"},
        {"name": "_id_", "hidden": True},
        {"expireAfterSeconds": 7},
    )
]
CAPPED: list[dict[str, Any]] = [
    {"create": "w", "capped": True},
    {"create": "w", "size": 100},
    {"create": "w", "max": 5},
    {"create": "w", "capped": False, "size": 5000},
    {"create": "w", "capped": True, "size": -1},
    {"create": "w", "capped": True, "size": 5000},
    {"create": "cap", "capped": True, "size": 5000},
    {"insert": "cap", "documents": [{"_id": n} for n in range(6)]},
    {"insert": "cap", "documents": [{"_id": n, "t": "x" * 1000} for n in range(6)]},
    {"collMod": "cap", "cappedSize": 9000, "cappedMax": 5},
]


@pytest.mark.parametrize("command", [*VIEWS, *VALIDATORS, *INDEXES, *CAPPED], ids=str)
def test_a_command_is_answered_as_by_the_server(
    mongod_client: MongoClient[Any], command: dict[str, Any]
) -> None:
    with LocalClient(server_version="7.0") as local:
        assert outcome(local, command) == outcome(mongod_client, command)


def outcome(client: Any, command: dict[str, Any]) -> Any:
    client.drop_database("alike")
    database = client["alike"]
    for made in SET_UP:
        database.command(made)
    try:
        reply = dict(database.command(command)) | {"ok": 1.0}  # an int where a view is counted
        answered = typed({name: value for name, value in reply.items() if name not in NOT_COMPARED})
    except OperationFailure as error:
        details = error.details or {}
        answered = error.code, str(details.get("errmsg")), details.get("errInfo")
    return answered, [contents(database, name) for name in ("c", "v", "val", "js", "cap", "w")]


def contents(database: Any, name: str) -> Any:
    documents = sorted((typed(document) for document in database[name].find()), key=str)
    entries = database.list_collections(filter={"name": name})
    listed = [(entry["type"], entry["options"]) for entry in entries if entry["name"] != "system.views"]
    is_view = any(kind == "view" for kind, _ in listed)
    return documents, listed, [] if is_view else [dict(index) for index in database[name].list_indexes()]
