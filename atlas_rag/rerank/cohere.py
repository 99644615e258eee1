"""Cohere's rerank endpoint, v2, over httpx, with this library's own retries."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Any

from atlas_rag.errors import CallError, ReplyError
from atlas_rag.providers.limits import COHERE_RERANK
from atlas_rag.providers.retry import RETRYABLE_STATUS, Failure, persistently, retry_after
from atlas_rag.providers.usage import Meter, Usage, report
from atlas_rag.rerank.protocol import Reranked
from atlas_rag.rerank.request import in_parts, parts
from atlas_rag.wire import Flow, adrive, drive
from atlas_rag.wire.pump import SYSTEM_CLOCK, Clock

BASE_URL = "https://api.cohere.com"
NO_ENGINE: Any = None
"""These flows send no command."""


class CohereReranker:
    """Cross-encoder scores from Cohere, 0…1.

    Args:
        model: such as "rerank-v3.5" or "rerank-v4.0-pro".
        max_tokens_per_doc: where the service cuts a text, ≥ 1; None for its default, 4,096.
        truncation: whether a question beyond 2,048 tokens may be sent, to be cut; False refuses it.
        api_key: None reads the environment variable CO_API_KEY; never shown.
        client: an `httpx.Client` or `httpx.AsyncClient`; None makes a synchronous one.
        attempts: requests at most. timeout: seconds for one request of a client made here.

    At most 1,000 texts.

    Needs: the extra `cohere`.

    Raises:
        CallError: INVALID_OPTION. RetrievalError: PROVIDER_FAILED. ReplyError: no scores in the answer.
    """

    def __init__(
        self,
        model: str = "rerank-v3.5",
        *,
        max_tokens_per_doc: int | None = None,
        truncation: bool = True,
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
        if client is not None and not isinstance(client, httpx.Client | httpx.AsyncClient):
            raise CallError(
                f"The client is a {type(client).__name__}", expected="an httpx.Client or httpx.AsyncClient"
            )
        if max_tokens_per_doc is not None and max_tokens_per_doc < 1:
            raise CallError(f"max_tokens_per_doc is {max_tokens_per_doc}", expected="1 or more")
        self._model = model
        self._options = {} if max_tokens_per_doc is None else {"max_tokens_per_doc": max_tokens_per_doc}
        self._truncation = truncation
        self._headers = {"Authorization": f"Bearer {key}"}
        self._url = f"{base_url.rstrip('/')}/v2/rerank"
        self._client = client if client is not None else httpx.Client(timeout=timeout)
        self._is_async = isinstance(self._client, httpx.AsyncClient)
        self._attempts = attempts
        self._clock = clock
        self._meter = Meter()

    @property
    def id(self) -> str:
        """Provider and model."""
        return f"cohere/{self._model}"

    @property
    def max_documents(self) -> int:
        """How many texts one call takes."""
        return COHERE_RERANK.texts

    @property
    def blocking(self) -> bool:
        """True with a synchronous client: it waits for the network."""
        return not self._is_async

    @property
    def usage(self) -> Usage:
        """What the service counted so far, over all calls of this object."""
        return self._meter.usage

    def __repr__(self) -> str:
        return f"CohereReranker({self._model!r})"

    def rerank(self, query: str, texts: Sequence[str]) -> Any | Awaitable[Any]:
        """One score per text that the service returned; empty texts get none."""
        split = list(parts(query, texts, COHERE_RERANK, truncation=self._truncation))
        steps = in_parts(iter(split), partial(self._ask, query))
        return (
            adrive(steps, NO_ENGINE, self._clock) if self._is_async else drive(steps, NO_ENGINE, self._clock)
        )

    def _ask(self, query: str, texts: list[str]) -> Flow[list[Reranked]]:
        body = {"model": self._model, "query": query, "documents": texts, "top_n": len(texts)}

        def request() -> Any:
            sent = self._client.post(self._url, json=body | self._options, headers=self._headers)
            return _awaited(sent) if self._is_async else _checked(sent)

        answer = yield from persistently("Cohere rerank", request, read_failure, self._attempts)
        return self._read(answer)

    def _read(self, answer: Any) -> list[Reranked]:
        try:
            scored = [Reranked(one["index"], one["relevance_score"]) for one in answer["results"]]
            billed = (answer.get("meta") or {}).get("billed_units") or {}
            usage = Usage(requests=1, search_units=int(billed.get("search_units") or 0))
        except (KeyError, TypeError, AttributeError) as error:
            raise ReplyError(
                "Cohere's answer holds no scores", expected="results with index and relevance_score"
            ) from error
        self._meter.add(usage)
        report(usage)
        return scored


async def _awaited(sent: Any) -> Any:
    return _checked(await sent)


def _checked(response: Any) -> Any:
    response.raise_for_status()
    return response.json()


def read_failure(error: Exception) -> Failure:
    """What a failure of httpx means; an answer that is no JSON comes from a gateway and may pass."""
    response = getattr(error, "response", None)
    if response is not None:
        status = int(response.status_code)
        return Failure(status in RETRYABLE_STATUS, status, retry_after(response.headers))
    import httpx

    return Failure(isinstance(error, httpx.TransportError | ValueError))
