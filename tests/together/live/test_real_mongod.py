"""A real server without search: what it answers, what it computes, and what happens when it goes away."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import pymongo
import pytest

import atlas_rag
from atlas_rag import Code, Feature, RetrievalError, ServerError
from atlas_rag.capability import Reason
from atlas_rag.drivers.choose import async_engine_for, engine_for
from atlas_rag.fusion import RankedList, fuse_ranks
from atlas_rag.hits import read_hits
from atlas_rag.hits.score import ScoreKind
from atlas_rag.plan.fusions.rank import combined
from atlas_rag.stages import Limit, Pipeline, SetFields, Sort
from atlas_rag.wire import Command, adrive, drive
from tests.support import mongod
from tests.together.wire.faces import KINDS, use

pytestmark = pytest.mark.mongod

COUNT = {
    "$reduce": {
        "input": {"$range": [0, 200_000]},
        "initialValue": 0,
        "in": {"$add": ["$$value", "$$this"]},
    }
}
SLOW = {"$match": {"$expr": {"$gt": [COUNT, "$_id"]}}}
"""Some 100 ms for each document, in steps that a server can interrupt."""


@pytest.mark.parametrize("kind", KINDS)
def test_no_search_here_is_told_right(mongod_uri: str, kind: str) -> None:
    report = use(kind, mongod_uri, lambda retriever: retriever.capability())
    assert report.release == "6.0.5"
    assert report.deployment == "self_managed"
    assert report.indexes is None
    assert {feature: verdict.reason for feature, verdict in report.features.items()} == {
        Feature.SEARCH: Reason.SEARCH_NOT_ENABLED,
        Feature.VECTOR_SEARCH: Reason.SEARCH_NOT_ENABLED,
        Feature.SEARCH_INDEX_LISTING: Reason.SEARCH_NOT_ENABLED,
        Feature.RANK_FUSION: Reason.SERVER_TOO_OLD,
        Feature.SCORE_FUSION: Reason.SERVER_TOO_OLD,
        Feature.UNION_OF_SEARCHES: Reason.SERVER_TOO_OLD,
        Feature.FUSED_SCORE: Reason.SERVER_TOO_OLD,
        Feature.RERANK: Reason.SERVER_TOO_OLD,
    }


@pytest.mark.parametrize("kind", KINDS)
def test_a_retrieval_is_refused_with_the_reason(mongod_uri: str, kind: str) -> None:
    with pytest.raises(RetrievalError) as caught:
        use(kind, mongod_uri, lambda retriever: retriever.retrieve("x", vector=[1.0]))
    assert caught.value.code is Code.FEATURE_UNAVAILABLE
    assert "search not enabled" in str(caught.value)


@pytest.mark.parametrize("seed", range(6))
def test_emulated_fusion_equals_our_arithmetic_to_the_last_bit(
    mongod_client: pymongo.MongoClient[dict[str, Any]], seed: int
) -> None:
    """Plain ranked pipelines in place of searches: the emulation's own stages, run by a real server."""
    rng = random.Random(seed)
    collection = mongod_client["fusion"][f"docs{seed}"]
    collection.drop()
    names = ("a", "b", "c", "d")[: 2 + seed % 3]
    documents = [{"_id": i, **{name: float(rng.randrange(40)) for name in names}} for i in range(120)]
    rng.shuffle(documents)
    collection.insert_many(documents)
    weights = {name: rng.choice([0.0, 0.3, 1.0, 2.5, 1 / 3]) for name in names}
    weights[names[0]] = 0.7

    def ranked(name: str) -> list[Any]:
        return [
            Sort({name: -1, "_id": 1}),
            Limit(rng_limits[name]),
            SetFields({"score_of_input": f"${name}"}),
        ]

    rng_limits = {name: rng.randrange(20, 90) for name in names}
    stages = combined(
        {name: (ranked(name), "$score_of_input") for name in names}, weights, collection.name, tail=[]
    )
    rows = drive(_rows(collection.name, Pipeline(stages)), engine_for(collection))
    found = read_hits(
        rows, ScoreKind.RANK_FUSION, inputs=dict.fromkeys(names, ScoreKind.TEXT_RELEVANCE), weights=weights
    )
    lists = []
    for name in names:
        best = sorted(documents, key=lambda one: (-one[name], one["_id"]))[: rng_limits[name]]
        lists.append(RankedList(name, [one["_id"] for one in best], [one[name] for one in best]))
    expected = fuse_ranks(lists, weights)
    assert [(hit.id, hit.score.value) for hit in found if hit.score] == [
        (one.id, one.score) for one in expected
    ]
    for hit, one in zip(found, expected, strict=True):
        assert {name: c.rank for name, c in hit.contributions.items()} == {
            c.name: c.rank for c in one.contributions
        }


def _rows(collection: str, pipeline: Pipeline) -> Any:
    reply = yield Command.aggregate(collection, pipeline.to_list())
    return reply.documents


@pytest.fixture
def slow(mongod_client: pymongo.MongoClient[dict[str, Any]]) -> Command:
    """A command that runs for about 20 s unless something ends it."""
    mongod_client["app"]["slow"].drop()
    mongod_client["app"]["slow"].insert_many([{"_id": i} for i in range(200)])
    return Command.aggregate("slow", [SLOW], time_limit_ms=15_000)


def _one(command: Command) -> Any:
    return (yield command)


def test_the_time_limit_is_the_servers(
    mongod_client: pymongo.MongoClient[dict[str, Any]], slow: Command
) -> None:
    limited = Command(slow.body, time_limit_ms=100)
    with pytest.raises(ServerError) as caught:
        drive(_one(limited), engine_for(mongod_client["app"]["slow"]))
    assert (caught.value.code, caught.value.server_code) == (Code.SERVER_TIMEOUT, 50)


def test_a_cancelled_call_leaves_nothing_running(
    mongod_uri: str, mongod_client: pymongo.MongoClient[dict[str, Any]], slow: Command
) -> None:
    async def cancel() -> None:
        async with pymongo.AsyncMongoClient(mongod_uri) as client:
            engine = async_engine_for(client["app"]["slow"])
            call = asyncio.create_task(adrive(_one(slow), engine))
            await _until(lambda: bool(_running(mongod_client)))
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await _until(lambda: not _running(mongod_client))
            assert (await client["app"]["slow"].find_one({"_id": 1})) == {"_id": 1}

    asyncio.run(cancel())


async def _until(holds: Any, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not await asyncio.to_thread(holds):
        assert time.monotonic() < deadline, "it did not come to pass"
        await asyncio.sleep(0.02)


def _running(client: pymongo.MongoClient[dict[str, Any]]) -> list[Any]:
    current = client.admin.aggregate([{"$currentOp": {}}, {"$match": {"command.aggregate": "slow"}}])
    return list(current)


def test_a_killed_server_is_a_lost_connection_then_unreachable() -> None:
    with mongod.running() as uri, pymongo.MongoClient(f"{uri}&serverSelectionTimeoutMS=300") as client:
        collection = client["app"]["docs"]
        collection.insert_one({"_id": 1})
        command = Command.aggregate("docs", [{"$match": {}}])
        assert drive(_one(command), engine_for(collection)).documents == [{"_id": 1}]
        with pytest.raises(pymongo.errors.PyMongoError):
            client.admin.command("shutdown", force=True, timeoutSecs=0)
        with pytest.raises(ServerError) as caught:
            drive(_one(command), engine_for(collection))
        assert caught.value.code in (Code.CONNECTION_LOST, Code.SERVER_UNREACHABLE)
        with pytest.raises(ServerError) as caught:
            drive(_one(command), engine_for(collection))
        assert caught.value.code is Code.SERVER_UNREACHABLE


@pytest.fixture(scope="module")
def guarded() -> Any:
    """Connection string of a server that asks for credentials, with a user who may read `app` only."""
    with mongod.running(auth=True) as uri:
        with pymongo.MongoClient(uri, username="root", password="root") as client:
            client["app"]["docs"].insert_one({"_id": 1})
            client["app"].command("createUser", "reader", pwd="reader", roles=["read"])
        yield uri


def test_a_reader_may_probe(guarded: str) -> None:
    uri = guarded.replace("mongodb://", "mongodb://reader:reader@") + "&authSource=app"
    report = use("sync", uri, lambda retriever: retriever.capability())
    assert report.features[Feature.SEARCH].reason is Reason.SEARCH_NOT_ENABLED


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_credentials_are_said_as_such_every_time(guarded: str, kind: str) -> None:
    uri = guarded.replace("mongodb://", "mongodb://reader:wrong@")
    uri += "&authSource=app&serverSelectionTimeoutMS=300"
    for _ in range(2):
        with pytest.raises(ServerError) as caught:
            use(kind, uri, lambda retriever: retriever.capability())
        assert caught.value.code is Code.AUTHENTICATION_FAILED
        assert "wrong" not in str(caught.value)


def test_without_credentials_the_probe_says_what_it_may_not_do(guarded: str) -> None:
    report = use("sync", guarded, lambda retriever: retriever.capability())
    reasons = {verdict.reason for verdict in report.features.values()}
    assert reasons <= {Reason.NOT_AUTHORIZED, Reason.SEARCH_NOT_ENABLED, Reason.SERVER_TOO_OLD}
    with pytest.raises(RetrievalError):
        atlas_rag.CapabilityReport.require(report, Feature.SEARCH)
