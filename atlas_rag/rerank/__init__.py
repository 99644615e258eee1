"""Reordering hits by a second opinion."""

from atlas_rag.rerank.lexical import LexicalReranker
from atlas_rag.rerank.protocol import Reranked, Reranker
from atlas_rag.rerank.selection import FinalSelection, select

__all__ = ["FinalSelection", "LexicalReranker", "Reranked", "Reranker", "select"]
