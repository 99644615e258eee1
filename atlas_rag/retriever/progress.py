"""Stage events: what a retrieval is doing, with times and counts, never with text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """The stages of one retrieval, in order; those that are not needed do not appear."""

    QUERY_REWRITE = "query_rewrite"
    FILTERING = "filtering"
    EMBEDDING = "embedding"
    RETRIEVAL = "retrieval"
    STORED_VECTORS = "stored_vectors"
    RERANKING = "reranking"
    BESIDE = "beside"
    CONTEXT_BUILD = "context_build"


@dataclass(frozen=True, slots=True)
class StageEvent:
    """One stage has ended.

    Args:
        seconds: how long it took. count: documents that came out of it, or None.
    """

    stage: Stage
    seconds: float
    count: int | None = None


ProgressCallback = Callable[[StageEvent], Awaitable[None] | None]
"""May be synchronous, or asynchronous with an `AsyncRetriever`. A failing callback does not break a query."""
