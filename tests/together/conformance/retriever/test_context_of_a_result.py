"""A result to a prompt block: the options of the call decide what is shown, and the stage is reported."""

from __future__ import annotations

import asyncio

from atlas_rag import AsyncRetriever, RetrievalOptions, StageEvent
from atlas_rag.context import Budget
from tests.together.conformance.retriever.corpus import EMBEDDER, collection, retriever

SHOP = collection()
ROOMY = Budget(max_tokens=None)


def test_metadata_and_references_are_shown_where_the_call_asks_for_them() -> None:
    asked = retriever(SHOP)
    plain = asked.context(asked.retrieve("refunds", limit=2), ROOMY).text
    assert "References:" not in plain
    assert "tenant=" not in plain
    told = asked.retrieve("refunds", limit=2, include_metadata=True, include_reference=True)
    block = asked.context(told, ROOMY).text
    assert 'tenant="a"' in block
    assert "References:\n[1] " in block
    assert "embedding" not in block


def test_the_defaults_of_the_retriever_hold_for_context_too() -> None:
    asked = retriever(SHOP, options=RetrievalOptions(include_reference=True))
    assert "References:" in asked.context(asked.retrieve("refunds"), ROOMY).text


def test_the_stage_is_reported_sync_and_async() -> None:
    events: list[StageEvent] = []

    async def note(event: StageEvent) -> None:
        events.append(event)

    async def build() -> int:
        asked = AsyncRetriever(SHOP, embedder=EMBEDDER, progress=note)
        return len((await asked.context(await asked.retrieve("refunds", limit=3), ROOMY)).sources)

    assert asyncio.run(build()) == 3
    assert (events[-1].stage, events[-1].count) == ("context_build", 3)
