"""Voyage AI reranking through the official client, with this library's own retries."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.providers.retry import persistently
from atlas_rag.providers.voyage import VoyageClient, read_failure
from atlas_rag.rerank.protocol import Reranked
from atlas_rag.wire import Flow
from atlas_rag.wire.pump import SYSTEM_CLOCK, Clock

MAX_TEXTS = 1000
"""Source: Voyage AI documentation, reranker, limits."""


class VoyageReranker:
    """Cross-encoder scores from Voyage AI, 0…1.

    Args:
        model: such as "rerank-2.5" or "rerank-3-lite".
        client: a `voyageai.Client` or `voyageai.AsyncClient`; None makes a synchronous one.
        attempts: requests at most. timeout: seconds for one request of a client made here.

    Raises:
        RetrievalError: PROVIDER_FAILED.
    """

    def __init__(
        self,
        model: str = "rerank-2.5",
        *,
        client: Any = None,
        attempts: int = 4,
        timeout: float = 30.0,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._model = model
        self._voyage = VoyageClient(client, timeout=timeout, attempts=attempts, clock=clock)

    @property
    def id(self) -> str:
        """Provider and model."""
        return f"voyage/{self._model}"

    @property
    def blocking(self) -> bool:
        """True with a synchronous client: it waits for the network."""
        return not self._voyage.is_async

    def __repr__(self) -> str:
        return f"VoyageReranker({self._model!r})"

    def rerank(self, query: str, texts: Sequence[str]) -> Any | Awaitable[Any]:
        """One score per text that the service returned."""
        if len(texts) > MAX_TEXTS:
            raise CallError(f"{len(texts)} texts are to be reranked", expected=f"at most {MAX_TEXTS}")
        return self._voyage.run(self._rerank(query, list(texts)))

    def _rerank(self, query: str, texts: list[str]) -> Flow[list[Reranked]]:
        request = partial(self._voyage.client.rerank, query, texts, model=self._model)
        answer = yield from persistently("Voyage AI rerank", request, read_failure, self._voyage.attempts)
        return [Reranked(result.index, result.relevance_score) for result in answer.results]
