"""The FastAPI service with 200 requests at once: `python -m scripts.bench.service`.

In process (no server, no key) and over PyMongo Async against a scripted server that answers after 5 ms.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pymongo
from rich.console import Console
from rich.table import Table

from examples.service import make_app
from scripts.bench.foundation import _elsewhere
from tests.together.live.test_service_under_load import EMBEDDER, OPTIONS, TENANTS, Flaky, in_process

AT_ONCE, ROUNDS = 200, 5


class Three:
    """Vectors as long as the scripted server's index wants them."""

    id, dimensions, blocking = "three", 3, False

    def embed_query(self, text: str) -> list[float]:
        return [1.0, float(len(text)), 0.5]

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]


def main() -> None:
    """Prints p50 and p99 of both."""
    table = Table(title=f"{AT_ONCE} requests at once, {ROUNDS} rounds", title_justify="left")
    for column in ("where", "p50 ms", "p99 ms", "requests a second", "failed"):
        table.add_column(column, justify="left" if column == "where" else "right")
    flaky = make_app(in_process, embedder=EMBEDDER, reranker=Flaky(), options=OPTIONS)
    table.add_row("in process, a reranker that fails now and then", *asyncio.run(measured(flaky)))
    with _elsewhere() as uri:

        @asynccontextmanager
        async def remote() -> AsyncIterator[Any]:
            client: Any = pymongo.AsyncMongoClient(uri)
            async with client:
                yield client["app"]["docs"]

        table.add_row("scripted server of 5 ms", *asyncio.run(measured(make_app(remote, embedder=Three()))))
    Console().print(table)


async def measured(app: Any) -> list[str]:
    """p50, p99, requests a second and failures of one application."""
    times: list[float] = []
    failed = 0
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://service", timeout=120) as http:

            async def ask(number: int) -> None:
                nonlocal failed
                started = time.perf_counter()
                tenant = TENANTS[number % len(TENANTS)]
                answer = await http.get(
                    "/search", params={"q": f"refund {number}"}, headers={"x-tenant": tenant}
                )
                times.append(time.perf_counter() - started)
                failed += answer.status_code != 200

            began = time.perf_counter()
            for _ in range(ROUNDS):
                await asyncio.gather(*(ask(number) for number in range(AT_ONCE)))
            spent = time.perf_counter() - began
    hundredths = statistics.quantiles(times, n=100)
    return [
        f"{hundredths[49] * 1e3:.0f}",
        f"{hundredths[98] * 1e3:.0f}",
        f"{len(times) / spent:.0f}",
        str(failed),
    ]


if __name__ == "__main__":
    main()
