"""What evidence costs: `python -m scripts.bench.contract`."""

from __future__ import annotations

import time
from statistics import median
from typing import Any
from unittest.mock import patch

from atlas_rag import HashingEmbedder, KeywordInput, LocalClient, Retriever, VectorInput
from atlas_rag.retriever import flow
from scripts.bench.table import Figure, show

DOCUMENTS = 5_000
ROUNDS = 400


def main() -> None:
    """Prints the table."""
    show("contract", [evidence()])


def evidence() -> Figure:
    """Share of a hybrid retrieval of 10 hits over 5,000 documents that is spent on its evidence."""
    retriever = _retriever()
    real = flow.record
    spent: list[float] = []

    def timed(*args: Any) -> Any:
        start = time.perf_counter()
        result = real(*args)
        spent.append(time.perf_counter() - start)
        return result

    whole = []
    with patch.object(flow, "record", timed):
        for i in range(ROUNDS):
            start = time.perf_counter()
            asked = f"word{i % 97} word{i % 89} word{i % 83}"
            retriever.retrieve(asked, limit=10, reject_window=0).evidence  # noqa: B018 - made when it is read
            whole.append(time.perf_counter() - start)
    share = median(spent) / (median(whole) - median(spent)) * 100
    return Figure("evidence of a retrieval of 10 hits", share, 5, "%")


def _retriever() -> Retriever:
    embedder = HashingEmbedder(128)
    collection = LocalClient()["app"]["docs"]
    texts = (" ".join(f"word{(i * 31 + j * j) % 997}" for j in range(60)) for i in range(DOCUMENTS))
    collection.insert_many(
        {"_id": i, "text": text, "embedding": embedder.embed_query(text)} for i, text in enumerate(texts)
    )
    fields = [{"type": "vector", "path": "embedding", "numDimensions": 128, "similarity": "cosine"}]
    collection.create_search_index(
        {"name": "vector_index", "type": "vectorSearch", "definition": {"fields": fields}}
    )
    collection.create_search_index({"name": "text_index", "definition": {"mappings": {"dynamic": True}}})
    return Retriever(collection, inputs=(VectorInput(), KeywordInput()), embedder=embedder)


if __name__ == "__main__":
    main()
