"""Commands end when they must, wherever they are, and none holds up another client's."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from typing import Any

import bson
import pytest
from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from atlas_rag.inprocess.deployment import Deployment
from atlas_rag.inprocess.interruption import Operation
from atlas_rag.inprocess.server import Options, RunningServer

MANY = {"$range": [0, 30_000]}
ENDLESS: dict[str, list[dict[str, Any]]] = {
    # Each would take longer than any test: thousands of thousands of steps for every document.
    "map": [{"$project": {"r": {"$map": {"input": MANY, "in": {"$map": {"input": MANY, "in": "$$this"}}}}}}],
    "reduce": [
        {
            "$project": {
                "r": {"$reduce": {"input": MANY, "initialValue": 0, "in": {"$sum": {"$setUnion": [MANY]}}}}
            }
        }
    ],
    "filter": [{"$match": {"$expr": {"$filter": {"input": MANY, "cond": {"$in": ["$$this", [MANY]]}}}}}] * 50,
    "lookup": [
        {"$lookup": {"from": "c", "pipeline": [{"$lookup": {"from": "c", "pipeline": [], "as": "b"}}],
                     "as": "a"}},
    ],
    "unwind": [*[{"$set": {"l": MANY}}, {"$unwind": "$l"}] * 2, {"$count": "n"}],
    "sort": [{"$set": {"l": MANY}}, {"$unwind": "$l"}, {"$sort": {"l": -1}}, {"$count": "n"}],
    "windows": [
        {
            "$setWindowFields": {
                "sortBy": {"_id": 1},
                "output": {"m": {"$push": "$_id", "window": {"documents": [-900, 900]}}},
            }
        },
        {"$set": {"l": MANY}},
        {"$unwind": "$l"},
        {"$group": {"_id": {"a": "$l", "b": "$_id"}}},
        {"$count": "n"},
    ],
    "regex": [{"$set": {"l": MANY}}, {"$unwind": "$l"}, {"$match": {"s": {"$regex": "^(\\w+)+$"}}}],
}  # fmt: skip


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Deployment, MongoClient[Any]]]:
    deployment = Deployment("8.2")
    server = RunningServer(deployment, Options()).start()
    with MongoClient(server.uri) as client:
        text = "a" * 40 + "!"
        client["db"]["c"].insert_many([{"_id": at, "s": text} for at in range(2000)])
        yield deployment, client
    server.stop()


class Background:
    """An endless aggregation in a thread of its own, with a client of its own."""

    def __init__(self, uri: str, name: str) -> None:
        self.failure: PyMongoError | None = None
        self._client = MongoClient(uri, retryReads=False)
        self._thread = threading.Thread(target=self._run, args=(ENDLESS[name],))
        self._thread.start()

    def _run(self, pipeline: list[dict[str, Any]]) -> None:
        with self._client:
            try:
                list(self._client["db"]["c"].aggregate(pipeline))
            except PyMongoError as failure:
                self.failure = failure

    def join(self) -> None:
        self._thread.join()


def at_work(deployment: Deployment) -> tuple[int, Operation]:
    """Returns the aggregation under way, once there is one."""
    while True:
        for number, operation in deployment.operations.under_way():
            if operation.name == "aggregate":
                return number, operation


def address(client: MongoClient[Any]) -> str:
    host, port = client.address or ("", 0)
    return f"mongodb://{host}:{port}/?directConnection=true"


@pytest.mark.parametrize("name", ENDLESS)
def test_a_time_limit_ends_every_evaluation(served: Any, name: str) -> None:
    _, client = served
    with pytest.raises(OperationFailure) as failure:
        list(client["db"]["c"].aggregate(ENDLESS[name], maxTimeMS=50))
    assert failure.value.code == 50


def test_a_time_limit_ends_a_write_as_a_whole(served: Any) -> None:
    _, client = served
    update = {
        "update": "c",
        "updates": [{"q": {}, "u": [{"$set": {"r": ENDLESS["map"][0]["$project"]["r"]}}], "multi": True}],
    }
    with pytest.raises(OperationFailure) as failure:
        client["db"].command({**update, "maxTimeMS": 50})
    assert failure.value.code == 50


def test_a_short_command_is_answered_while_a_long_one_is_at_work(served: Any) -> None:
    deployment, client = served
    long = Background(address(client), "map")
    number, _ = at_work(deployment)
    assert client["db"]["c"].find_one({"_id": 77})["_id"] == 77
    client["db"]["d"].insert_one({"_id": 1})
    assert number in dict(deployment.operations.under_way())
    deployment.operations.kill(number)
    long.join()


def test_kill_op_ends_the_operation_that_current_op_names(served: Any) -> None:
    deployment, client = served
    long = Background(address(client), "lookup")
    at_work(deployment)
    (entry,) = client.admin.command({"currentOp": 1, "ns": "db.c"})["inprog"]
    assert client.admin.command("killOp", op=entry["opid"])["ok"] == 1
    long.join()
    assert isinstance(long.failure, OperationFailure)
    assert long.failure.code == 11601


def test_the_command_of_a_client_that_left_ends(served: Any) -> None:
    deployment, client = served
    command = {"aggregate": "c", "pipeline": ENDLESS["map"], "cursor": {}, "$db": "db"}
    body = b"\0\0\0\0\0" + bson.encode(command)
    with socket.create_connection(client.address) as connection:
        connection.sendall(struct.pack("<iiii", 16 + len(body), 1, 0, 2013) + body)
        operation = at_work(deployment)[1]
    while operation in dict(deployment.operations.under_way()).values():
        pass
    assert operation.is_interrupted


def test_a_server_that_ends_waits_for_no_command() -> None:
    deployment = Deployment("8.2")
    server = RunningServer(deployment, Options()).start()
    with MongoClient(server.uri) as client:
        client["db"]["c"].insert_many([{"_id": at} for at in range(1000)])
    long = Background(server.uri, "map")
    at_work(deployment)
    server.stop()
    long.join()
    assert long.failure is not None
