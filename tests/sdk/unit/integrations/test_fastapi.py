"""Errors become the statuses that their remedies ask for, and one retriever serves an application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from atlas_rag import AsyncLocalClient, AtlasRagError, CallError, Code, ReplyError, ServerError
from atlas_rag.errors import ExperimentError, RetrievalError, SearchIndexError
from atlas_rag.integrations.fastapi import (
    RetrieverDependency,
    add_exception_handlers,
    get_retriever,
    lifespan,
    status_of,
)
from tests.support.notes import EMBEDDER, afill

STATUSES = [
    (CallError("x"), 422),
    (RetrievalError("x", code=Code.RAG_COLLECTION_NOT_SEARCHABLE), 409),
    (RetrievalError("x", code=Code.FEATURE_UNAVAILABLE), 409),
    (RetrievalError("x", code=Code.PROVIDER_FAILED), 502),
    (RetrievalError("x"), 422),
    (SearchIndexError("x"), 409),
    (SearchIndexError("x", code=Code.INDEX_NOT_READY), 409),
    (ServerError("x", code=Code.SERVER_TIMEOUT), 504),
    (ServerError("x", code=Code.SERVER_UNREACHABLE), 503),
    (ReplyError("x"), 500),
    (ExperimentError("x"), 500),
]


@asynccontextmanager
async def opened() -> AsyncIterator[Any]:
    async with AsyncLocalClient() as client:
        yield await afill(client["shop"]["notes"])


def application() -> FastAPI:
    app = FastAPI(lifespan=lifespan(opened, embedder=EMBEDDER))
    add_exception_handlers(app)

    @app.get("/search")
    async def search(q: str, retriever: RetrieverDependency, mode: str = "hybrid") -> list[str]:
        return [str(hit.id) for hit in await retriever.retrieve(q, mode=mode, limit=1)]

    return app


async def ask(app: FastAPI, **parameters: str) -> httpx.Response:
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://service") as http:
            return await http.get("/search", params=parameters)


@pytest.mark.parametrize(("error", "status"), STATUSES, ids=lambda one: getattr(one, "code", one))
def test_each_remedy_has_its_status(error: AtlasRagError, status: int) -> None:
    assert status_of(error) == status


async def test_one_retriever_answers() -> None:
    answer = await ask(application(), q="refunds")
    assert (answer.status_code, answer.json()) == (200, ["refunds"])


async def test_an_error_tells_code_and_next_step_and_not_the_question() -> None:
    answer = await ask(application(), q="secret", mode="hybird")
    assert (answer.status_code, answer.json()["name"]) == (422, "INVALID_OPTION")
    assert set(answer.json()) == {"code", "name", "message", "next_step", "url"}
    assert "secret" not in answer.text


async def test_a_dependency_can_be_exchanged_in_tests() -> None:
    class Refusing:
        async def retrieve(self, question: str, **options: object) -> list[Any]:
            raise RetrievalError("not searchable", code=Code.RAG_COLLECTION_NOT_SEARCHABLE)

    app = application()
    app.dependency_overrides[get_retriever] = Refusing
    answer = await ask(app, q="refunds")
    assert (answer.status_code, answer.json()["code"]) == (409, 7203)
