"""Index definitions of both types, one part each file."""

from atlas_rag.grammar.definitions.search_index import SEARCH_INDEX
from atlas_rag.grammar.definitions.vector_index import VECTOR_INDEX

__all__ = ["SEARCH_INDEX", "VECTOR_INDEX"]
