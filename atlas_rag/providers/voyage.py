"""What the Voyage AI embedder and reranker share: the client, what its failures mean, and what it cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.providers.manner import is_async, methods, refuse_class
from atlas_rag.providers.retry import RETRYABLE_STATUS, Failure, persistently, retry_after
from atlas_rag.providers.usage import Meter, Usage, report
from atlas_rag.wire import Flow, adrive, drive
from atlas_rag.wire.pump import SYSTEM_CLOCK, Clock

RETRYABLE_TYPES = frozenset(
    {"RateLimitError", "ServiceUnavailableError", "ServerError", "Timeout", "APIConnectionError"}
)
NO_ENGINE: Any = None
"""These flows send no command."""


class VoyageClient:
    """A `voyageai.Client` or `voyageai.AsyncClient`, driven by this library's own retries.

    Args:
        client: yours, or None to make a synchronous one, which reads its key from the environment.
        needs: the method that it is for.
        timeout: seconds for one request, of a client made here.
        attempts: requests at most for one batch.

    Raises:
        CallError: INVALID_OPTION for another client, or where there is no key.

    Needs: the extra `voyage`. The client's own retries should stay off (`max_retries=0`).
    """

    def __init__(
        self,
        client: Any = None,
        *,
        needs: str = "embed",
        timeout: float = 30.0,
        attempts: int = 4,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        refuse_class(client, "client")
        self.client = _make(timeout) if client is None else client
        if not methods(self.client, needs):
            raise CallError(
                f"The client, a {type(client).__name__}, has no {needs!r}",
                expected="a voyageai.Client or voyageai.AsyncClient",
                next_step="pass client=voyageai.Client(), or none",
            )
        self.attempts = attempts
        self.clock = clock
        self.meter = Meter()
        self.is_async = is_async(getattr(self.client, needs))

    def __repr__(self) -> str:
        return f"VoyageClient({'asynchronous' if self.is_async else 'synchronous'})"

    def run(self, steps: Flow[Any]) -> Any:
        """The result of the steps, or an awaitable of it where the client is asynchronous."""
        return adrive(steps, NO_ENGINE, self.clock) if self.is_async else drive(steps, NO_ENGINE, self.clock)

    def ask(self, what: str, request: Callable[[], Any]) -> Flow[Any]:
        """The answer to one request, tried again where that may help; what it cost is noted."""
        answer = yield from persistently(f"Voyage AI {what}", request, read_failure, self.attempts)
        usage = Usage(
            requests=1,
            tokens=_counted(answer, "total_tokens"),
            pixels=_counted(answer, "image_pixels") + _counted(answer, "video_pixels"),
        )
        self.meter.add(usage)
        report(usage)
        return answer


def _counted(answer: Any, name: str) -> int:
    """What the answer counts under a name; older clients count less."""
    found = getattr(answer, name, 0)
    return found if isinstance(found, int) else 0


def _make(timeout: float) -> Any:
    try:
        import voyageai
    except ImportError as error:
        raise CallError("voyageai is not installed", next_step='pip install "atlas-rag[voyage]"') from error
    client = voyageai.Client(max_retries=0, timeout=timeout)  # type: ignore[attr-defined]
    if not client.api_key:
        raise CallError(
            "There is no key",
            expected="VOYAGE_API_KEY in the environment, or client=voyageai.Client(api_key=…)",
        )
    return client


def read_failure(error: Exception) -> Failure:
    """What a failure of the official client means. Odd replies of a gateway arrive as other exceptions."""
    status = getattr(error, "http_status", None)
    kind = type(error).__name__
    retryable = (
        status in RETRYABLE_STATUS or (status is None and kind in RETRYABLE_TYPES) or kind == "AttributeError"
    )
    return Failure(retryable, status, retry_after(getattr(error, "headers", None)))
