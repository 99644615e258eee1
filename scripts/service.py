"""A FastAPI service over one retriever: the shape that async users deploy.

    ATLAS_RAG_URI=… uvicorn scripts.service:app

The client is made inside the lifespan, on the loop that uses it, and closed with it; nothing is global but
the application. One retriever serves all requests at once.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel

from atlas_rag import AsyncRetriever, CallError, Filter, HashingEmbedder, RetrievalError, ServerError
from atlas_rag.context import build_context

Collection = Callable[[], AbstractAsyncContextManager[Any]]


class Answer(BaseModel):
    """What a caller gets: ids and ranks, the prompt block, and why it is empty if it is."""

    ids: list[str]
    kind: str | None
    context: str
    empty_reason: str | None
    notes: list[str]


def make_app(collection: Collection, **settings: Any) -> FastAPI:
    """An application whose retriever works on the collection that this context gives."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with collection() as opened:
            app.state.retriever = AsyncRetriever(opened, **settings)
            yield

    app = FastAPI(lifespan=lifespan)

    @app.get("/search")
    async def search(q: str, x_tenant: str = Header(), limit: int = 5) -> Answer:
        retriever: AsyncRetriever = app.state.retriever
        try:
            # The tenant narrows whatever the retriever's own store filter says; it can never be left out.
            result = await retriever.retrieve(q, limit=limit, store_filter=Filter.where("tenant", x_tenant))
        except CallError as error:
            raise HTTPException(422, {"code": int(error.code), "message": error.problem}) from error
        except (RetrievalError, ServerError) as error:
            raise HTTPException(503, {"code": int(error.code), "message": error.problem}) from error
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
        yield client[os.environ.get("ATLAS_RAG_DATABASE", "app")][
            os.environ.get("ATLAS_RAG_COLLECTION", "docs")
        ]


app = make_app(from_environment, embedder=HashingEmbedder())
