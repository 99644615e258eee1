"""What the Voyage AI embedder and reranker share: the client, and what its failures mean."""

from __future__ import annotations

import inspect
from collections.abc import Generator
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.providers.retry import Failure, retry_after
from atlas_rag.wire.pump import SYSTEM_CLOCK, Clock, adrive, drive

RETRYABLE_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520})
RETRYABLE_TYPES = frozenset(
    {"RateLimitError", "ServiceUnavailableError", "ServerError", "Timeout", "APIConnectionError"}
)


class VoyageClient:
    """A `voyageai.Client` or `voyageai.AsyncClient`, driven by this library's own retries.

    Args:
        client: yours, or None to make a synchronous one, which reads its key from the environment.
        timeout: seconds for one request, of a client made here.
        attempts: requests at most for one batch.

    Needs: the extra `voyage`. The client's own retries should stay off (`max_retries=0`).
    """

    def __init__(
        self, client: Any = None, *, timeout: float = 30.0, attempts: int = 4, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        if client is None:
            try:
                import voyageai
            except ImportError as error:
                raise CallError(
                    "voyageai is not installed", next_step='pip install "atlas-rag[voyage]"'
                ) from error
            client = voyageai.Client(max_retries=0, timeout=timeout)  # type: ignore[attr-defined]
        self.client = client
        self.attempts = attempts
        self.clock = clock
        self.is_async = inspect.iscoroutinefunction(type(client).embed)

    def __repr__(self) -> str:
        return f"VoyageClient({'asynchronous' if self.is_async else 'synchronous'})"

    def run(self, steps: Generator[Any, Any, Any]) -> Any:
        """The result of the steps, or an awaitable of it where the client is asynchronous."""
        return adrive(steps, NO_ENGINE, self.clock) if self.is_async else drive(steps, NO_ENGINE, self.clock)


NO_ENGINE: Any = None
"""These flows send no command."""


def read_failure(error: Exception) -> Failure:
    """What a failure of the official client means. Odd replies of a gateway arrive as other exceptions."""
    status = getattr(error, "http_status", None)
    kind = type(error).__name__
    retryable = (
        status in RETRYABLE_STATUS or (status is None and kind in RETRYABLE_TYPES) or kind == "AttributeError"
    )
    return Failure(retryable, status, retry_after(getattr(error, "headers", None)))
