"""Leak by leak: what a pipeline written by hand finds, and what a retriever makes of the same filter.

The rows of the table in `docs/concepts/filters.md`.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from bson import Binary, Int64, ObjectId

from atlas_rag import (
    CallError,
    Code,
    Filter,
    HashingEmbedder,
    KeywordInput,
    LocalClient,
    Retriever,
    VectorInput,
)
from atlas_rag.drivers.choose import engine_for
from atlas_rag.indexes import ensure_indexes
from atlas_rag.stages.filters import simplify, to_search_clauses
from atlas_rag.wire import drive

BIG = 1234567890123456789
NOON = dt.datetime(2026, 1, 1, 12)
ID, OTHER_ID = ObjectId("0" * 24), ObjectId("1" * 24)
MODES = ("keyword", "hybrid", "vector")
ROUTES = ("native", "emulated", "client")


@dataclass(frozen=True)
class Leak:
    """A mapping under which a search index decides a filter otherwise than it is meant.

    Args:
        inside, outside: values of the field `f`; a document without the field where they are absent.
        line: what the refusal says should be added.
    """

    name: str
    mapping: dict[str, Any]
    condition: Filter
    inside: dict[str, Any]
    outside: dict[str, Any]
    line: str
    leaks: bool = True
    more: dict[str, Any] = field(default_factory=dict)


STATIC: dict[str, Any] = {"dynamic": False}
TOKEN, STRING = {"type": "token"}, {"type": "string"}
NOT = Filter.where_not

LEAKS = (
    Leak("ne-dynamic", {"dynamic": True}, NOT("f", "x"), {"f": "y"}, {"f": "x"}, "token"),
    Leak(
        "not-in-dynamic", {"dynamic": True}, Filter.where_not_in("f", ["x"]), {"f": "y"}, {"f": "x"}, "token"
    ),
    Leak("complement-dynamic", {"dynamic": True}, ~Filter.where("f", "x"), {}, {"f": "x"}, "token"),
    Leak("missing-static", STATIC, Filter.where_missing("f"), {}, {"f": NOON}, "token"),
    Leak(
        "lowercase",
        {"fields": {"f": {"type": "token", "normalizer": "lowercase"}}},
        Filter.where("f", "Acme"),
        {"f": "Acme"},
        {"f": "acme"},
        "token",
    ),
    Leak("int-token", {"fields": {"f": TOKEN}}, NOT("f", 5), {"f": 6}, {"f": 5}, "number"),
    Leak("bool-token", {"fields": {"f": TOKEN}}, NOT("f", True), {"f": False}, {"f": True}, "boolean"),
    Leak("date-token", {"fields": {"f": TOKEN}}, ~Filter.where_gte("f", NOON), {}, {"f": NOON}, "date"),
    Leak("id-string", {"fields": {"f": STRING}}, NOT("f", ID), {"f": OTHER_ID}, {"f": ID}, "objectId"),
    Leak(
        "uuid-token",
        {"fields": {"f": TOKEN}},
        ~Filter.where("f", UUID(int=1)),
        {"f": Binary.from_uuid(UUID(int=2))},
        {"f": Binary.from_uuid(UUID(int=1))},
        "uuid",
    ),
    Leak(
        "string-autocomplete",
        {"fields": {"f": {"type": "autocomplete"}}},
        NOT("f", "x"),
        {"f": "y"},
        {"f": "x"},
        "token",
    ),
    Leak(
        "string-number", {"fields": {"f": {"type": "number"}}}, NOT("f", "x"), {"f": "y"}, {"f": "x"}, "token"
    ),
    Leak("neighbour", {"dynamic": True}, Filter.where("f", BIG), {"f": BIG}, {"f": BIG + 1}, "int64"),
    Leak(
        "fraction",
        {"fields": {"f": {"type": "number", "representation": "int64"}}},
        Filter.where_lte("f", 5) & Filter.where_gt("f", 4),
        {"f": 5},
        {"f": 5.5},
        "number",
    ),
    Leak(
        "no-doubles",
        {"fields": {"f": {"type": "number", "indexDoubles": False}}},
        NOT("f", 5),
        {"f": 6},
        {"f": 5.0},
        "number",
    ),
    Leak(
        "embedded",
        {"fields": {"f": {"type": "embeddedDocuments", "fields": {"g": TOKEN}}}},
        ~Filter.where("f.g", "x"),
        {"f": [{"g": "y"}]},
        {"f": [{"g": "x"}]},
        "token",
    ),
    Leak(
        "below-a-static-document",
        {"dynamic": True, "fields": {"f": {"type": "document"}}},
        NOT("f.g", 5) | Filter.where_missing("f.g"),
        {"f": {"g": 6}},
        {"f": {"g": 5}},
        "number",
    ),
)
each_leak = pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.name)


def loaded(leak: Leak) -> Any:
    collection = LocalClient()["app"]["docs"]
    collection.insert_many(
        {"_id": name, "text": "word", "embedding": [1.0, 0.5], **values}
        for name, values in (("inside", leak.inside), ("outside", leak.outside))
    )
    fields = {**leak.mapping.get("fields", {}), "text": {"type": "string"}}
    mappings = {**leak.mapping, "fields": fields}
    collection.create_search_index({"name": "text_index", "definition": {"mappings": mappings}})
    filters = [{"type": "filter", "path": path} for path in leak.condition.paths()]
    vector = {"type": "vector", "path": "embedding", "numDimensions": 2, "similarity": "cosine"}
    definition = {"fields": [vector, *filters]}
    collection.create_search_index({"name": "vector_index", "type": "vectorSearch", "definition": definition})
    return collection


@each_leak
def test_a_pipeline_written_by_hand_leaks(leak: Leak) -> None:
    simple = simplify(leak.condition)
    assert isinstance(simple, Filter)
    clauses = {"must": [{"text": {"query": "word", "path": "text"}}], **to_search_clauses(simple)}
    found = loaded(leak).aggregate([{"$search": {"index": "text_index", "compound": clauses}}])
    assert ("outside" in {row["_id"] for row in found}) is leak.leaks


@each_leak
@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
@pytest.mark.parametrize("role", ["store_filter", "filter"])
def test_what_the_search_index_cannot_decide_is_refused_with_the_line(
    leak: Leak, mode: str, role: str
) -> None:
    with pytest.raises(CallError) as caught:
        Retriever(loaded(leak)).retrieve("word", vector=[1.0, 0.0], mode=mode, **{role: leak.condition})
    assert caught.value.code is Code.UNSUPPORTED_FILTER
    assert leak.line in caught.value.next_step


@each_leak
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("mode", MODES)
def test_behind_the_search_the_filter_holds_and_is_noted(leak: Leak, mode: str, route: Any) -> None:
    retriever = Retriever(loaded(leak), store_filter=leak.condition, routes=(route,))
    result = retriever.retrieve("word", vector=[1.0, 0.0], mode=mode, filter_policy="postfilter")
    assert [hit.id for hit in result] == ["inside"]
    assert result.evidence.notes or mode == "vector"


@pytest.mark.parametrize("leak", [one for one in LEAKS if one.name != "fraction"], ids=lambda leak: leak.name)
def test_the_line_of_the_refusal_makes_the_index_decide(leak: Leak) -> None:
    """Asked again with the required definition, nothing is refused and nothing noted."""
    collection = loaded(leak)
    inputs = (VectorInput(index="new_vectors"), KeywordInput(index="new_words"))
    retriever = Retriever(collection, inputs=inputs, store_filter=leak.condition)
    drive(ensure_indexes("app.docs", retriever.required_indexes(dimensions=2)), engine_for(collection))
    result = retriever.retrieve("word", vector=[1.0, 0.0], mode="keyword")
    assert [hit.id for hit in result] == ["inside"]
    assert not result.evidence.notes


# ------------------------------------------------------------------ whole numbers beyond doubles


def test_neighbours_beyond_doubles_stay_apart_with_derived_indexes() -> None:
    collection = LocalClient()["app"]["docs"]
    embedder = HashingEmbedder(8)
    collection.insert_many(
        {
            "_id": tenant,
            "tenant": Int64(tenant),
            "text": "word",
            "embedding": list(embedder.embed_query("word")),
        }
        for tenant in (BIG, BIG + 1)
    )
    for value in (BIG, Int64(BIG)):
        retriever = Retriever(collection, embedder=embedder, store_filter=Filter.where("tenant", value))
        drive(ensure_indexes("app.docs", retriever.required_indexes()), engine_for(collection))
        for mode in MODES:
            assert [hit.id for hit in retriever.retrieve("word", mode=mode)] == [BIG]


# ------------------------------------------------------------------ vectors of parts


def nested() -> Any:
    collection = LocalClient()["app"]["docs"]
    collection.insert_many(
        {"_id": name, "tenant": name, "parts": [{"lang": lang, "v": [1.0, 0.5]} for lang in langs]}
        for name, langs in (("acme", ("en", "de")), ("other", ("en",)), ("third", ("de",)))
    )
    vector = {"type": "vector", "path": "parts.v", "numDimensions": 2, "similarity": "cosine"}
    filters = [{"type": "filter", "path": path} for path in ("tenant", "parts.lang")]
    definition = {"fields": [vector, *filters], "nestedRoot": "parts"}
    collection.create_search_index({"name": "vector_index", "type": "vectorSearch", "definition": definition})
    return collection


@pytest.mark.parametrize(
    ("condition", "inside"),
    [
        (Filter.where("tenant", "acme"), {"acme"}),
        (~Filter.where("tenant", "other"), {"acme", "third"}),
        (NOT("tenant", "other"), {"acme", "third"}),
        (Filter.where("parts.lang", "en"), {"acme", "other"}),
        (~Filter.where("tenant", "other") & Filter.where("parts.lang", "en"), {"acme"}),
        (Filter.where("tenant", "acme") | Filter.where("tenant", "third"), {"acme", "third"}),
    ],
    ids=["is", "is not one", "not equal", "of a part", "both levels", "one or the other"],
)
def test_under_a_nested_root_the_document_is_asked_for_its_own_fields(
    condition: Filter, inside: set[str]
) -> None:
    retriever = Retriever(nested(), inputs=[VectorInput(path="parts.v")], store_filter=condition)
    for mode in ("vector", "hybrid"):
        assert {hit.id for hit in retriever.retrieve(vector=[1.0, 0.0], mode=mode)} == inside


@pytest.mark.parametrize(
    ("condition", "inside"),
    [
        (~Filter.where("parts.lang", "en"), {"third"}),
        (NOT("parts.lang", "en"), {"third"}),
        (Filter.where("parts.lang", "en") & Filter.where("parts.lang", "de"), {"acme"}),
        (Filter.where("tenant", "third") | Filter.where("parts.lang", "en"), {"acme", "other", "third"}),
    ],
    ids=["is not", "not equal", "two of one part", "across levels"],
)
def test_what_parts_cannot_say_of_their_document_is_refused_or_run_behind(
    condition: Filter, inside: set[str]
) -> None:
    retriever = Retriever(nested(), inputs=[VectorInput(path="parts.v")])
    asked: Any = {"vector": [1.0, 0.0], "mode": "vector", "filter": condition}
    with pytest.raises(CallError) as caught:
        retriever.retrieve(**asked)
    assert caught.value.code is Code.UNSUPPORTED_FILTER
    result = retriever.retrieve(**asked, filter_policy="postfilter")
    assert {hit.id for hit in result} == inside
    assert result.evidence.notes
