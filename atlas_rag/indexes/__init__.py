"""Search indexes as code: definitions, diff, apply, wait."""

from atlas_rag.indexes.ensure import Waiting, ensure_indexes, list_indexes
from atlas_rag.indexes.wanted import WantedIndex

__all__ = ["Waiting", "WantedIndex", "ensure_indexes", "list_indexes"]
