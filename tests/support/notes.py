"""Three notes on the in-process engine, with the indexes that a retriever expects."""

from __future__ import annotations

from typing import Any

from atlas_rag import HashingEmbedder

EMBEDDER = HashingEmbedder(64)
NOTES: list[dict[str, Any]] = [
    {"_id": "refunds", "text": "Refunds take five days. Keep the receipt.", "team": "billing", "score": 9},
    {"_id": "shipping", "text": "Parcels are shipped from Lisbon every morning.", "team": "delivery"},
    {"_id": "returns", "text": "A parcel can be returned for thirty days.", "team": "billing"},
]
INDEXES: list[dict[str, Any]] = [
    {
        "name": "vector_index",
        "type": "vectorSearch",
        "definition": {
            "fields": [
                {"type": "vector", "path": "embedding", "numDimensions": 64, "similarity": "cosine"},
                {"type": "filter", "path": "team"},
            ]
        },
    },
    {
        "name": "text_index",
        "type": "search",
        "definition": {"mappings": {"dynamic": True, "fields": {"team": {"type": "token"}}}},
    },
]


def documents() -> list[dict[str, Any]]:
    """The notes with their vectors."""
    return [{**note, "embedding": EMBEDDER.embed_query(note["text"])} for note in NOTES]


def fill(collection: Any) -> Any:
    """A synchronous collection, filled and indexed."""
    collection.insert_many(documents())
    for index in INDEXES:
        collection.create_search_index(index)
    return collection


async def afill(collection: Any) -> Any:
    """An asynchronous collection, filled and indexed."""
    await collection.insert_many(documents())
    for index in INDEXES:
        await collection.create_search_index(index)
    return collection
