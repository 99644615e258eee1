"""What the tests of providers share: a clock, clients, and services that fail first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.http_fake import Answer, Service

voyageai = pytest.importorskip("voyageai")
KEY = "pa-very-secret"
DOWN: Answer = (503, {"detail": "down"}, {})


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def time(self) -> float:
        return sum(self.waits)

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def async_sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


def client(service: Service, kind: str = "Client") -> Any:
    """The official client, talking to our service."""
    return getattr(voyageai, kind)(api_key=KEY, base_url=service.url, max_retries=0)


def failing(times: int, failure: Answer, then: Any) -> Any:
    """Fails so many times, then works."""
    left = [times]

    def answer(path: str, body: dict[str, Any]) -> Answer:
        if left[0]:
            left[0] -= 1
            return failure
        result: Answer = then(path, body)
        return result

    return answer
