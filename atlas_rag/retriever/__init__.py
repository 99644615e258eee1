"""The whole line in one call."""

from atlas_rag.retriever.result import Result
from atlas_rag.retriever.retriever import AsyncRetriever, Retriever

__all__ = ["AsyncRetriever", "Result", "Retriever"]
