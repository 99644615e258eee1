"""The two kinds of search index, opened empty or from disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from atlas_rag.inprocess.index import Index
from atlas_rag.inprocess.models import Models

Document = Mapping[str, Any]
DocumentsOf = Callable[[str], list[dict[str, Any]]]
DocumentOf = Callable[[int], Document | None]


def open_index(
    kind: str,
    definition: Document,
    documents_of: DocumentsOf,
    document_of: DocumentOf,
    folder: Path | None = None,
    *,
    simulate_loss: bool = False,
    models: Models,
) -> Index:
    """Returns an index: empty, or as it was saved in a folder.

    Args:
        kind: "search" or "vectorSearch".
        definition: well formed.
        document_of: returns a document of the indexed collection by its key.
        documents_of: returns the documents of a collection of the same database, for synonyms.
        simulate_loss: whether approximate vector searches may miss hits.
        models: what automated embedding is done by.

    Raises:
        EngineRefusal: the definition asks for what the engine does not have.
        OSError, ValueError: the folder holds no readable index.
    """
    if kind == "vectorSearch":
        from atlas_rag.inprocess.search.vector_index import open_vector_index

        return open_vector_index(definition, folder=folder, simulate_loss=simulate_loss, models=models)
    from atlas_rag.inprocess.search.search_index import open_search_index

    sources = {
        mapping["name"]: mapping["source"]["collection"] for mapping in definition.get("synonyms") or ()
    }
    opened: Any = open_search_index(
        definition,
        synonyms=lambda name: documents_of(sources[name]),
        folder=folder,
        document_of=document_of,
        simulate_loss=simulate_loss,
    )
    index: Index = opened
    return index
