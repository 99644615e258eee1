"""What an embedder is."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, Protocol, TypeAlias

Embedding: TypeAlias = Any
"""A sequence of numbers, a numpy array or BinData subtype 9: whatever `as_vector` takes."""


class Embedder(Protocol):
    """Turns text into vectors of one space. Both methods may return an awaitable for async retrievers.

    Attributes:
        id: names model and settings; two embedders of one id share a vector space.
        dimensions: length of every vector; None while it is not known.
        blocking: whether a call waits for a network or computes for long.
    """

    @property
    def id(self) -> str: ...
    @property
    def dimensions(self) -> int | None: ...
    @property
    def blocking(self) -> bool: ...

    def embed_query(self, text: str) -> Embedding | Awaitable[Embedding]: ...
    def embed_documents(
        self, texts: Sequence[str]
    ) -> Sequence[Embedding] | Awaitable[Sequence[Embedding]]: ...
