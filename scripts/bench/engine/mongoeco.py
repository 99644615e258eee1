"""The in-process engine beside the published figures of mongoeco 4.11, the nearest other local engine.

    python -m scripts.bench.engine.mongoeco

mongoeco needs Python 3.13 and is no dependency; its figures are for its memory engine on a machine of this
size: 20,000 documents of 100 words and 128 dimensions inserted in 31.1 s, three terms searched in 201 ms
once its index is built, a vector search in 41.8 s.
"""

from __future__ import annotations

import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from atlas_rag import LocalClient
from scripts.bench.engine.collections import made
from scripts.bench.engine.timing import mid_ms
from scripts.bench.table import Figure, show

DOCUMENTS = 20_000
INSERT_S, TEXT_MS, VECTOR_MS = 31.1, 201.0, 41_800.0
AT_LEAST = 20.0


def main() -> None:
    """Prints how many times faster each is."""
    data = made(DOCUMENTS)
    collection = LocalClient()["bench"]["docs"]
    started = time.perf_counter()
    collection.insert_many(data.documents)
    insert = time.perf_counter() - started
    mapped = {"mappings": {"dynamic": False, "fields": {"text": {"type": "string"}}}}
    collection.create_search_index({"name": "t", "definition": mapped})
    field = {"type": "vector", "path": "v", "numDimensions": data.dimensions, "similarity": "cosine"}
    collection.create_search_index({"name": "v", "type": "vectorSearch", "definition": {"fields": [field]}})

    def text(question: str) -> object:
        body = {"index": "t", "text": {"query": " ".join(question.split()[:3]), "path": "text"}}
        return list(collection.aggregate([{"$search": body}, {"$limit": 10}]))

    def vector(query: list[float]) -> object:
        body = {"index": "v", "path": "v", "queryVector": query, "numCandidates": 100, "limit": 10}
        return list(collection.aggregate([{"$vectorSearch": body}]))

    text(data.texts[0])
    vector(data.vectors[0])
    show(
        f"times faster than mongoeco 4.11 on {DOCUMENTS:,} documents",
        [
            Figure("insert", INSERT_S / insert, AT_LEAST, "×", at_least=True),
            Figure(
                "text, three terms", TEXT_MS / mid_ms(text, data.texts[:50]), AT_LEAST, "×", at_least=True
            ),
            Figure("vector", VECTOR_MS / mid_ms(vector, data.vectors[:50]), AT_LEAST, "×", at_least=True),
        ],
    )


if __name__ == "__main__":
    main()
