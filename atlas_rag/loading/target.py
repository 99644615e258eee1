"""How a loaded document looks, and how its content is recognised again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bson import encode

from atlas_rag.embed import Embedder
from atlas_rag.errors import CallError
from atlas_rag.loading.item import Item, canonical
from atlas_rag.stages.vector import as_vector

LARGEST_DOCUMENT = 16 * 1024 * 1024
"""Bytes. Source: MongoDB limits."""
INPUT_TYPE = "document"


@dataclass(frozen=True, slots=True)
class Target:
    """Fields that loading adds.

    Args:
        vector_path: top-level field of the vector. hash_path: of the content hash.
    """

    vector_path: str = "embedding"
    hash_path: str = "content_hash"

    def __post_init__(self) -> None:
        for path in (self.vector_path, self.hash_path):
            if not path or "." in path or path.startswith("$") or path == "_id":
                raise CallError(f"{path!r} cannot be written to", expected="the name of a top-level field")

    def content_hash(self, item: Item, embedder: Embedder) -> str:
        """Tells whether a stored document is up to date, in text, fields, model, length and input type.

        Formula: SHA-256 of the canonical Extended JSON of [model, dimensions, input type, text, document].
        """
        content = [embedder.id, embedder.dimensions, INPUT_TYPE, item.text, dict(item.document)]
        return hashlib.sha256(canonical(content).encode()).hexdigest()

    def document(self, item: Item, vector: Any, content_hash: str) -> dict[str, Any]:
        """The document as it is stored."""
        own = {self.vector_path: as_vector(vector), self.hash_path: content_hash}
        return {**item.document, **own, "_id": item.id}


def size_of(document: Mapping[str, Any]) -> int:
    """Bytes of the document as BSON.

    Raises:
        ValueError: it is larger than a server takes; names the largest field. Or it is no BSON at all.
    """
    try:
        size = len(encode(document))
    except Exception as error:  # what bson raises for odd values has no common class
        raise ValueError(f"cannot be stored as BSON ({type(error).__name__})") from error
    if size > LARGEST_DOCUMENT:
        sizes = {name: len(encode({name: value})) for name, value in document.items()}
        largest = max(sizes, key=lambda name: sizes[name])
        raise ValueError(
            f"has {size} bytes, {LARGEST_DOCUMENT} are allowed; "
            f"the field {largest!r} alone has {sizes[largest]}"
        )
    return size
