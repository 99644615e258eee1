"""Cohere's rerank endpoint, v2, over httpx, with this library's own retries."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Sequence
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.providers.retry import Failure, persistently, retry_after
from atlas_rag.providers.voyage import NO_ENGINE, RETRYABLE_STATUS
from atlas_rag.rerank.protocol import Reranked
from atlas_rag.wire import Flow
from atlas_rag.wire.pump import SYSTEM_CLOCK, Clock, adrive, drive

BASE_URL = "https://api.cohere.com"
MAX_TEXTS = 1000


class CohereReranker:
    """Cross-encoder scores from Cohere, 0…1.

    Args:
        model: such as "rerank-v3.5".
        api_key: None reads the environment variable CO_API_KEY; never shown.
        client: an `httpx.Client` or `httpx.AsyncClient`; None makes a synchronous one.
        attempts: requests at most. timeout: seconds for one request of a client made here.

    Needs: the extra `cohere`.

    Raises:
        RetrievalError: PROVIDER_FAILED.
    """

    def __init__(
        self,
        model: str = "rerank-v3.5",
        *,
        api_key: str | None = None,
        base_url: str = BASE_URL,
        client: Any = None,
        attempts: int = 4,
        timeout: float = 30.0,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        try:
            import httpx
        except ImportError as error:
            raise CallError("httpx is not installed", next_step='pip install "atlas-rag[cohere]"') from error
        key = api_key or os.environ.get("CO_API_KEY")
        if not key:
            raise CallError("There is no key", expected="api_key=… or CO_API_KEY in the environment")
        self._model = model
        self._headers = {"Authorization": f"Bearer {key}"}
        self._url = f"{base_url.rstrip('/')}/v2/rerank"
        self._client = client if client is not None else httpx.Client(timeout=timeout)
        self._is_async = isinstance(self._client, httpx.AsyncClient)
        self._attempts = attempts
        self._clock = clock

    @property
    def id(self) -> str:
        """Provider and model."""
        return f"cohere/{self._model}"

    @property
    def blocking(self) -> bool:
        """True with a synchronous client: it waits for the network."""
        return not self._is_async

    def __repr__(self) -> str:
        return f"CohereReranker({self._model!r})"

    def rerank(self, query: str, texts: Sequence[str]) -> Any | Awaitable[Any]:
        """One score per text that the service returned."""
        if len(texts) > MAX_TEXTS:
            raise CallError(f"{len(texts)} texts are to be reranked", expected=f"at most {MAX_TEXTS}")
        body = {"model": self._model, "query": query, "documents": list(texts), "top_n": len(texts)}
        steps = self._rerank(body)
        return (
            adrive(steps, NO_ENGINE, self._clock) if self._is_async else drive(steps, NO_ENGINE, self._clock)
        )

    def _rerank(self, body: dict[str, Any]) -> Flow[list[Reranked]]:
        def request() -> Any:
            sent = self._client.post(self._url, json=body, headers=self._headers)
            return _awaited(sent) if self._is_async else _checked(sent)

        answer = yield from persistently("Cohere rerank", request, read_failure, self._attempts)
        return [Reranked(one["index"], one["relevance_score"]) for one in answer["results"]]


async def _awaited(sent: Any) -> Any:
    return _checked(await sent)


def _checked(response: Any) -> Any:
    response.raise_for_status()
    return response.json()


def read_failure(error: Exception) -> Failure:
    """What a failure of httpx means."""
    response = getattr(error, "response", None)
    if response is not None:
        status = int(response.status_code)
        return Failure(status in RETRYABLE_STATUS, status, retry_after(response.headers))
    import httpx

    return Failure(isinstance(error, httpx.TransportError))
