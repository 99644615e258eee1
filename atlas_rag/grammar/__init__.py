"""What the search engine's parser accepts and refuses, and in which words.

The language can be read off the files: `operators/` (one `$search` operator each), `definitions/` (one part
of an index definition each), and beside them what several share: paths, literals, geometry, scores, vectors,
filters, facets, sorting, tokens, scopes. `kit/` is the small grammar kit that all are written in.

Every function takes the BSON values of one document (what a driver would send) and returns all problems, the
engine's own first complaint first; an empty list means that the engine's parser accepts the document. Rules
that need an index are not here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.grammar.documents import (
        DOCUMENTS,
        VECTOR_SEARCH_FIELDS,
        create_problems,
        problems,
        search_index_problems,
        search_meta_problems,
        search_problems,
        vector_index_problems,
        vector_search_problems,
    )
    from atlas_rag.grammar.kit import is_string
    from atlas_rag.grammar.models import EMBEDDING_MODELS, with_model_defaults
    from atlas_rag.grammar.problem import Problem

__all__ = [
    "DOCUMENTS",
    "EMBEDDING_MODELS",
    "VECTOR_SEARCH_FIELDS",
    "Problem",
    "create_problems",
    "is_string",
    "problems",
    "search_index_problems",
    "search_meta_problems",
    "search_problems",
    "vector_index_problems",
    "vector_search_problems",
    "with_model_defaults",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "documents": (
            "DOCUMENTS",
            "VECTOR_SEARCH_FIELDS",
            "create_problems",
            "problems",
            "search_index_problems",
            "search_meta_problems",
            "search_problems",
            "vector_index_problems",
            "vector_search_problems",
        ),
        "models": (
            "EMBEDDING_MODELS",
            "with_model_defaults",
        ),
        "problem": ("Problem",),
        "kit": ("is_string",),
    },
)
