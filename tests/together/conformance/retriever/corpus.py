"""A small shop, in process, at any release: documents, indexes and retrievers for the conformance tests."""

from __future__ import annotations

from typing import Any

import atlas_rag
from atlas_rag import HashingEmbedder, KeywordInput, LocalClient, VectorInput

DIMENSIONS = 64
EMBEDDER = HashingEmbedder(DIMENSIONS)
TEXTS = {
    "refund": "refunds are paid within five days",
    "receipt": "keep the receipt for refunds and returns",
    "ship": "parcels ship every morning from lisbon",
    "track": "track parcels with the tracking number",
    "iso": "our ISO-27001 certificate is renewed each year",
    "holiday": "the shop is closed on public holidays",
    "returns": "returns are free within thirty days",
    "gift": "gift cards never expire and are not refunded",
}
TENANTS = {name: "a" if i % 2 == 0 else "b" for i, name in enumerate(TEXTS)}
VECTOR_FIELDS = [
    {"type": "vector", "path": "embedding", "numDimensions": DIMENSIONS, "similarity": "cosine"},
    {"type": "filter", "path": "tenant"},
    {"type": "filter", "path": "n"},
]
TEXT_MAPPINGS = {
    "mappings": {
        "dynamic": False,
        "fields": {
            "text": {"type": "string", "analyzer": "lucene.english"},
            "tenant": {"type": "token"},
            "n": {"type": "number"},
        },
    }
}
VECTOR_INDEX = {"name": "vector_index", "type": "vectorSearch", "definition": {"fields": VECTOR_FIELDS}}
TEXT_INDEX = {"name": "text_index", "type": "search", "definition": TEXT_MAPPINGS}


def collection(
    release: str = "8.2", *, indexes: tuple[dict[str, Any], ...] = (VECTOR_INDEX, TEXT_INDEX)
) -> Any:
    """A fresh collection at a release."""
    shop = LocalClient(server_version=release)["shop"]["notes"]
    shop.insert_many(
        {
            "_id": name,
            "text": text,
            "title": name,
            "tenant": TENANTS[name],
            "n": i,
            "embedding": EMBEDDER.embed_query(text),
        }
        for i, (name, text) in enumerate(TEXTS.items())
    )
    for index in indexes:
        shop.create_search_index(index)
    return shop


def retriever(target: Any, **settings: Any) -> atlas_rag.Retriever:
    """A retriever with exact vectors, so that nothing depends on an approximation."""
    inputs = (VectorInput(exact=True), KeywordInput())
    return atlas_rag.Retriever(target, **{"inputs": inputs, "embedder": EMBEDDER, **settings})
