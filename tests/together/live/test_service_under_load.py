"""The FastAPI service with 200 requests at once and injected faults: nothing mixed, lost or leaked."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pymongo
import pytest

from atlas_rag import AsyncLocalClient, HashingEmbedder, LexicalReranker, RetrievalOptions
from atlas_rag.rerank import Reranked
from examples.service import make_app
from tests.support import deployments as play
from tests.support.scripted import DROP, Document, ScriptedServer, after, rows

REQUESTS = 200
TENANTS = ("a", "b", "c")
EMBEDDER = HashingEmbedder(32)
OPTIONS = RetrievalOptions(on_reranker_failure="continue")


class Flaky:
    """A reranker that fails now and then."""

    id, blocking = "flaky", False

    def __init__(self) -> None:
        self.random = random.Random(7)

    async def rerank(self, query: str, texts: Sequence[str]) -> list[Reranked]:
        await asyncio.sleep(0.001)
        if self.random.random() < 0.2:
            raise ConnectionError("down")
        return LexicalReranker().rerank(query, texts)


@asynccontextmanager
async def in_process() -> AsyncIterator[Any]:
    """A collection of three tenants on the in-process engine."""
    async with AsyncLocalClient() as client:
        collection = client["app"]["docs"]
        await collection.insert_many(
            {
                "_id": f"{tenant}{i}",
                "tenant": tenant,
                "text": f"refund number {i} for everyone",
                "embedding": EMBEDDER.embed_query(f"refund number {i}"),
            }
            for tenant in TENANTS
            for i in range(40)
        )
        fields = [
            {"type": "vector", "path": "embedding", "numDimensions": 32, "similarity": "cosine"},
            {"type": "filter", "path": "tenant"},
        ]
        mappings = {"dynamic": True, "fields": {"tenant": {"type": "token"}}}
        await collection.create_search_index(
            {"name": "vector_index", "type": "vectorSearch", "definition": {"fields": fields}}
        )
        await collection.create_search_index({"name": "text_index", "definition": {"mappings": mappings}})
        yield collection


async def load(app: Any, *, cancelled: int = 0) -> list[httpx.Response]:
    """All requests at once, some given up by their client, and what the others got."""
    before = len(asyncio.all_tasks())
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://service", timeout=60) as http:

            async def ask(number: int) -> httpx.Response:
                tenant = TENANTS[number % len(TENANTS)]
                return await http.get(
                    "/search", params={"q": f"refund {number}"}, headers={"x-tenant": tenant}
                )

            tasks = [asyncio.create_task(ask(number)) for number in range(REQUESTS)]
            await asyncio.sleep(0)
            for task in tasks[:cancelled]:
                task.cancel()
            answers = await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0.05)
    assert len(asyncio.all_tasks()) <= before, "a task was left behind"
    given_up = [one for one in answers if isinstance(one, asyncio.CancelledError)]
    assert len(given_up) == cancelled
    return [one for one in answers if isinstance(one, httpx.Response)]


def test_in_process_with_a_flaky_reranker_and_cancelled_clients() -> None:
    app = make_app(in_process, seconds=60, embedder=EMBEDDER, reranker=Flaky(), options=OPTIONS)
    answers = asyncio.run(load(app, cancelled=20))
    assert len(answers) == REQUESTS - 20
    kinds = set()
    for number, answer in enumerate(answers, start=20):
        body = answer.json()
        assert answer.status_code == 200
        assert {one[0] for one in body["ids"]} == {TENANTS[number % len(TENANTS)]}
        assert len(body["ids"]) == 5
        kinds.add(body["kind"])
    assert kinds == {"rerank", "rank_fusion"}


def test_a_server_that_is_slow_or_drops_connections_loses_and_mixes_nothing() -> None:
    faults = random.Random(3)

    def answer(_: str, command: Document) -> Any:
        tenant = command["pipeline"][0]["$rankFusion"]["input"]["pipelines"]["vector"][0]["$vectorSearch"][
            "filter"
        ]
        owner = tenant["tenant"]["$eq"]
        chance = faults.random()
        if chance < 0.02:
            return DROP
        found = [
            {"document": {"_id": f"{owner}{i}", "text": "t"}, "score": 1.0, "details": {}} for i in range(5)
        ]
        return after(0.3 if chance < 0.1 else 0.005, rows(*found))

    script = play.atlas(
        answer=answer,
        indexes=(
            {
                **play.VECTOR_INDEX,
                "latestDefinition": {
                    "fields": [
                        {"type": "vector", "path": "embedding", "numDimensions": 32, "similarity": "cosine"},
                        {"type": "filter", "path": "tenant"},
                    ]
                },
            },
            play.TEXT_INDEX,
        ),
    )
    with ScriptedServer(script) as server:

        @asynccontextmanager
        async def remote() -> AsyncIterator[Any]:
            client: Any = pymongo.AsyncMongoClient(f"{server.uri}&maxPoolSize=20")
            async with client:
                yield client["app"]["docs"]

        answers = asyncio.run(load(make_app(remote, seconds=60, embedder=EMBEDDER), cancelled=10))
        assert len(answers) == REQUESTS - 10
        for number, answer_ in enumerate(answers, start=10):
            assert answer_.status_code in (200, 503)
            if answer_.status_code == 200:
                assert {one[0] for one in answer_.json()["ids"]} == {TENANTS[number % len(TENANTS)]}
            else:
                assert answer_.json()["code"] == 7403
        # A dropped connection clears the driver's pool, so that more than the dropped requests may fail.
        assert any(answer_.status_code == 200 for answer_ in answers)
        assert _settled(server), "a connection was left open"


def _settled(server: ScriptedServer) -> bool:
    import time

    deadline = time.monotonic() + 5
    while server.open_connections and time.monotonic() < deadline:
        time.sleep(0.02)
    return server.open_connections == 0


def test_a_wrong_call_is_the_callers_fault() -> None:
    async def ask() -> httpx.Response:
        app = make_app(in_process, embedder=EMBEDDER)
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="http://service") as http:
                return await http.get("/search", params={"q": "x", "limit": 5000}, headers={"x-tenant": "a"})

    answer = asyncio.run(ask())
    assert (answer.status_code, answer.json()["code"]) == (422, 7202)


@pytest.mark.parametrize("tenant", [None, ""])
def test_a_request_without_a_tenant_finds_nothing(tenant: str | None) -> None:
    async def ask() -> httpx.Response:
        app = make_app(in_process, embedder=EMBEDDER)
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app=app)
            headers = {} if tenant is None else {"x-tenant": tenant}
            async with httpx.AsyncClient(transport=transport, base_url="http://service") as http:
                return await http.get("/search", params={"q": "refund"}, headers=headers)

    answer = asyncio.run(ask())
    if tenant is None:
        assert answer.status_code == 422
    else:
        assert answer.json()["ids"] == []
        assert answer.json()["empty_reason"] == "store_filter_matched_nothing"
