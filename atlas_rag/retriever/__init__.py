"""The whole line in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.query.options import RetrievalOptions, chat_over_chunks
    from atlas_rag.retriever.multi_query import MultiQuery
    from atlas_rag.retriever.progress import Stage, StageEvent
    from atlas_rag.retriever.result import Result
    from atlas_rag.retriever.retriever import AsyncRetriever, Retriever
    from atlas_rag.retriever.rewrite import QueryRewriter, RewriteDecision

__all__ = [
    "AsyncRetriever",
    "MultiQuery",
    "QueryRewriter",
    "Result",
    "RetrievalOptions",
    "Retriever",
    "RewriteDecision",
    "Stage",
    "StageEvent",
    "chat_over_chunks",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        ".query.options": ("RetrievalOptions", "chat_over_chunks"),
        "multi_query": ("MultiQuery",),
        "progress": (
            "Stage",
            "StageEvent",
        ),
        "result": ("Result",),
        "retriever": (
            "AsyncRetriever",
            "Retriever",
        ),
        "rewrite": (
            "QueryRewriter",
            "RewriteDecision",
        ),
    },
)
