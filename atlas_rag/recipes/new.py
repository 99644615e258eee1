"""A recipe to start from."""

from __future__ import annotations

from typing import Any

from atlas_rag.indexes import WantedIndex
from atlas_rag.plan import KeywordInput, VectorInput


def new_recipe(name: str, embedder: Any, texts: tuple[str, ...], filters: tuple[str, ...]) -> dict[str, Any]:
    """The content of a first version: vectors and keywords with equal weights, and their index definitions.

    Args:
        embedder: with an id and dimensions. texts: string fields. filters: paths that every call filters by.
    """
    inputs = [VectorInput(), KeywordInput(paths=texts)]
    vector = {
        "type": "vector",
        "path": "embedding",
        "numDimensions": embedder.dimensions,
        "similarity": "cosine",
    }
    by_vector = {"fields": [vector, *({"type": "filter", "path": path} for path in filters)]}
    words: dict[str, Any] = {path: {"type": "string", "analyzer": "lucene.standard"} for path in texts}
    fields = words | {path: {"type": "token"} for path in filters}
    indexes = (
        WantedIndex("vector_index", "vectorSearch", by_vector),
        WantedIndex("text_index", "search", {"mappings": {"dynamic": False, "fields": fields}}),
    )
    return {
        "name": name,
        "version": 1,
        "mode": "hybrid",
        "embedder": embedder.id,
        **({"required_filters": list(filters)} if filters else {}),
        "inputs": [one.to_dict() for one in inputs],
        "indexes": [index.to_dict() for index in indexes],
        "provenance": {"weights": "default"},
    }
