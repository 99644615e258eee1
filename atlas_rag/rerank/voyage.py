"""Voyage AI reranking through the official client, with this library's own retries."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Any

from atlas_rag.providers.limits import rerank_limits
from atlas_rag.providers.usage import Usage
from atlas_rag.providers.voyage import VoyageClient
from atlas_rag.rerank.protocol import Reranked
from atlas_rag.rerank.request import in_parts, parts
from atlas_rag.wire import Flow
from atlas_rag.wire.pump import SYSTEM_CLOCK, Clock


class VoyageReranker:
    """Cross-encoder scores from Voyage AI, 0…1.

    Args:
        model: such as "rerank-2.5" or "rerank-3-lite".
        truncation: cuts a question or text beyond the model's limits; False has them refused.
        client: a `voyageai.Client` or `voyageai.AsyncClient`; None makes a synchronous one.
        attempts: requests at most, for one part. timeout: seconds for one request of a client made here.

    At most 1,000 texts; those that have too many tokens for one request are sent in several.

    Raises:
        CallError: INVALID_OPTION. RetrievalError: PROVIDER_FAILED.
    """

    def __init__(
        self,
        model: str = "rerank-2.5",
        *,
        truncation: bool = True,
        client: Any = None,
        attempts: int = 4,
        timeout: float = 30.0,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._model = model
        self._limits = rerank_limits(model)
        self._truncation = truncation
        self._voyage = VoyageClient(client, needs="rerank", timeout=timeout, attempts=attempts, clock=clock)

    @property
    def id(self) -> str:
        """Provider and model."""
        return f"voyage/{self._model}"

    @property
    def max_documents(self) -> int:
        """How many texts one call takes."""
        return self._limits.texts

    @property
    def blocking(self) -> bool:
        """True with a synchronous client: it waits for the network."""
        return not self._voyage.is_async

    @property
    def usage(self) -> Usage:
        """What the service counted so far, over all calls of this object."""
        return self._voyage.meter.usage

    def __repr__(self) -> str:
        return f"VoyageReranker({self._model!r})"

    def rerank(self, query: str, texts: Sequence[str]) -> Any | Awaitable[Any]:
        """One score per text that the service returned; empty texts get none."""
        split = list(parts(query, texts, self._limits, truncation=self._truncation))
        return self._voyage.run(in_parts(iter(split), partial(self._ask, query)))

    def _ask(self, query: str, texts: list[str]) -> Flow[list[Reranked]]:
        request = partial(
            self._voyage.client.rerank, query, texts, model=self._model, truncation=self._truncation
        )
        answer = yield from self._voyage.ask("rerank", request)
        return [Reranked(result.index, result.relevance_score) for result in answer.results]
