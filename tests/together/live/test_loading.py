"""Loading into a real server, through each driver."""

from __future__ import annotations

from typing import Any

import pymongo
import pytest

from atlas_rag import HashingEmbedder
from atlas_rag.loading import Limits, load, read_items
from tests.together.wire.faces import KINDS
from tests.together.wire.index_life import NAMESPACE, pump

pytestmark = pytest.mark.mongod
NOTES = [{"_id": i, "text": f"note number {i}", "body": "b" * 300_000} for i in range(30)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_driver_loads_alike(
    mongod_uri: str, mongod_client: pymongo.MongoClient[Any], kind: str
) -> None:
    collection = mongod_client["app"]["docs"]
    collection.drop()
    limits = Limits(embed_items=7, write_bytes=2_000_000)

    def run(dimensions: int) -> Any:
        protocol = load(NAMESPACE, read_items(NOTES), HashingEmbedder(dimensions), limits=limits)
        return pump(kind, mongod_uri, protocol)

    first, second, third = run(8), run(8), run(16)
    assert (first.written, first.unchanged) == (30, 0)
    assert (second.written, second.unchanged, second.embedded) == (0, 30, 0)
    assert (third.written, third.embedded) == (30, 30)
    assert {len(one["embedding"].as_vector().data) for one in collection.find({})} == {16}
    collection.drop()


def test_what_a_real_server_refuses_is_told_apart(
    mongod_uri: str, mongod_client: pymongo.MongoClient[Any]
) -> None:
    collection = mongod_client["app"]["docs"]
    collection.drop()
    collection.create_index("key", unique=True)
    items = read_items([{"_id": i, "text": "t", "key": min(i, 2)} for i in range(5)])
    report = pump("sync", mongod_uri, load(NAMESPACE, items, HashingEmbedder(8)))
    assert report.written == 3
    assert [(one.position, one.problem) for one in report.failures] == [
        (3, "the server refused it (code 11000)"),
        (4, "the server refused it (code 11000)"),
    ]
    collection.drop()
