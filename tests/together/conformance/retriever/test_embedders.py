"""Embedders of others and of Voyage AI from loading to the answer, sync and async."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag import (
    AsyncLocalClient,
    AsyncRetriever,
    LocalClient,
    Retriever,
    VectorInput,
    VoyageEmbedder,
    as_embedder,
)
from atlas_rag.drivers.choose import async_engine_for, engine_for
from atlas_rag.loading import load, read_items
from atlas_rag.wire import adrive, drive
from tests.support import voyage_fake
from tests.support.http_fake import serving
from tests.together.conformance.retriever.corpus import EMBEDDER, collection, retriever

NOTES = [
    {"_id": "refunds", "text": "refunds take five days"},
    {"_id": "parcels", "text": "parcels leave lisbon every morning"},
    {"_id": "hours", "text": "the shop opens at nine"},
]


class Words:
    """The plain and awaited methods that LangChain's embeddings have."""

    model = "words"

    def __init__(self) -> None:
        self.called: list[str] = []

    def embed_query(self, text: str) -> list[float]:
        self.called.append("plain")
        return list(voyage_fake.hashed(text, 64))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [list(voyage_fake.hashed(text, 64)) for text in texts]

    async def aembed_query(self, text: str) -> list[float]:
        self.called.append("awaited")
        return list(voyage_fake.hashed(text, 64))

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return self.embed_documents(texts)


def ask(embedder: Any, similarity: str = "cosine") -> Any:
    collection = LocalClient()["shop"]["notes"]
    engine = engine_for(collection)
    assert drive(load(engine.namespace, read_items(NOTES), embedder), engine).written == 3
    retriever = Retriever(collection, embedder=embedder, inputs=[VectorInput()])
    for index in retriever.required_indexes(similarity=similarity):
        collection.create_search_index(
            {"name": index.name, "type": index.type, "definition": index.definition}
        )
    return retriever.retrieve("when do parcels leave", mode="vector", limit=2)


@pytest.mark.parametrize(
    ("kind", "similarity"),
    [("float", "cosine"), ("int8", "cosine"), ("ubinary", "euclidean"), ("binary", "euclidean")],
)
def test_every_output_type_of_voyage_is_stored_and_found(kind: Any, similarity: str) -> None:
    voyageai = pytest.importorskip("voyageai")
    with serving(voyage_fake.answer) as service:
        client = voyageai.Client(api_key="pa-test", base_url=service.url)
        result = ask(VoyageEmbedder("voyage-4", 256, output_type=kind, client=client), similarity)
    assert result[0].id == "parcels"
    assert result.evidence.embedder_id == f"voyage/voyage-4/256/{kind}"


def test_an_adapted_embedder_answers_and_is_named_in_evidence() -> None:
    result = ask(as_embedder(Words()))
    assert result[0].id == "parcels"
    assert (result.evidence.embedder_id, result.evidence.dimensions) == ("Words/words", 64)


async def test_an_awaited_embedder_answers_without_a_thread() -> None:
    words = Words()
    embedder = as_embedder(words, asynchronous=True)
    async with AsyncLocalClient() as client:
        collection = client["shop"]["notes"]
        engine = async_engine_for(collection)
        await adrive(load(engine.namespace, read_items(NOTES), embedder), engine)
        retriever = AsyncRetriever(collection, embedder=embedder, inputs=[VectorInput()])
        for index in retriever.required_indexes():
            await collection.create_search_index(
                {"name": index.name, "type": index.type, "definition": index.definition}
            )
        words.called.clear()
        result = await retriever.retrieve("when do parcels leave", mode="vector", limit=1)
    assert (result[0].id, words.called) == ("parcels", ["awaited"])


class Counting:
    """Knows the word "refunds" alone, and counts how often it is asked."""

    id, blocking, dimensions = "counting", False, EMBEDDER.dimensions

    def __init__(self) -> None:
        self.asked = 0

    def embed_query(self, text: str) -> list[float]:
        self.asked += 1
        return [float("refunds" in text)] * EMBEDDER.dimensions


def test_a_question_that_nothing_knows_is_an_empty_result_with_a_reason() -> None:
    for mode in ("vector", "hybrid"):
        result = retriever(collection(), embedder=Counting()).retrieve("\N{GRINNING FACE}", mode=mode)
        assert (len(result), result.evidence.empty_reason) == (0, "question_unknown")
    found = retriever(collection(), embedder=Counting()).retrieve("days", mode="hybrid")
    assert found.hits
    assert any("knows no word" in note for note in found.evidence.notes)


def test_a_question_is_embedded_once_though_it_is_asked_again() -> None:
    shop, embedder = collection(), Counting()
    asked = retriever(shop, embedder=embedder)
    asked.retrieve("refunds")
    shop.drop_search_index("text_index")
    result = asked.retrieve("refunds")
    assert any("asked again" in note for note in result.evidence.notes)
    assert embedder.asked == 2
    assert result.evidence.embedder_id == "counting"
