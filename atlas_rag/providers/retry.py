"""Trying a provider again: how often, how long to wait, and what to say when it stays down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from atlas_rag.errors import AtlasRagError, CallError, Code, RetrievalError
from atlas_rag.wire.command import Call, Pause
from atlas_rag.wire.pump import Flow

FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
RETRYABLE_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520})


@dataclass(frozen=True, slots=True)
class Failure:
    """What one failed request says: worth another try, and after how many seconds if the provider said so."""

    retryable: bool
    status: int | None = None
    retry_after: float | None = None


def persistently(
    provider: str,
    request: Callable[[], Any],
    read: Callable[[Exception], Failure],
    attempts: int,
    *,
    blocking: bool = False,
) -> Flow[Any]:
    """Calls a provider, waiting between tries: as long as it asks, else .5, 1, 2 … 30 s.

    Args:
        provider: its name, for the error. request: makes one request, or returns an awaitable.
        read: what a failure means; its text is never shown, since it may quote the request or the key.
        attempts: requests at most, ≥ 1. blocking: whether a request needs a thread of its own in async code.

    Raises:
        RetrievalError: PROVIDER_FAILED, caused by the last failure. An error of this library as it is.
    """
    if attempts < 1:
        raise CallError(f"attempts is {attempts}", expected="1 or more")
    for attempt in range(1, attempts + 1):
        try:
            return (yield Call(request, blocking=blocking))
        except AtlasRagError:
            raise  # whoever raised it has tried again, or knows that it is of no use
        except Exception as error:
            failure = read(error)
            if not failure.retryable or attempt == attempts:
                raise _failed(provider, attempt, error, failure.status) from error
            backoff = min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT)
            yield Pause(backoff if failure.retry_after is None else failure.retry_after)
    raise AssertionError


def _failed(provider: str, attempts: int, error: Exception, status: int | None) -> RetrievalError:
    requests = "1 request" if attempts == 1 else f"{attempts} requests"
    said = type(error).__name__ if status is None else f"{type(error).__name__}, status {status}"
    return RetrievalError(
        f"{provider} failed after {requests} ({said})",
        next_step=_next_step(status),
        code=Code.PROVIDER_FAILED,
    )


def _next_step(status: int | None) -> str:
    if status in (400, 404, 413, 422):
        return "correct the request: model, options or lengths; the cause says which"
    if status in (401, 403):
        return "check the key: is it set, of this provider, and allowed to do this?"
    return "check key, quota and network; look at the cause"


def retry_after(headers: Any) -> float | None:
    """Seconds of a `Retry-After` header, or None; a date is not read."""
    try:
        value = {str(key).lower(): text for key, text in dict(headers or {}).items()}.get("retry-after")
        return max(float(value), 0.0) if value is not None else None
    except (TypeError, ValueError):
        return None
