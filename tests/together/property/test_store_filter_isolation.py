"""A store filter holds wherever a search can speak: hits, counts, highlights and facets."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atlas_rag import Filter, KeywordInput, LocalClient, Retriever, VectorInput
from atlas_rag.query.filter import combine
from atlas_rag.stages.filters import simplify, to_search_clauses

WORDS = ("red", "green", "blue")
TENANTS = ("a", "b", "c")
rows = st.lists(
    st.tuples(
        st.sampled_from(TENANTS), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.integers(0, 3)
    ),
    min_size=1,
    max_size=15,
)
queries = st.sampled_from(
    [
        None,
        Filter.where("tenant", "b"),
        ~Filter.where("tenant", "a"),
        Filter.where("n", 1) | Filter.where_exists("tenant"),
        Filter.where_not_in("tenant", ["a"]),
        Filter.where_between("n", 0, 2),
    ]
)


def loaded(documents: list[Any]) -> Any:
    """Documents whose every word names their tenant, so that a leak shows in any text."""
    collection = LocalClient()["db"]["c"]
    collection.insert_many(
        {
            "_id": i,
            "tenant": t,
            "n": n,
            "text": " ".join([*words, f"secret{t}"]),
            "facet": f"f{t}",
            "v": [1.0, n],
        }
        for i, (t, words, n) in enumerate(documents)
    )
    fields = [{"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}]
    fields += [{"type": "filter", "path": path} for path in ("tenant", "n")]
    collection.create_search_index(
        {"name": "vector_index", "type": "vectorSearch", "definition": {"fields": fields}}
    )
    mapped = {"tenant": {"type": "token"}, "facet": {"type": "token"}}
    definition = {"mappings": {"dynamic": True, "fields": mapped}}
    collection.create_search_index({"name": "text_index", "definition": definition})
    return collection


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows, st.sampled_from(TENANTS), queries, st.sampled_from(WORDS))
def test_nothing_of_another_tenant_is_seen(
    documents: list[Any], tenant: str, query: Filter | None, word: str
) -> None:
    collection = loaded(documents)
    guard = Filter.where("tenant", tenant)
    inputs = (VectorInput(path="v", exact=True), KeywordInput())
    retriever = Retriever(collection, inputs=inputs, store_filter=guard)
    for mode in ("hybrid", "vector", "keyword"):
        result = retriever.retrieve(word, vector=[1.0, 0.0], mode=mode, filter=query, limit=20)
        assert {hit.document["tenant"] for hit in (*result.hits, *result.rejected)} <= {tenant}

    simple = simplify(combine(guard, query) or guard)
    if isinstance(simple, str):
        return
    own = [t for t, _, _ in documents if t == tenant]
    operator = {
        "compound": {"must": [{"text": {"query": word, "path": "text"}}], **to_search_clauses(simple)}
    }
    (meta,) = collection.aggregate(
        [
            {
                "$searchMeta": {
                    "index": "text_index",
                    "facet": {"operator": operator, "facets": {"f": {"type": "string", "path": "facet"}}},
                    "count": {"type": "total"},
                }
            }
        ]
    )
    assert meta["count"]["total"] <= len(own)
    assert {bucket["_id"] for bucket in meta["facet"]["f"]["buckets"]} <= {f"f{tenant}"}
    highlighted = collection.aggregate(
        [
            {"$search": {"index": "text_index", **operator, "highlight": {"path": "text"}}},
            {"$project": {"shown": {"$meta": "searchHighlights"}}},
        ]
    )
    others = [f"secret{other}" for other in TENANTS if other != tenant]
    assert not any(other in str(document["shown"]) for document in highlighted for other in others)
