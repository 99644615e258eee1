"""Vector indexes: `$vectorSearch` answered like the engine, from exact scans of numpy arrays.

definition.py (definition → fields) → space.py (document → columns) → column.py, arrivals.py + filters/
query.py (body → question) → filters/ (mask) → rows.py, nested.py (best rows) → index.py (hits)

`VectorColumn` stands alone as well: a search index keeps its vector fields in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from atlas_rag.inprocess.models import Models
from atlas_rag.inprocess.search.vector_index.column import VectorColumn
from atlas_rag.inprocess.search.vector_index.definition import NO_MODELS
from atlas_rag.inprocess.search.vector_index.index import VectorIndex
from atlas_rag.inprocess.search.vector_index.values import Vector, read_vector

__all__ = ["Vector", "VectorColumn", "VectorIndex", "open_vector_index", "read_vector"]


def open_vector_index(
    definition: Mapping[str, Any],
    *,
    folder: Path | None = None,
    simulate_loss: bool = False,
    models: Models = NO_MODELS,
) -> VectorIndex:
    """Opens an index of type "vectorSearch": empty, or as `save` left it in `folder`.

    Args:
        definition: accepted by `grammar.vector_index_problems`.
        simulate_loss: whether approximate questions may miss hits; by default they miss nothing.
        models: what fields of type "autoEmbed" are embedded by.

    Raises:
        EngineRefusal: the definition needs a model that is not given.
        OSError, ValueError: `folder` holds no readable index.
    """
    index = VectorIndex(definition, simulate_loss=simulate_loss, models=models)
    if folder is not None:
        index.load(folder)
    return index
