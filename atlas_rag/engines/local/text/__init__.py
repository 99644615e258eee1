"""Search indexes: text and values indexed by path, `$search` and `$searchMeta` answered like the engine.

mapping.py (definition → paths) → documents.py (document → fields/) → storage/ (arrays)
operators/ (body → queries/) → ranking.py, sorting.py, highlighting.py, faceting.py → index.py
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.engines.local.text.index import SearchIndex
from atlas_rag.engines.local.text.operators.context import Synonyms

__all__ = ["SearchIndex", "open_search_index"]


def open_search_index(
    definition: Mapping[str, Any], *, synonyms: Synonyms | None = None, new_synonyms: bool = False
) -> SearchIndex:
    """Opens an empty index for a well-formed definition of type "search"."""
    return SearchIndex(definition, synonyms=synonyms, new_synonyms=new_synonyms)
