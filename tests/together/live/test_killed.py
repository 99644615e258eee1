"""kill -9 in the middle of loading and of applying; then run again: nothing is lost, nothing is double."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pymongo
import pytest

from atlas_rag import LocalClient
from tests.support.places import ROOT

NOTES = [{"_id": f"n{i}", "text": f"note number {i}", "kind": i % 3} for i in range(23)]
FIELD = {"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}
OLD = [
    {"name": "updated", "type": "vectorSearch", "definition": {"fields": [FIELD]}},
    {"name": "retyped", "type": "search", "definition": {"mappings": {"dynamic": True}}},
    {"name": "dropped", "type": "search", "definition": {"mappings": {"dynamic": True}}},
]
NEW = [
    {"name": "created", "type": "search", "definition": {"mappings": {"dynamic": True}}},
    {
        "name": "updated",
        "type": "vectorSearch",
        "definition": {"fields": [FIELD, {"type": "filter", "path": "t"}]},
    },
    {"name": "retyped", "type": "vectorSearch", "definition": {"fields": [FIELD]}},
]


def child(task: str, place: str, file: Path, number: int, moment: str = "before") -> Any:
    """Runs the process; None if it was killed, else what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.killed", task, place, str(file), str(number), moment],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        check=False,
    )
    if done.returncode == -signal.SIGKILL:
        return None
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_loaded(report: Any, stored: list[Any]) -> None:
    assert sorted(one["_id"] for one in stored) == sorted(one["_id"] for one in NOTES)
    assert all(len(one["embedding"].as_vector().data) == 8 for one in stored)
    assert report["failures"] == []
    assert report["read"] == 23
    assert report["written"] + report["unchanged"] + report["resumed"] == 23


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    file = tmp_path / "notes.jsonl"
    file.write_text("\n".join(map(json.dumps, NOTES)))
    return file


@pytest.mark.parametrize(("number", "moment"), [(2, "after"), (3, "before")])
def test_loading_into_the_in_process_engine(notes: Path, tmp_path: Path, number: int, moment: str) -> None:
    folder = str(tmp_path / "data")
    assert child("load", folder, notes, number, moment) is None
    report = child("load", folder, notes, 0)
    with LocalClient(folder) as client:
        check_loaded(report, list(client["app"]["docs"].find({})))
    assert report["written"] < 23
    assert child("load", folder, notes, 0)["resumed"] == 23


@pytest.mark.mongod
@pytest.mark.parametrize(("number", "moment"), [(3, "before")])
def test_loading_into_a_real_server(
    mongod_uri: str, mongod_client: pymongo.MongoClient[Any], notes: Path, number: int, moment: str
) -> None:
    collection = mongod_client["app"]["docs"]
    collection.drop()
    assert child("load", mongod_uri, notes, number, moment) is None
    report = child("load", mongod_uri, notes, 0)
    check_loaded(report, list(collection.find({})))
    assert report["written"] < 23
    assert child("load", mongod_uri, notes, 0)["resumed"] == 23
    collection.drop()


@pytest.mark.parametrize(("number", "moment"), [(1, "after"), (3, "after"), (4, "before")])
def test_applying(tmp_path: Path, number: int, moment: str) -> None:
    """Create, update, drop and create of a replacement, drop: killed at each of them."""
    folder = str(tmp_path / "data")
    with LocalClient(folder) as client:
        client["app"]["docs"].insert_one({"_id": 1, "v": [1.0, 0.0]})
        client["app"]["docs"].create_search_indexes(OLD)
    file = tmp_path / "wanted.json"
    file.write_text(json.dumps(NEW))
    assert child("apply", folder, file, number, moment) is None
    assert child("apply", folder, file, 0)["error"] is None
    with LocalClient(folder) as client:
        there = list(client["app"]["docs"].list_search_indexes())
    found = [{"name": o["name"], "type": o["type"], "definition": o["latestDefinition"]} for o in there]
    assert sorted(found, key=lambda one: one["name"]) == sorted(NEW, key=lambda one: one["name"])
    assert all(one["queryable"] for one in there)
