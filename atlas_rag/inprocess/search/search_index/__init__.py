"""Search indexes: text and values indexed by path, `$search` and `$searchMeta` answered like the engine.

mapping.py (definition → paths) → documents.py (document → fields/) → storage/ (arrays)
operators/ (body → queries/) → ranking.py, sorting.py, highlighting.py, faceting.py → index.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from atlas_rag.inprocess.search.search_index.index import SearchIndex
from atlas_rag.inprocess.search.search_index.operators.context import Synonyms

__all__ = ["SearchIndex", "open_search_index"]


def open_search_index(
    definition: Mapping[str, Any],
    *,
    synonyms: Synonyms | None = None,
    new_synonyms: bool = False,
    folder: Path | None = None,
    document_of: Callable[[int], Mapping[str, Any] | None] = lambda key: None,
    simulate_loss: bool = False,
) -> SearchIndex:
    """Opens an index of type "search": empty, or as `save` left it in `folder`.

    Args:
        definition: accepted by `grammar.search_index_problems`.
        synonyms: returns the documents of a synonym mapping's collection, by the mapping's name.
        new_synonyms: the engine's flag for the graph-aware synonym syntax of `text`.
        document_of: returns the documents that a saved index was made from, by key.
        simulate_loss: whether approximate vector searches may miss hits.

    Raises:
        EngineRefusal: the definition names an analyzer that is not there.
        OSError, ValueError: `folder` holds no readable index.
    """
    index = SearchIndex(definition, synonyms=synonyms, new_synonyms=new_synonyms, simulate_loss=simulate_loss)
    if folder is not None:
        index.load(folder, document_of)
    return index
