"""A FastAPI service over one retriever: tenants, time limits, errors as statuses, traces.

    ATLAS_RAG_URI=… uvicorn examples.service:app

The client is made inside the lifespan, on the loop that uses it, and closed with it; nothing is global but
the application. One retriever serves all requests at once. With OpenTelemetry's SDK set up by the process,
every retrieval is a span.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel

from atlas_rag import Filter, HashingEmbedder
from atlas_rag.context import build_context
from atlas_rag.integrations.fastapi import (
    OpenCollection,
    RetrieverDependency,
    add_exception_handlers,
    lifespan,
)

SECONDS = 10.0
"""Longest wait of a caller; a cancelled call sends nothing further. The server's own limit is shorter."""
SERVER_MS = 8_000


class Answer(BaseModel):
    """What a caller gets: ids and ranks, the prompt block, and why it is empty if it is."""

    ids: list[str]
    kind: str | None
    context: str
    empty_reason: str | None
    notes: list[str]


def make_app(open_collection: OpenCollection, *, seconds: float = SECONDS, **settings: Any) -> FastAPI:
    """An application whose retriever works on the collection that this context gives."""
    app = FastAPI(lifespan=lifespan(open_collection, **{"time_limit_ms": SERVER_MS, **settings}))
    add_exception_handlers(app)

    @app.get("/search")
    async def search(
        q: str,
        retriever: RetrieverDependency,
        x_tenant: Annotated[str, Header()],
        limit: int = 5,
    ) -> Answer:
        # The tenant narrows whatever the retriever's own store filter says; it can never be left out.
        tenant = Filter.where("tenant", x_tenant)
        try:
            async with asyncio.timeout(seconds):
                result = await retriever.retrieve(q, limit=limit, store_filter=tenant)
        except TimeoutError as error:
            raise HTTPException(504, "the search took too long") from error
        evidence = result.evidence
        return Answer(
            ids=[str(hit.id) for hit in result],
            kind=evidence.score_kind,
            context=build_context(result.hits).text,
            empty_reason=evidence.empty_reason,
            notes=list(evidence.notes),
        )

    return app


@asynccontextmanager
async def from_environment() -> AsyncIterator[Any]:
    """The collection named by ATLAS_RAG_URI, ATLAS_RAG_DATABASE and ATLAS_RAG_COLLECTION."""
    from pymongo import AsyncMongoClient

    client: Any = AsyncMongoClient(os.environ["ATLAS_RAG_URI"], appname="atlas-rag-service")
    async with client:
        await client.admin.command("ping")
        database = client[os.environ.get("ATLAS_RAG_DATABASE", "app")]
        yield database[os.environ.get("ATLAS_RAG_COLLECTION", "docs")]


app = make_app(from_environment, embedder=HashingEmbedder())
