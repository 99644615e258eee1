"""TTL indexes: what expires, when, and that somebody looks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from atlas_rag.inprocess.client import LocalClient

LONG_AGO = datetime(2020, 1, 1)
PATIENCE_SECONDS = 30


@pytest.fixture
def client() -> Iterator[LocalClient]:
    with LocalClient() as made:
        yield made


def left(collection: Any) -> list[Any]:
    return [document["_id"] for document in collection.find()]


def test_documents_expire_by_their_earliest_date(client: LocalClient) -> None:
    things = client["shop"]["things"]
    things.create_index("at", expireAfterSeconds=3600)
    soon = datetime.now() + timedelta(days=2)
    things.insert_many(
        [
            {"_id": "old", "at": LONG_AGO},
            {"_id": "one of several", "at": [soon, LONG_AGO]},
            {"_id": "later", "at": soon},
            {"_id": "no date", "at": "2020-01-01"},
            {"_id": "none"},
        ]
    )
    assert client.deployment.expiry.look() == 2
    assert left(things) == ["later", "no date", "none"]
    status = client.admin.command("serverStatus")["metrics"]["ttl"]
    assert status == {"deletedDocuments": 2, "passes": 1}


def test_a_partial_index_expires_what_it_holds(client: LocalClient) -> None:
    things = client["shop"]["things"]
    things.create_index("at", expireAfterSeconds=0, partialFilterExpression={"done": True})
    things.insert_many([{"_id": done, "done": done, "at": LONG_AGO} for done in (True, False)])
    client.deployment.expiry.look()
    assert left(things) == [False]


def test_search_forgets_what_expires(client: LocalClient) -> None:
    things = client["shop"]["things"]
    things.insert_one({"_id": 1, "t": "red", "at": LONG_AGO})
    things.create_search_index({"definition": {"mappings": {"dynamic": True}}})
    things.create_index("at", expireAfterSeconds=1)
    client.deployment.expiry.look()
    assert not list(things.aggregate([{"$search": {"text": {"path": "t", "query": "red"}}}]))


def test_a_thread_looks_every_so_many_seconds(tmp_path: Path) -> None:
    with LocalClient(tmp_path) as client:
        client["shop"]["things"].create_index("at", expireAfterSeconds=0)
        client["shop"]["things"].insert_one({"_id": 1, "at": LONG_AGO})
    with LocalClient(tmp_path) as client:  # the index is known again
        client.admin.command("setParameter", 1, ttlMonitorSleepSecs=1)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while left(client["shop"]["things"]) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left(client["shop"]["things"])
    with LocalClient(tmp_path) as client:
        assert not left(client["shop"]["things"])


def test_a_monitor_that_is_off_deletes_nothing_by_itself(client: LocalClient) -> None:
    assert client.admin.command("setParameter", 1, ttlMonitorEnabled=False)["was"] is True
    assert client.admin.command("getParameter", 1, ttlMonitorEnabled=1)["ttlMonitorEnabled"] is False
