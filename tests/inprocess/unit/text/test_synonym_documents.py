"""A synonym mapping follows the documents of its collection."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index import SearchIndex, open_search_index

FIELDS = {"t": {"type": "string"}, "e": {"type": "string", "analyzer": "lucene.english"}}
MAPPING = {"name": "s", "source": {"collection": "c"}, "analyzer": "lucene.standard"}


def index_with(documents: list[dict[str, Any]]) -> SearchIndex:
    definition = {"mappings": {"fields": FIELDS}, "synonyms": [MAPPING]}
    index = open_search_index(definition, synonyms=lambda _: list(documents))
    for key, text in enumerate(("tv", "television", "telly")):
        index.put(key, {"_id": key, "t": text})
    return index


def keys(index: SearchIndex, **options: Any) -> list[int]:
    body = {"text": {"path": "t", "query": "tv", "synonyms": "s", **options}}
    return sorted(hit.key for hit in index.search(body).hits)


def test_a_change_of_the_documents_is_seen_by_the_next_search() -> None:
    documents = [{"mappingType": "equivalent", "synonyms": ["tv", "television"]}]
    index = index_with(documents)
    assert keys(index) == [0, 1]
    documents.append({"mappingType": "explicit", "input": ["tv"], "synonyms": ["telly"]})
    assert keys(index) == [0, 1, 2]
    assert keys(index, matchCriteria="any") == [0, 1, 2]
    documents.clear()
    assert keys(index) == [0]


def test_a_mapping_belongs_to_one_analyzer() -> None:
    index = index_with([])
    with pytest.raises(EngineRefusal) as refused:
        index.search({"text": {"path": "e", "query": "tv", "synonyms": "s"}})
    assert refused.value.text == (
        'synonym mapping "s" is only allowed with lucene.standard analyzer, '
        "field e is analyzed with lucene.english analyzer"
    )


def test_an_unknown_mapping_is_refused() -> None:
    with pytest.raises(EngineRefusal, match='unknown synonym mapping name "x"'):
        keys(index_with([]), synonyms="x")
