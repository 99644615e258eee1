"""The numbers of the foundation: start-up, size, building, overhead. `python -m scripts.bench.foundation`."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distribution
from multiprocessing.connection import Connection
from typing import Any

import numpy
import pymongo

import atlas_rag
from atlas_rag import AsyncRetriever, Filter, KeywordInput, VectorInput, as_vector, make_plan
from atlas_rag.capability import CapabilityReport, Feature, Reason, Verdict
from atlas_rag.query.options import RetrievalOptions
from atlas_rag.query.request import Request
from atlas_rag.stages import (
    Compound,
    Limit,
    Pipeline,
    RankFusion,
    RawOperator,
    Search,
    Text,
    Unset,
    VectorSearch,
)
from atlas_rag.stages.filters import simplify, to_search_clauses, to_vector_search
from scripts.bench.startup import startup
from scripts.bench.table import Figure, median_us, show
from tests.support import deployments as play
from tests.support.scripted import ScriptedServer, after, rows

VECTOR = [random.Random(0).uniform(-1, 1) for _ in range(1536)]
CALL_MS = 5.0


def main() -> None:
    """Prints the table."""
    built = [*building(), planning()]  # before other processes have warmed the machine up
    show("foundation", [*startup(), packages(), *built, *asyncio.run(overhead())])


def packages() -> Figure:
    """Distributions that the base install brings, itself included."""
    found: set[str] = set()
    waiting = ["atlas-rag"]
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found:
            continue
        found.add(name)
        for need in distribution(name).requires or ():
            if ";" not in need:
                waiting.append(
                    need.replace("(", " ").split()[0].split(">")[0].split("=")[0].split("<")[0].split("!")[0]
                )
    return Figure("packages of the base install", len(found), 10, "")


def building() -> list[Figure]:
    """A validated hybrid pipeline from 1536 numbers and a filter of two terms, as documents."""

    def build(vector: Any) -> Any:
        condition = simplify(Filter.where("tenant", "a").where_in("region", ["eu", "uk"]))
        nearest = VectorSearch(
            index="vector_index",
            path="embedding",
            query_vector=as_vector(vector),
            limit=100,
            num_candidates=2000,
            filter=to_vector_search(condition),
        )
        question = Text(query="cheap flights", path=("title", "text"))
        guard = tuple(map(RawOperator, to_search_clauses(condition)["filter"]))
        matching = Search(index="text_index", operator=Compound(must=(question,), filter=guard))
        inputs = {"vector": Pipeline([nearest]), "keyword": Pipeline([matching, Limit(100)])}
        fusion = RankFusion(pipelines=inputs, weights={"vector": 1, "keyword": 0.5}, score_details=True)
        return Pipeline([fusion, Limit(10), Unset("embedding")]).to_list()

    array = numpy.array(VECTOR)
    return [
        Figure(
            "build a validated hybrid pipeline, CPU: from a list",
            median_us(lambda: build(VECTOR), repeats=25),
            100,
            "µs",
        ),
        Figure(
            "build a validated hybrid pipeline, CPU: from an array",
            median_us(lambda: build(array), repeats=25),
            100,
            "µs",
        ),
    ]


def planning() -> Figure:
    """The same and every decision before it: mode, filters against the index, depth, route, with reasons."""
    report = CapabilityReport(
        namespace="app.docs",
        deployment="unknown",
        release="8.2.0",
        features={one: Verdict(available=True, reason=Reason.AVAILABLE) for one in Feature},
        indexes=None,
    )
    inputs = (VectorInput(), KeywordInput(paths=("title", "text")))

    def plan() -> Any:
        condition = Filter.where("tenant", "a").where_in("region", ["eu", "uk"])
        options = RetrievalOptions(filter=condition, limit=10)
        request = Request(text="cheap flights", vector=as_vector(VECTOR), options=options)
        return make_plan(request, inputs, report).commands()

    return Figure("plan and build it, CPU (no bound asked)", median_us(plan), float("inf"), "µs")


async def overhead() -> list[Figure]:
    """What a retrieval adds to a bare `aggregate` of the same pipeline that takes 5 ms."""
    with _elsewhere() as uri:
        async with pymongo.AsyncMongoClient(uri) as client:
            collection = client["app"]["docs"]
            retriever = AsyncRetriever(collection)
            ask: dict[str, Any] = {"vector": [1.0, 2.0, 3.0], "limit": 10, "reject_window": 0}
            plan = (await retriever.retrieve("hello", **ask)).plan
            pipeline = plan.commands()[0].body["pipeline"] if plan else []
            ours, read, bare = [], [], []
            for _ in range(400):
                start = time.perf_counter()
                result = await retriever.retrieve("hello", **ask)
                answered = time.perf_counter()
                result.evidence  # noqa: B018 - made when it is read
                middle = time.perf_counter()
                async with await collection.aggregate(pipeline, batchSize=11, maxTimeMS=30_000) as cursor:
                    await cursor.to_list()
                ours.append(answered - start)
                read.append(middle - start)
                bare.append(time.perf_counter() - middle)

    def added(times: list[float]) -> float:
        return (statistics.median(times) - statistics.median(bare)) * 1e3

    return [
        Figure("AsyncRetriever.retrieve over a bare aggregate of 5 ms", added(ours), 0.75, "ms"),
        Figure("the same and reading its evidence (no bound asked)", added(read), float("inf"), "ms"),
    ]


@contextmanager
def _elsewhere() -> Iterator[str]:
    """A scripted server in a process of its own, so that it takes no turn from the client."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(there,), daemon=True)
    process.start()
    yield here.recv()
    here.send("end")
    process.join(10)


def _row(rank: int) -> dict[str, Any]:
    """A row of a fusion, found by both input pipelines."""
    inputs = [
        {"inputPipelineName": name, "rank": rank, "weight": 1.0, "value": 0.9, "details": []}
        for name in ("keyword", "vector")
    ]
    details = {"value": 0.03, "description": "", "details": inputs}
    return {"document": {"_id": rank, "text": "x" * 500}, "score": 0.03, "details": details}


def _serve(channel: Connection) -> None:
    reply = rows(*map(_row, range(1, 11)))
    with ScriptedServer(play.atlas(answer=lambda *_: after(CALL_MS / 1e3, reply))) as server:
        channel.send(server.uri)
        channel.recv()


if __name__ == "__main__":
    print(f"atlas_rag {atlas_rag.__version__}, Python {sys.version.split()[0]}")
    main()
