"""`explain`: the stages and indexes of a plan, and its figures, in process and on a real server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pymongo import MongoClient

from atlas_rag import LocalClient

pytestmark = pytest.mark.mongod

INDEXES: list[tuple[Any, dict[str, Any]]] = [
    ([("a", 1)], {}),
    ([("b", 1), ("a", -1)], {}),
    ([("u", 1)], {"unique": True, "sparse": True}),
    ([("h", 1)], {"hidden": True}),
    ([("p", 1)], {"partialFilterExpression": {"a": {"$gt": 5}}}),
    ([("o.k", -1)], {}),
]


def find(query: dict[str, Any], **options: Any) -> dict[str, Any]:
    return {"find": "c", "filter": query, **options}


COMMANDS: list[dict[str, Any]] = [
    find({}),
    find({"t": "x"}),
    find({"a": 3}),
    find({"_id": 3}),
    find({"_id": {"$gt": 3}}),
    find({"b": 1, "a": 2}),
    find({"a": {"$gt": 3, "$lte": 5}, "t": "x"}),
    find({"$and": [{"a": 2}, {"t": "x"}]}),
    find({"h": 1}),
    find({"p": 1}),
    find({"u": 5}),
    find({"o.k": 4}),
    find({"a": {"$in": [1, 2]}}),
    find({}, sort={"a": 1}),
    find({}, sort={"a": -1}),
    find({"t": "x"}, sort={"t": 1}),
    find({"b": 1}, sort={"a": 1}),
    find({"b": 1}, sort={"a": -1}),
    find({}, sort={"u": 1}),
    find({"a": 3}, hint="b_1_a_-1"),
    find({"a": 3}, hint={"$natural": 1}),
    {"find": "nope", "filter": {"a": 3}},
    {"delete": "c", "deletes": [{"q": {"a": 3}, "limit": 0}]},
    {"update": "c", "updates": [{"q": {"a": 3}, "u": {"$set": {"z": 1}}, "multi": True}]},
    {"findAndModify": "c", "query": {"t": "x"}, "remove": True},
    {"aggregate": "c", "pipeline": [{"$match": {"a": 3}}], "cursor": {}},
]


@pytest.fixture(scope="module")
def databases(mongod_client: MongoClient[Any]) -> Iterator[tuple[Any, Any]]:
    mongod_client.drop_database("alike")
    with LocalClient() as client:
        pair = client["alike"], mongod_client["alike"]
        for database in pair:
            database["c"].insert_many(
                [{"_id": n, "a": n % 10, "b": n % 3, "t": "x", "u": n, "o": {"k": n}} for n in range(100)]
            )
            for keys, options in INDEXES:
                database["c"].create_index(keys, **options)
        yield pair


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_plan_names_the_index_of_the_server(databases: tuple[Any, Any], command: dict[str, Any]) -> None:
    ours, theirs = (
        stages(database.command("explain", command, verbosity="queryPlanner")["queryPlanner"]["winningPlan"])
        for database in databases
    )
    assert ours == theirs


@pytest.mark.parametrize("command", [command for command in COMMANDS if "find" in command], ids=str)
def test_figures_are_those_of_the_server(databases: tuple[Any, Any], command: dict[str, Any]) -> None:
    ours, theirs = (
        figures(database.command("explain", command, verbosity="executionStats")["executionStats"])
        for database in databases
    )
    assert ours == theirs


def stages(plan: dict[str, Any]) -> list[Any]:
    shown = plan["stage"], plan.get("indexName"), plan.get("direction")
    return [shown, *(stages(plan["inputStage"]) if "inputStage" in plan else [])]


def figures(stats: dict[str, Any]) -> list[int]:
    """What was returned and read; of the keys a server reads one more where it jumps."""
    return [stats[name] for name in ("nReturned", "totalDocsExamined")]


def test_a_write_is_explained_and_not_done(databases: tuple[Any, Any]) -> None:
    ours, _ = databases
    command = {"delete": "c", "deletes": [{"q": {"a": 3}, "limit": 0}]}
    stats = ours.command("explain", command)["executionStats"]
    assert stats["executionStages"]["nWouldDelete"] == 10
    assert ours["c"].count_documents({"a": 3}) == 10
    assert ours["c"].find({"a": 3}).explain()["executionStats"]["nReturned"] == 10
