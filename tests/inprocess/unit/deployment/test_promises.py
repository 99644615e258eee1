"""What a client asks to be promised: the Stable API, the order of the store, indexes as they were given."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.client import LocalClient

STRICT = {"apiVersion": "1", "apiStrict": True}


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"aggregate": "c", "pipeline": [{"$search": {"text": {}}}], "cursor": {}, **STRICT}, 323),
        ({"aggregate": "c", "pipeline": [{"$facet": {"a": [{"$indexStats": {}}]}}], **STRICT}, 323),
        ({"createSearchIndexes": "c", "indexes": [], **STRICT}, 323),
        ({"ping": 1, "apiVersion": "2"}, 322),
        ({"ping": 1, "apiStrict": True}, 9),
        ({"find": "c", **STRICT}, None),
        ({"aggregate": "c", "pipeline": [{"$match": {}}], "cursor": {}, **STRICT}, None),
    ],
)
def test_what_is_outside_the_asked_version_is_refused(command: dict[str, Any], code: int | None) -> None:
    with LocalClient() as client:
        assert client.deployment.run_command("db", command).get("code") == code


def test_the_natural_order_can_be_turned_around() -> None:
    with LocalClient() as client:
        things = client["db"]["c"]
        things.insert_many([{"_id": at} for at in (2, 0, 1)])
        for cursor in (things.find().sort("$natural", -1), things.find().hint([("$natural", -1)])):
            assert [found["_id"] for found in cursor] == [1, 0, 2]
        assert [found["_id"] for found in things.find().sort("$natural", 1)] == [2, 0, 1]
        compound = {"find": "c", "sort": {"$natural": -1, "a": 1}}
        assert client.deployment.run_command("db", compound)["code"] == 2


def test_index_options_are_kept_or_refused_as_on_a_server() -> None:
    with LocalClient() as client:
        things = client["db"]["c"]
        things.create_index("q", background=True)
        assert things.index_information()["q_1"]["background"] is True
        for option in ("unique", "sparse", "background"):
            index = {"key": {"_id": 1}, "name": "_id_", option: True}
            command = {"createIndexes": "c", "indexes": [index]}
            assert client.deployment.run_command("db", command)["code"] == 197
