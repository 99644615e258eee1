"""Search indexes as code: definitions, diff, apply, wait."""

from atlas_rag.indexes import definitions
from atlas_rag.indexes.definitions import *  # noqa: F403  every class of a definition is a name of this room
from atlas_rag.indexes.ensure import Waiting, ensure_indexes, list_indexes
from atlas_rag.indexes.wanted import WantedIndex

__all__ = ["Waiting", "WantedIndex", "ensure_indexes", "list_indexes", *definitions.__all__]
