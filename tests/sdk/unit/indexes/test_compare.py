"""Definitions are compared by what they mean."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.indexes.changes.compare import differences, legacy_vectors

VECTOR = {"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}
FILTER = {"type": "filter", "path": "tenant"}


def mapped(**fields: Any) -> dict[str, Any]:
    return {"mappings": {"dynamic": False, "fields": fields}}


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        pytest.param("vectorSearch", {"fields": [VECTOR, FILTER]}, {"fields": [FILTER, VECTOR]}, id="order"),
        pytest.param(
            "vectorSearch",
            {"fields": [VECTOR]},
            {
                "fields": [
                    {
                        **VECTOR,
                        "quantization": "none",
                        "indexingMethod": "hnsw",
                        "hnswOptions": {"maxEdges": 16, "numEdgeCandidates": 100},
                    }
                ],
                "numPartitions": 1,
                "storedSource": False,
            },
            id="vector-defaults",
        ),
        pytest.param(
            "search",
            {"mappings": {"dynamic": True}},
            {
                "mappings": {"dynamic": True, "fields": {}},
                "analyzer": "lucene.standard",
                "searchAnalyzer": "lucene.standard",
                "storedSource": False,
            },
            id="search-defaults",
        ),
        pytest.param(
            "search",
            {**mapped(a={"type": "string"}), "analyzer": "lucene.english"},
            {**mapped(a=[{"type": "string", "store": True}]), "analyzer": "lucene.english"}
            | {"searchAnalyzer": "lucene.english"},
            id="one-field-or-a-list-of-one",
        ),
        pytest.param(
            "search",
            mapped(a=[{"type": "string"}, {"type": "token"}]),
            mapped(a=[{"type": "token", "normalizer": "none"}, {"type": "string"}]),
            id="order-of-types",
        ),
        pytest.param(
            "search",
            mapped(a={"type": "string", "analyzer": "lucene.english"}),
            mapped(
                a={"type": "string", "analyzer": "lucene.english", "searchAnalyzer": "lucene.english"},
            ),
            id="search-analyzer",
        ),
        pytest.param(
            "search",
            {**mapped(a={"type": "string"}), "storedSource": {"include": ["a", "b"]}},
            {**mapped(a={"type": "string"}), "storedSource": {"include": ["b", "a"]}},
            id="stored-paths",
        ),
        pytest.param(
            "search",
            mapped(d={"type": "document", "fields": {"n": {"type": "number"}}}),
            mapped(d={"type": "document", "dynamic": False, "fields": {"n": {"type": "number"}}}),
            id="documents",
        ),
    ],
)
def test_two_ways_to_say_the_same(kind: Any, one: Any, other: Any) -> None:
    assert differences(kind, one, other) == ()
    assert differences(kind, other, one) == ()


@pytest.mark.parametrize(
    ("kind", "one", "other", "said"),
    [
        (
            "vectorSearch",
            {"fields": [VECTOR]},
            {"fields": [{**VECTOR, "numDimensions": 3}]},
            "fields.vector v.numDimensions: 2 → 3",
        ),
        (
            "vectorSearch",
            {"fields": [VECTOR]},
            {"fields": [VECTOR, FILTER]},
            "fields.filter tenant: (none) → {'type': 'filter', 'path': 'tenant'}",
        ),
        (
            "vectorSearch",
            {"fields": [VECTOR]},
            {"fields": [{**VECTOR, "hnswOptions": {"maxEdges": 32}}]},
            "fields.vector v.hnswOptions.maxEdges: 16 → 32",
        ),
        (
            "vectorSearch",
            {"fields": [VECTOR]},
            {"fields": [VECTOR], "nestedRoot": "chunks"},
            "nestedRoot: (none) → chunks",
        ),
        ("search", mapped(), {"mappings": {"dynamic": True}}, "mappings.dynamic: False → True"),
        (
            "search",
            mapped(a={"type": "string"}),
            {**mapped(a={"type": "string"}), "searchAnalyzer": "lucene.simple"},
            "searchAnalyzer: lucene.standard → lucene.simple",
        ),
        (
            "search",
            mapped(a={"type": "token"}),
            mapped(a={"type": "token", "normalizer": "lowercase"}),
            "mappings.fields.a.token.normalizer: none → lowercase",
        ),
    ],
)
def test_a_difference_says_where_and_what(kind: Any, one: Any, other: Any, said: str) -> None:
    assert [str(found) for found in differences(kind, one, other)] == [said]


def test_old_vector_mappings_are_found_at_any_depth() -> None:
    old = {"type": "knnVector", "dimensions": 2, "similarity": "cosine"}
    definition = mapped(a=old, d={"type": "document", "fields": {"b": [{"type": "string"}, old]}})
    assert legacy_vectors(definition) == ("a", "d.b")
    assert legacy_vectors({"fields": [VECTOR]}) == ()
