"""One filter, three targets: `$vectorSearch.filter`, `$search` clauses and `$match`, with equal meaning."""

from atlas_rag.stages.filters.match import to_match
from atlas_rag.stages.filters.search import to_search_clauses
from atlas_rag.stages.filters.simplify import Simplified, simplify
from atlas_rag.stages.filters.vector_search import to_vector_search

__all__ = ["Simplified", "simplify", "to_match", "to_search_clauses", "to_vector_search"]
