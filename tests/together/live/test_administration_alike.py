"""Commands about collections, indexes, parameters and figures, answered in process and by a real server."""

from __future__ import annotations

from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.errors import OperationFailure

from atlas_rag import LocalClient

pytestmark = pytest.mark.mongod

NOT_COMPARED = {"operationTime", "$clusterTime", "uuid", "codeName", "signature"}
# What a server stores its documents in; here they are in memory.
SIZES = {"storageSize", "totalIndexSize", "totalSize", "indexSizes", "indexSize", "fsUsedSize", "fsTotalSize"}
DOCUMENTS = [{"_id": n, "a": n % 3, "l": [n, n + 1], "t": "x" * n} for n in range(10)]


def index(**options: Any) -> dict[str, Any]:
    return {"createIndexes": "c", "indexes": [{"key": {"z": 1}, "name": "z", **options}]}


RENAMES: list[tuple[str, dict[str, Any]]] = [
    ("admin", {"renameCollection": "alike.c", "to": "alike.new"}),
    ("admin", {"renameCollection": "alike.c", "to": "alike.d"}),
    ("admin", {"renameCollection": "alike.c", "to": "alike.d", "dropTarget": True}),
    ("admin", {"renameCollection": "alike.nope", "to": "alike.x"}),
    ("admin", {"renameCollection": "alike.c", "to": "alike.c"}),
    ("admin", {"renameCollection": "alike.c", "to": "other.c"}),
    ("alike", {"renameCollection": "alike.c", "to": "alike.x"}),
    ("admin", {"renameCollection": "alike.c"}),
    ("admin", {"renameCollection": "alike", "to": "alike.x"}),
]
COMMANDS: list[tuple[str, dict[str, Any]]] = [
    *RENAMES,
    ("alike", {"dbStats": 1}),
    ("alike", {"dbStats": 1, "scale": 1024}),
    ("alike", {"collStats": "c"}),
    ("alike", {"collStats": "c", "scale": 10}),
    ("alike", {"collStats": "nope"}),
    ("alike", {"validate": "c"}),
    ("alike", {"validate": "nope"}),
    ("admin", {"getParameter": 1, "ttlMonitorSleepSecs": 1}),
    ("admin", {"setParameter": 1, "ttlMonitorSleepSecs": 60}),
    ("alike", {"setParameter": 1, "ttlMonitorSleepSecs": 60}),
    ("alike", {"profile": -1}),
    ("admin", {"getLog": "*"}),
    ("alike", {"listCollections": 1, "nameOnly": True}),
    *(("alike", index(expireAfterSeconds=value)) for value in (5, 1.5, -1, "x", None, 2**40, 0)),
    ("alike", index(key={"a": 1, "b": 1}, expireAfterSeconds=5)),
    ("alike", index(key={"_id": 1}, name="_id_", expireAfterSeconds=5)),
    ("alike", {**index(nope=1), "ignoreUnknownIndexOptions": True}),
    ("alike", index(nope=1)),
    *(
        ("alike", {"aggregate": "c", "pipeline": [stage], "cursor": {}})
        for stage in (
            {"$collStats": {"count": {}}},
            {"$collStats": {"storageStats": {"scale": 4}}},
            {"$collStats": {"nope": {}}},
            {"$collStats": 5},
            {"$indexStats": {}},
            {"$indexStats": {"x": 1}},
        )
    ),
]


@pytest.mark.parametrize(("database", "command"), COMMANDS, ids=str)
def test_a_command_is_answered_as_by_the_server(
    mongod_client: MongoClient[Any], database: str, command: dict[str, Any]
) -> None:
    with LocalClient() as local:
        assert outcome(local, database, command) == outcome(mongod_client, database, command)


def outcome(client: Any, database: str, command: dict[str, Any]) -> Any:
    client.drop_database("alike")
    client.drop_database("other")
    client["alike"]["c"].insert_many([dict(document) for document in DOCUMENTS])
    client["alike"]["c"].create_index("l")
    client["alike"]["d"].insert_one({"_id": "d"})
    try:
        reply = comparable(client[database].command(command))
    except OperationFailure as error:
        reply = [error.code, str((error.details or {}).get("errmsg")).replace("localhost", "")]
    names = {name: sorted(client[name].list_collection_names()) for name in ("alike", "other")}
    indexes = [dict(index) for index in client["alike"]["c"].list_indexes()]
    return reply, names, indexes


def comparable(value: Any) -> Any:
    if isinstance(value, list):
        return sorted(map(comparable, value), key=str)
    if not isinstance(value, dict):
        return value
    left = {name: inner for name, inner in value.items() if name not in NOT_COMPARED | SIZES}
    for name in ("host", "localTime", "since", "wiredTiger", "indexDetails"):
        left.pop(name, None)
    return {name: comparable(inner) for name, inner in left.items()}
