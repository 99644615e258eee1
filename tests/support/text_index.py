"""A search index over a few documents, and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from atlas_rag.inprocess.search.search_index import SearchIndex, open_search_index


def indexed(
    fields: Mapping[str, Any],
    documents: Iterable[Mapping[str, Any]],
    *,
    synonyms: list[dict[str, Any]] | None = None,
    **definition: Any,
) -> SearchIndex:
    """Indexes documents under mapped fields; keys count from 0. `synonyms` is the mapping "s" (standard)."""
    whole = {"mappings": {"fields": fields}, **definition}
    if synonyms is not None:
        source = {"name": "s", "analyzer": "lucene.standard", "source": {"collection": "c"}}
        whole["synonyms"] = [source]
    index = open_search_index(whole, synonyms=lambda name: synonyms or [])
    for key, document in enumerate(documents):
        index.put(key, document)
    return index


def keys(index: SearchIndex, **body: Any) -> list[int]:
    """The keys of the hits in order."""
    return [hit.key for hit in index.search(body).hits]


def scores(index: SearchIndex, **body: Any) -> list[tuple[int, float]]:
    """Key and score, rounded to six digits, of the hits in order."""
    return [(hit.key, round(hit.score, 6)) for hit in index.search(body).hits]


def details(index: SearchIndex, **body: Any) -> dict[str, Any]:
    """The score details of the first hit."""
    found: dict[str, Any] = index.search({**body, "scoreDetails": True}).hits[0].meta["searchScoreDetails"]
    return found
