"""The whole line in one call."""

from atlas_rag.query.options import RetrievalOptions, chat_over_chunks
from atlas_rag.retriever.progress import Stage, StageEvent
from atlas_rag.retriever.result import Result
from atlas_rag.retriever.retriever import AsyncRetriever, Retriever
from atlas_rag.retriever.rewrite import QueryRewriter, RewriteDecision

__all__ = [
    "AsyncRetriever",
    "QueryRewriter",
    "Result",
    "RetrievalOptions",
    "Retriever",
    "RewriteDecision",
    "Stage",
    "StageEvent",
    "chat_over_chunks",
]
