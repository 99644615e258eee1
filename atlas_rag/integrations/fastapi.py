"""FastAPI: one retriever for the life of an application, a dependency, and errors as HTTP answers.

app = FastAPI(lifespan=lifespan(open_collection, embedder=embedder))
add_exception_handlers(app)

@app.get("/search")
async def search(q: str, retriever: RetrieverDependency) -> list[str]:
    return [str(hit.id) for hit in await retriever.retrieve(q)]
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse

from atlas_rag.errors import AtlasRagError, CallError, Code, RetrievalError, SearchIndexError, ServerError
from atlas_rag.retriever import AsyncRetriever

OpenCollection = Callable[[], AbstractAsyncContextManager[Any]]
"""Opens a client on the loop that uses it, gives a collection, and closes the client."""

STATUS = {
    Code.RAG_RETRIEVAL_FAILED: 422,
    Code.RAG_COLLECTION_NOT_SEARCHABLE: 409,
    Code.FEATURE_UNAVAILABLE: 409,
    Code.PROVIDER_FAILED: 502,
    Code.SERVER_TIMEOUT: 504,
}
"""HTTP status by code, where it is not that of the family."""
FAMILIES: tuple[tuple[type[AtlasRagError], int], ...] = (
    (CallError, 422),
    (SearchIndexError, 409),
    (RetrievalError, 500),
    (ServerError, 503),
    (AtlasRagError, 500),
)


def lifespan(
    open_collection: OpenCollection, **settings: Any
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """The lifespan of an application with one retriever, for all its requests at once.

    Args:
        settings: as `AsyncRetriever` takes them.
    """

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        async with open_collection() as collection:
            app.state.retriever = AsyncRetriever(collection, **settings)
            yield

    return living


def get_retriever(request: Request) -> AsyncRetriever:
    """The application's retriever; to be overridden in tests (`app.dependency_overrides`)."""
    retriever: AsyncRetriever = request.app.state.retriever
    return retriever


RetrieverDependency = Annotated[AsyncRetriever, Depends(get_retriever)]


def status_of(error: AtlasRagError) -> int:
    """422 for a wrong call, 409 where collection or indexes cannot do it, 503 and 504 for the server."""
    family = next(status for kind, status in FAMILIES if isinstance(error, kind))
    return STATUS.get(error.code, family)


def add_exception_handlers(app: FastAPI) -> None:
    """Answers every error of this library with its status and `{code, name, message, next_step, url}`."""

    @app.exception_handler(AtlasRagError)
    async def answer(request: Request, error: AtlasRagError) -> JSONResponse:
        content = {
            "code": int(error.code),
            "name": error.code.name,
            "message": error.problem,
            "next_step": error.next_step,
            "url": error.url,
        }
        return JSONResponse(content, status_code=status_of(error))
