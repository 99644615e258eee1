"""Where vectors and texts are, told by the search indexes of a collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from atlas_rag.errors import SearchIndexError

if TYPE_CHECKING:
    from atlas_rag.capability.report import SearchIndex
    from atlas_rag.embed import Embedder
    from atlas_rag.plan import Input
    from atlas_rag.retriever import Retriever

NO_WORDS = ("_id", "content_hash")
"""String fields that hold no text."""


def retriever_of_indexes(collection: Any, embedder: Embedder | None) -> tuple[Retriever, str]:
    """A retriever over the first vector index and the first search index, and the mode that they allow.

    Without an embedder a question is answered by its words: vectors of an unknown model compare with nothing.

    Raises:
        SearchIndexError: INDEX_MISSING, there is none that could answer.
    """
    from atlas_rag.retriever import Retriever

    indexes = _indexes(collection)
    inputs: list[Input] = []
    if embedder is not None:
        inputs += _vector_inputs(indexes)
    inputs += _keyword_inputs(indexes, collection)
    if not inputs:
        vectors = any(one.type == "vectorSearch" for one in indexes)
        raise SearchIndexError(
            "No search index with words is there" if embedder is None else "No search index is there",
            expected="an index that can be queried",
            next_step="name the vectors' --embedder"
            if vectors
            else "atlas-rag index apply, or name a --recipe",
        )
    modes = sorted({one.mode.value for one in inputs})
    return Retriever(collection, inputs=inputs, embedder=embedder), modes[0] if len(modes) == 1 else "hybrid"


def _indexes(collection: Any) -> tuple[SearchIndex, ...]:
    from atlas_rag.retriever import Retriever

    return Retriever(collection).capability().indexes or ()


def _vector_inputs(indexes: tuple[SearchIndex, ...]) -> Sequence[Input]:
    from atlas_rag.plan import VectorInput

    return [
        VectorInput(index=index.name, path=field["path"])
        for index in indexes
        for field in index.definition.get("fields", ())
        if index.type == "vectorSearch" and index.queryable and field.get("type") == "vector"
    ][:1]


def _keyword_inputs(indexes: tuple[SearchIndex, ...], collection: Any) -> Sequence[Input]:
    from atlas_rag.plan import KeywordInput

    return [
        KeywordInput(index=index.name, paths=paths)
        for index in indexes
        if index.type == "search" and index.queryable and (paths := _word_paths(index.definition, collection))
    ][:1]


def _word_paths(definition: Mapping[str, Any], collection: Any) -> tuple[str, ...]:
    """Paths of strings; where everything is indexed dynamically, those of the first document."""
    mappings = definition.get("mappings", {})
    found = _strings(mappings.get("fields", {}), "")
    if mappings.get("dynamic"):
        document = collection.find_one() or {}
        found += [key for key, value in document.items() if isinstance(value, str) and key not in NO_WORDS]
    return tuple(dict.fromkeys(found))


def _strings(fields: Mapping[str, Any], before: str) -> list[str]:
    paths = []
    for name, mapping in fields.items():
        for one in mapping if isinstance(mapping, list) else [mapping]:
            if one.get("type") == "string" and one.get("analyzer") != "lucene.keyword":
                paths.append(before + name)
            elif one.get("type") == "document":
                paths += _strings(one.get("fields", {}), f"{before}{name}.")
    return paths
