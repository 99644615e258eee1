"""What a user writes, for type checkers: read by `tests/test_typing.py`, never run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, assert_type

from pymongo import AsyncMongoClient, MongoClient

from atlas_rag import (
    AsyncRetriever,
    Filter,
    Fusion,
    HashingEmbedder,
    Hit,
    KeywordInput,
    LocalClient,
    Neighbours,
    Result,
    RetrievalOptions,
    Retriever,
    Score,
    VectorInput,
)


@dataclass
class Note:
    id: str
    text: str


def plain(client: MongoClient[dict[str, Any]]) -> None:
    retriever = Retriever(
        client["shop"]["notes"],
        inputs=[VectorInput(exact=True), KeywordInput(paths=("text",))],
        fusion=Fusion.rank({"vector": 2.0}),
        embedder=HashingEmbedder(64),
        options=RetrievalOptions(limit=3, require_hybrid_search=True),
        store_filter=Filter.where("tenant", "a"),
    )
    result = retriever.retrieve(
        "words", mode="hybrid", limit=2, neighbours=Neighbours(by="doc", position="n")
    )
    for hit in result:
        assert_type(hit.rank, int)
        assert_type(hit.score, Score | None)
        assert_type(hit.fields, Mapping[str, Any])
    assert_type(result.why_empty, str | None)
    assert_type(result.count, int | None)


def typed() -> None:
    retriever = Retriever(LocalClient()["shop"]["notes"], document=Note)
    assert_type(retriever, Retriever[Note])
    result = retriever.retrieve("words")
    assert_type(result, Result[Note])
    assert_type(result[0], Hit[Note])
    assert_type(result[0].document.text, str)


async def awaited(client: AsyncMongoClient[dict[str, Any]]) -> list[Note]:
    retriever = AsyncRetriever(client["shop"]["notes"], document=Note)
    result = await retriever.retrieve("words", filter={"year": {"$gte": 2020}}, variants=["other words"])
    return [hit.document for hit in result]


def wrong(retriever: Retriever[Note]) -> None:
    retriever.retrieve("words", mode="hybird")  # type: ignore[arg-type]
    retriever.retrieve("words", limitt=3)  # type: ignore[call-arg]
    RetrievalOptions(limit="three")  # type: ignore[arg-type]
