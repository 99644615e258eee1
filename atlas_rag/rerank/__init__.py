"""Reordering hits by a second opinion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.query.selection import FinalSelection
    from atlas_rag.rerank.adapt import AdaptedReranker, as_reranker
    from atlas_rag.rerank.cohere import CohereReranker
    from atlas_rag.rerank.lexical import LexicalReranker
    from atlas_rag.rerank.protocol import Reranked, Reranker
    from atlas_rag.rerank.selection import select
    from atlas_rag.rerank.voyage import VoyageReranker

__all__ = [
    "AdaptedReranker",
    "CohereReranker",
    "FinalSelection",
    "LexicalReranker",
    "Reranked",
    "Reranker",
    "VoyageReranker",
    "as_reranker",
    "select",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "adapt": (
            "AdaptedReranker",
            "as_reranker",
        ),
        "cohere": ("CohereReranker",),
        "lexical": ("LexicalReranker",),
        "protocol": (
            "Reranked",
            "Reranker",
        ),
        ".query.selection": ("FinalSelection",),
        "selection": ("select",),
        "voyage": ("VoyageReranker",),
    },
)
