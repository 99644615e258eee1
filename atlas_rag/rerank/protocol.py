"""What a reranker is: a second opinion on how well each text answers the question."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import NamedTuple, Protocol


class Reranked(NamedTuple):
    """One text's score on the reranker's own scale, higher is better; `position` counts from 0 as given."""

    position: int
    score: float


class Reranker(Protocol):
    """Scores texts against a question. `rerank` may return an awaitable for async retrievers.

    It returns one entry per text it has an opinion on, in any order; a text without an entry is unscored.

    Attributes:
        id: names provider and model, for evidence.
        blocking: whether a call waits for a network or computes for long.
    """

    @property
    def id(self) -> str: ...
    @property
    def blocking(self) -> bool: ...

    def rerank(
        self, query: str, texts: Sequence[str]
    ) -> Sequence[Reranked] | Awaitable[Sequence[Reranked]]: ...
