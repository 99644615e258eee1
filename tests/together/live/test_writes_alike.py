"""Write commands, answered in process and by a real server: the same reply, the same documents afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.errors import OperationFailure

from atlas_rag import LocalClient
from tests.support.mql.parity import typed

pytestmark = pytest.mark.mongod

DOCUMENTS = [{"_id": 1, "a": 1, "l": [1, "x"], "e": [{"k": 1}, {"k": 5}]}, {"_id": 2, "a": "s"}]
NOT_COMPARED = ("operationTime", "$clusterTime", "electionId", "opTime")


def update(query: dict[str, Any], change: Any, **options: Any) -> dict[str, Any]:
    return {"update": "c", "updates": [{"q": query, "u": change, **options}]}


def find_and_modify(query: dict[str, Any], change: Any, **options: Any) -> dict[str, Any]:
    return {"findAndModify": "c", "query": query, "update": change, **options}


def index(**options: Any) -> dict[str, Any]:
    return {"createIndexes": "c", "indexes": [{"key": {"z": 1}, "name": "z", **options}]}


ONE, NEW = {"_id": 1}, {"_id": 9}
CHANGES: list[Any] = [
    {"$inc": {"a": 1}},
    {"$set": {"$x": 1}},
    {"$unset": {"$x": ""}},
    {"$rename": {"a": "$x"}},
    {"$set": {"_id": {"a": {"$b": 1}}}},
    {"$set": {"e.$[x].k": 7}},
    {"$set": {"l.$": 1}},
    {"$pop": {"a": 1}},
    {"a": "s"},
    [5],
    [{}],
    [{"$nope": 1}],
    [{"$match": {}}],
    [{"$set": {"q": {"$divide": ["$a", 0]}}}],
]
COMMANDS: list[dict[str, Any]] = [
    *(update(query, change) for change in CHANGES for query in (ONE, NEW)),
    *(update(NEW, change, upsert=True) for change in CHANGES),
    *(find_and_modify(query, change) for change in CHANGES for query in (ONE, NEW)),
    *(find_and_modify(NEW, change, upsert=True, new=True) for change in CHANGES),
    *(
        build(ONE, {"$set": {"e.$[x].k": 7}}, arrayFilters=filters)
        for build in (update, find_and_modify)
        for filters in ([{"x.k": 1}], [5], 5, [{}], [{"x": {"$nope": 1}}], [{"X": 1}], [{"x": 1}, {"y": 1}])
    ),
    update({}, {"$inc": {"a": 1}}, multi=True),
    update({"$or": [ONE, {"$expr": True}]}, {"$set": {"z": 1}}, upsert=True),
    find_and_modify({"$expr": True}, {"$set": {"z": 1}}, upsert=True),
    find_and_modify({"$and": [{"a": 9}, {"a": 8}]}, {"$set": {"z": 1}}, upsert=True),
    find_and_modify({"$expr": {"$divide": ["$a", 0]}}, {"$set": {"z": 1}}),
    update(ONE, {"$set": {"z": 1}}, c={"v": 1}),
    update(ONE, [{"$set": {"z": "$$v"}}], c={"v": 1}),
    update(ONE, {"$set": {"z": 1}}, multi=1),
    {**update(ONE, {"$set": {"z": 1}}), "ordered": 1},
    {"insert": "c", "documents": [{"_id": {"a": [{"$b": 1}]}}, {"_id": 7}], "ordered": False},
    {"insert": "c", "documents": [{"_id": 1}]},
    *(index(**{name: value}) for name in ("unique", "sparse", "hidden") for value in ("x", None, [], False)),
    *(index(key={name: 1}) for name in ("$a", "a.$b", "a.$id", "$**", "", "a..b", "a.")),
    *(index(key={"a": way}) for way in ("", "x", None, [], {}, True, 0, 1.5, -1)),
    *(index(partialFilterExpression=given) for given in (5, {"a": {"$nope": 1}}, {"a": 1})),
    index(sparse=True, partialFilterExpression={"a": 1}),
    *(index(name=name) for name in ("", "*", 5)),
]


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_write_is_answered_as_by_the_server(
    mongod_client: MongoClient[Any], command: dict[str, Any]
) -> None:
    theirs, ours = (_outcome(client, command) for client in (mongod_client, LocalClient()))
    assert ours == theirs


def _outcome(client: Any, command: dict[str, Any]) -> Any:
    database = client["alike"]
    database["c"].drop()
    database["c"].insert_many([dict(document) for document in DOCUMENTS])
    try:
        reply = dict(database.command(command))
    except OperationFailure as error:
        return error.code, str((error.details or {}).get("errmsg"))
    answered = {name: value for name, value in reply.items() if name not in NOT_COMPARED}
    if "createIndexes" in command:
        answered = {"ok": reply["ok"]}
    return typed(answered), [typed(document) for document in database["c"].find().sort("_id", 1)]
