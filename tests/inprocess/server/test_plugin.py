"""The pytest plugin, used as an application's tests use it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.errors import AutoReconnect, OperationFailure

from atlas_rag.testing import load_indexes, read_models

MODEL = {"name": "text", "type": "search", "definition": {"mappings": {"dynamic": True}}}


def test_a_collection_is_fresh_and_takes_indexes_from_files(atlas_collection: Any, tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text(json.dumps(MODEL))
    atlas_collection.insert_one({"_id": 1, "title": "red"})
    assert load_indexes(atlas_collection, tmp_path) == ["text"]
    search = {"$search": {"index": "text", "text": {"path": "title", "query": "red"}}}
    assert [hit["_id"] for hit in atlas_collection.aggregate([search])] == [1]


@pytest.mark.parametrize("content", [{"name": "x"}, [{"definition": {}, "extra": 1}], 5], ids=str)
def test_a_file_without_a_model_is_refused(tmp_path: Path, content: Any) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=r"bad\.json"):
        list(read_models(path))


@pytest.mark.atlas_rag(server_version="8.0")
def test_the_marker_chooses_the_release(atlas_client: Any, atlas_uri: str) -> None:
    assert atlas_client.server_info()["version"] == "8.0.0"
    with MongoClient(atlas_uri) as client:
        assert client.server_info()["version"] == "8.0.0"


@pytest.mark.atlas_rag(index_delay=math.inf)
def test_readiness_can_be_held_back(atlas_server: Any) -> None:
    with MongoClient(atlas_server.uri) as client:
        things = client["shop"]["things"]
        things.insert_one({"title": "red"})
        things.create_search_index(MODEL)
        assert not things.list_search_indexes().next()["queryable"]
        atlas_server.deployment.finish_index_builds()
        assert things.list_search_indexes().next()["queryable"]


@pytest.mark.atlas_rag(simulate_loss=True)
def test_loss_can_be_simulated(atlas_client: Any, atlas_server: Any) -> None:
    assert atlas_client.deployment.simulate_loss
    assert atlas_server.deployment.simulate_loss


def test_faults_strike_in_process(atlas_collection: Any, atlas_faults: Any) -> None:
    atlas_faults.fail("aggregate", code=31082)
    with pytest.raises(OperationFailure) as caught:
        atlas_collection.aggregate([])
    assert caught.value.code == 31082
    assert list(atlas_collection.aggregate([])) == []
    atlas_faults.drop("find")
    with pytest.raises(AutoReconnect):
        list(atlas_collection.find())


def test_faults_strike_over_the_wire(atlas_uri: str, atlas_faults: Any) -> None:
    with MongoClient(atlas_uri, retryReads=False) as client:
        things = client["shop"]["things"]
        atlas_faults.fail("find", code=8000, labels=("RetryableError",))
        with pytest.raises(OperationFailure) as caught:
            things.find_one()
        assert caught.value.has_error_label("RetryableError")
        atlas_faults.drop("find")
        with pytest.raises(AutoReconnect):
            things.find_one()
        assert things.find_one() is None


async def test_the_asynchronous_client_shares_the_deployment(
    async_atlas_client: Any, atlas_collection: Any
) -> None:
    atlas_collection.insert_one({"_id": 1})
    assert await async_atlas_client["test"]["test"].count_documents({}) == 1


def test_spared_commands_come_before_the_struck_ones(atlas_client: Any, atlas_collection: Any) -> None:
    order = {"configureFailPoint": "failCommand", "mode": {"skip": 2}}
    atlas_client.admin.command(order | {"data": {"failCommands": ["count"], "errorCode": 5}})
    assert [atlas_collection.count_documents({}) for _ in range(2)] == [0, 0]
    for _ in range(2):
        with pytest.raises(OperationFailure):
            atlas_collection.count_documents({})


def test_an_index_can_be_made_to_fail(atlas_collection: Any, atlas_faults: Any) -> None:
    atlas_collection.create_search_index(MODEL)
    atlas_faults.fail_index(atlas_collection, "text")
    (index,) = atlas_collection.list_search_indexes()
    assert (index["status"], index["queryable"]) == ("FAILED", False)


def test_a_lost_write_is_sent_again_and_done_once(atlas_uri: str, atlas_faults: Any) -> None:
    with MongoClient(atlas_uri) as client:
        things = client["shop"]["things"]
        atlas_faults.drop("insert")
        things.insert_one({"_id": 1})
        assert things.count_documents({}) == 1


def test_a_delay_is_a_delay(atlas_uri: str, atlas_faults: Any) -> None:
    waited: list[float] = []
    with MongoClient(atlas_uri) as client:
        client["a"]["b"].find_one()
        atlas_faults._deployment.faults.sleep = waited.append
        atlas_faults.delay("find", seconds=0.25)
        client["a"]["b"].find_one()
    assert waited == [0.25]


def test_the_marker_refuses_what_it_does_not_know(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.atlas_rag(release="8.0")
        def test_it(atlas_client):
            pass
        """
    )
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function")
    result = pytester.runpytest_inprocess("-p", "atlas_rag.testing.plugin", "-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
