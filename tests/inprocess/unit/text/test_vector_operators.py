"""Vectors in a search index: `vectorSearch` and `knnBeta` as operators of `$search`."""

from __future__ import annotations

from typing import Any

import pytest
from bson.binary import Binary, BinaryVectorDtype

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index import SearchIndex, open_search_index

VECTOR = {"type": "vector", "numDimensions": 2, "similarity": "cosine"}
LEGACY = {"type": "knnVector", "dimensions": 2, "similarity": "euclidean"}
DOCUMENTS: list[dict[str, Any]] = [
    {"_id": 0, "v": [1.0, 0.0], "k": [0, 0], "t": "a"},
    {"_id": 1, "v": [0.0, 1.0], "k": [3, 4], "t": "b"},
    {"_id": 2, "v": [[1.0, 0.0]], "t": "a"},  # an array of vectors is ignored
    {"_id": 3, "v": Binary.from_vector([1.0, 1.0], BinaryVectorDtype.FLOAT32), "t": "a"},
    {"_id": 4, "v": [1.0, 0.0, 0.0], "t": "a"},  # so is one of another length
]


def index_of(documents: list[dict[str, Any]], partitions: int = 1) -> SearchIndex:
    mappings = {"dynamic": True, "fields": {"v": VECTOR, "k": LEGACY}}
    index = open_search_index({"mappings": mappings, "numPartitions": partitions})
    for document in documents:
        index.put(document["_id"], document)
    return index


def hits(index: SearchIndex, body: dict[str, Any]) -> list[tuple[int, float]]:
    return [(hit.key, pytest.approx(hit.score)) for hit in index.search(body).hits]


def nearest(limit: int = 10, **options: Any) -> dict[str, Any]:
    return {"vectorSearch": {"path": "v", "queryVector": [1, 0], "exact": True, "limit": limit, **options}}


def test_the_nearest_vectors_come_first() -> None:
    assert hits(index_of(DOCUMENTS), nearest()) == [(0, 1.0), (3, (1 + 0.5**0.5) / 2), (1, 0.5)]


def test_a_filter_is_any_operator_and_applies_first() -> None:
    text = {"text": {"path": "t", "query": "b"}}
    assert hits(index_of(DOCUMENTS), nearest(limit=1, filter=text)) == [(1, 0.5)]


def test_its_score_option_has_no_effect() -> None:
    index = index_of(DOCUMENTS)
    assert hits(index, nearest(score={"boost": {"value": 3}})) == hits(index, nearest())


def test_a_limit_counts_over_all_partitions() -> None:
    documents = [{"_id": number, "v": [1.0, number / 10]} for number in range(20)]
    index = index_of(documents, partitions=4)
    assert [key for key, _ in hits(index, nearest(limit=3))] == [0, 1, 2]
    assert index.search(nearest(limit=3)).meta == {"count": {"lowerBound": 3}}


def test_removed_documents_are_not_found() -> None:
    index = index_of(DOCUMENTS)
    index.remove(0)
    assert [key for key, _ in hits(index, nearest())] == [3, 1]


def test_knn_beta_asks_the_older_type() -> None:
    body = {"knnBeta": {"path": "k", "vector": [0, 0], "k": 1, "score": {"boost": {"value": 2}}}}
    assert hits(index_of(DOCUMENTS), body) == [(0, 2.0)]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            nearest() | {"vectorSearch": nearest()["vectorSearch"] | {"path": "t"}},
            't must be indexed as "vector".',
        ),
        (
            {"vectorSearch": nearest()["vectorSearch"] | {"queryVector": [1, 0, 0]}},
            "vector field is indexed with 2 dimensions but queried with 3",
        ),
        (
            {"vectorSearch": nearest()["vectorSearch"] | {"queryVector": [0, 0]}},
            "Cosine similarity cannot be calculated against a zero vector.",
        ),
        ({"knnBeta": {"path": "t", "vector": [1, 0], "k": 1}}, 't must be indexed as "knnVector".'),
        ({"knnBeta": {"path": "v", "vector": [1, 0], "k": 1}}, "No value present"),  # of the newer type
    ],
)
def test_what_does_not_fit_the_mapping_is_refused(body: dict[str, Any], text: str) -> None:
    with pytest.raises(EngineRefusal) as refused:
        index_of(DOCUMENTS).search(body)
    assert refused.value.text == text


def test_a_type_that_needs_an_embedding_service_is_refused() -> None:
    mapping = {"type": "autoEmbedVector", "model": "m", "modality": "text"}
    with pytest.raises(EngineRefusal, match=r'"autoEmbedVector" at path "v" needs an embedding service'):
        open_search_index({"mappings": {"fields": {"v": mapping}}})
