"""The log of commands: what it tells, and what it never does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from atlas_rag.inprocess.server import Options, serve

SECRET = "a value of the user's"


@pytest.fixture
def lines(tmp_path: Path) -> list[dict[str, Any]]:
    """The lines that some commands left, good and bad ones."""
    file = tmp_path / "commands.log"
    with serve(options=Options(log=file)) as uri, MongoClient(uri) as client:
        things = client["shop"]["things"]
        things.insert_one({"_id": SECRET})
        assert things.find_one({"_id": SECRET})
        for call in (
            lambda: things.insert_one({"_id": SECRET}),
            lambda: things.find_one({"$where": SECRET}),
            lambda: things.find_one({"a": {"$nope": SECRET}}),
            lambda: client["shop"].command("nosuch", SECRET),
        ):
            with pytest.raises(PyMongoError):
                call()
        client["shop"].command("profile", 0, slowms=0)
        things.find_one()
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_what_went_wrong_is_told_with_its_code(lines: list[dict[str, Any]]) -> None:
    told = [(line["kind"], line["command"], line["code"]) for line in lines if "code" in line]
    assert told == [
        ("failed", "insert", 11000),
        ("refused", "find", 115),
        ("failed", "find", 2),
        ("refused", "nosuch", 59),
    ]


def test_what_was_slow_is_told_from_the_time_that_was_set(lines: list[dict[str, Any]]) -> None:
    slow = [line for line in lines if line["kind"] == "slow" and line["command"] == "find"]
    assert [line["namespace"] for line in slow] == ["shop.things"]
    assert slow[0]["milliseconds"] > 0
    assert {"find", "filter", "limit"} <= set(slow[0]["fields"])


def test_no_value_is_told(lines: list[dict[str, Any]]) -> None:
    assert SECRET not in json.dumps(lines)
