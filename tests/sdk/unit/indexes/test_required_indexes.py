"""What a retriever needs follows from what it asks, works, and is compared with what is there."""

from __future__ import annotations

import asyncio
import datetime
from typing import Any

import pytest
from bson import ObjectId

from atlas_rag import (
    AsyncLocalClient,
    AsyncRetriever,
    CallError,
    Code,
    Filter,
    HashingEmbedder,
    KeywordInput,
    LocalClient,
    Retriever,
    VectorInput,
    field,
)
from atlas_rag.capability import SearchIndex
from atlas_rag.drivers.choose import engine_for
from atlas_rag.indexes import WantedIndex, differences, ensure_indexes, unmet_needs
from atlas_rag.wire import drive

INPUTS = (
    VectorInput(path="meta.vector"),
    KeywordInput(paths=("title", "meta.text"), boosts=(("title", 2.0),)),
)
NOW = datetime.datetime(2026, 1, 1)
STORE = Filter.where("tenant", ObjectId()) & (field("meta.year") >= 2000) & ~field("title").in_(["a"])


def retriever(collection: Any = None, **settings: Any) -> Retriever:
    collection = LocalClient()["app"]["docs"] if collection is None else collection
    return Retriever(collection, **{"inputs": INPUTS, "embedder": HashingEmbedder(8), **settings})


def test_paths_types_and_dimensions_are_derived() -> None:
    vectors, texts = retriever(store_filter=STORE).required_indexes(
        filter_paths={"day": "date"}, analyzer="lucene.english"
    )
    assert vectors.to_dict() == {
        "name": "vector_index",
        "type": "vectorSearch",
        "definition": {
            "fields": [
                {"type": "vector", "path": "meta.vector", "numDimensions": 8, "similarity": "cosine"},
                {"type": "filter", "path": "day"},
                {"type": "filter", "path": "tenant"},
                {"type": "filter", "path": "meta.year"},
                {"type": "filter", "path": "title"},
            ]
        },
    }
    assert texts.to_dict() == {
        "name": "text_index",
        "type": "search",
        "definition": {
            "analyzer": "lucene.english",
            "mappings": {
                "dynamic": False,
                "fields": {
                    "day": {"type": "date"},
                    "meta": {
                        "type": "document",
                        "dynamic": False,
                        "fields": {"text": {"type": "string"}, "year": {"type": "number"}},
                    },
                    "tenant": {"type": "objectId"},
                    "title": [{"type": "string"}, {"type": "token"}],
                },
            },
        },
    }


def fields_of(index: WantedIndex) -> Any:
    return index.definition["mappings"]["fields"]


BIG = 1234567890123456789


@pytest.mark.parametrize(
    ("condition", "mapping"),
    [
        (Filter.where("p", 5), {"type": "number"}),
        (Filter.where("p", BIG), {"type": "number", "representation": "int64"}),
        (Filter.where_in("p", [5, BIG]), {"type": "number", "representation": "int64"}),
        (~Filter.where_gte("p", -BIG), {"type": "number", "representation": "int64"}),
        (Filter.where_exists("p"), {"type": "token"}),
        (Filter.where("p", None), {"type": "token"}),
        (Filter.where_like("p", "a%"), {"type": "string", "analyzer": "lucene.keyword"}),
        (Filter.where_like("p", "a"), {"type": "token"}),
        (Filter.where_in("p", ["a", True, None]), [{"type": "token"}, {"type": "boolean"}]),
    ],
    ids=str,
)
def test_types_follow_from_what_filters_compare_with(condition: Filter, mapping: Any) -> None:
    _, texts = retriever(store_filter=condition).required_indexes()
    assert fields_of(texts)["p"] == mapping


SAMPLE = [
    {"year": 2020, "day": NOW, "owner": ObjectId(), "tags": ["a", 5, None], "seen": True},
    {"year": 2021.5, "id": BIG, "sub": [{"kind": "a"}, {"kind": "b"}]},
]


@pytest.mark.parametrize(
    ("path", "mapping"),
    [
        ("year", {"type": "number"}),
        ("day", {"type": "date"}),
        ("owner", {"type": "objectId"}),
        ("seen", {"type": "boolean"}),
        ("id", {"type": "number", "representation": "int64"}),
        ("tags", [{"type": "token"}, {"type": "number"}]),
        ("nowhere", {"type": "token"}),
    ],
)
def test_types_of_announced_paths_follow_from_documents(path: str, mapping: Any) -> None:
    _, texts = retriever().required_indexes(filter_paths=[path], documents=SAMPLE)
    assert fields_of(texts)[path] == mapping
    _, texts = retriever().required_indexes(filter_paths={path: "uuid"}, documents=SAMPLE)
    assert fields_of(texts)[path] == {"type": "uuid"}


def test_an_array_of_parts_with_vectors_is_a_nested_root() -> None:
    parts = retriever(inputs=[VectorInput(path="sub.v"), VectorInput(path="other.v", name="two")])
    (index,) = parts.required_indexes(documents=SAMPLE)
    assert index.definition["nestedRoot"] == "sub"
    (index,) = parts.required_indexes(documents=[{"sub": {"v": [1.0]}}])
    assert "nestedRoot" not in index.definition
    with pytest.raises(CallError, match="several arrays") as caught:
        parts.required_indexes(documents=[*SAMPLE, {"other": [{"v": [1.0]}]}])
    assert caught.value.code is Code.INVALID_DEFINITION


def test_the_language_of_the_embedder_is_that_of_the_words() -> None:
    embedder = HashingEmbedder(8)
    for language, analyzer in (("french", "lucene.french"), ("klingon", None), (None, None)):
        embedder.language = language  # type: ignore[attr-defined]
        _, texts = retriever(embedder=embedder).required_indexes()
        assert texts.definition.get("analyzer") == analyzer
        _, texts = retriever(embedder=embedder).required_indexes(analyzer="lucene.simple")
        assert texts.definition["analyzer"] == "lucene.simple"


@pytest.mark.parametrize(
    ("there", "problem"),
    [
        ({"p": {"type": "number"}}, "p: representation is double, not int64"),
        (
            {"p": {"type": "number", "representation": "int64", "indexDoubles": False}},
            "p: indexDoubles is False, not True",
        ),
        ({"p": {"type": "number", "representation": "int64"}}, None),
    ],
)
def test_a_number_of_another_kind_does_not_serve(there: Any, problem: str | None) -> None:
    need = WantedIndex(
        "i", "search", {"mappings": {"fields": {"p": {"type": "number", "representation": "int64"}}}}
    )
    found = unmet_needs([present(need, definition={"mappings": {"fields": there}})], [need])
    assert [one.problem for one in found] == ([problem] if problem else [])
    dynamic = unmet_needs([present(need, definition={"mappings": {"dynamic": True}})], [need])
    assert [one.problem for one in dynamic] == ["p: representation is double, not int64"]


def test_a_normalized_token_does_not_serve() -> None:
    need = WantedIndex("i", "search", {"mappings": {"fields": {"p": {"type": "token"}}}})
    there = {"mappings": {"fields": {"p": {"type": "token", "normalizer": "lowercase"}}}}
    (found,) = unmet_needs([present(need, definition=there)], [need])
    assert found.problem == "p: normalizer is lowercase, not none"


def test_both_siblings_answer_alike() -> None:
    asynchronous = AsyncRetriever(
        AsyncLocalClient()["app"]["docs"], inputs=INPUTS, embedder=HashingEmbedder(8), store_filter=STORE
    )
    assert asynchronous.required_indexes() == retriever(store_filter=STORE).required_indexes()


def test_an_index_for_each_name_and_a_field_for_each_path() -> None:
    inputs = (
        VectorInput(name="one", path="a"),
        VectorInput(name="two", path="b"),
        VectorInput(name="three", path="c", index="other"),
        KeywordInput(name="words", paths=("t",)),
    )
    found = retriever(inputs=inputs).required_indexes()
    assert [index.name for index in found] == ["vector_index", "other", "text_index"]
    assert [one["path"] for one in found[0].definition["fields"]] == ["a", "b"]


def test_names_can_follow_from_content() -> None:
    first = retriever().required_indexes(by_content=True)
    assert first == retriever().required_indexes(by_content=True)
    other = retriever().required_indexes(by_content=True, dimensions=9)
    assert first[0].name != other[0].name
    assert first[0].name.startswith("vector_index-")
    assert first[1] == other[1]


@pytest.mark.parametrize(
    ("settings", "options", "code"),
    [
        ({"embedder": None}, {}, Code.INVALID_OPTION),
        ({}, {"filter_paths": {"a": "string"}}, Code.INVALID_OPTION),
        ({"store_filter": field("title").like("a%")}, {}, Code.INVALID_DEFINITION),
    ],
)
def test_what_cannot_be_derived_is_refused(settings: Any, options: Any, code: Code) -> None:
    with pytest.raises(CallError) as caught:
        retriever(**settings).required_indexes(**options)
    assert caught.value.code is code


def test_the_derived_indexes_serve_every_mode_and_filter() -> None:
    collection = LocalClient()["app"]["docs"]
    embedder = HashingEmbedder(64)
    values = {"s": "red", "n": 3, "b": True, "d": NOW, "o": ObjectId(), "p": "draft-1"}
    text = "a brown fox"
    collection.insert_one(
        {"_id": 1, "text": text, "sub": values, "embedding": list(embedder.embed_query(text))}
    )
    condition = field("sub.s").exists()
    for name in "snbdo":
        condition = condition & (field(f"sub.{name}") == values[name])
    filtered = Retriever(collection, embedder=embedder, store_filter=condition)
    engine = engine_for(collection)
    drive(ensure_indexes("app.docs", filtered.required_indexes()), engine)
    for mode in ("keyword", "hybrid"):
        assert [hit.id for hit in filtered.retrieve("fox", mode=mode)] == [1]
    other = filtered.retrieve("fox", mode="keyword", filter={"sub.n": 4})
    assert len(other.hits) == 0
    patterns = Retriever(
        collection, inputs=[KeywordInput(index="patterns")], store_filter=field("sub.p").like("draft%")
    )
    drive(ensure_indexes("app.docs", patterns.required_indexes()), engine)
    assert [hit.id for hit in patterns.retrieve("fox", mode="keyword")] == [1]


def present(index: WantedIndex, **changes: Any) -> SearchIndex:
    whole = {**index.to_dict(), "status": "READY", "queryable": True, **changes}
    return SearchIndex(**whole)


def test_needs_are_met_by_the_same_or_by_more() -> None:
    vectors, texts = retriever(store_filter=STORE).required_indexes()
    more = {"fields": [*vectors.definition["fields"], {"type": "filter", "path": "more"}]}
    dynamic = {
        "mappings": {
            "dynamic": True,
            "fields": {"title": [{"type": "string"}, {"type": "token"}, {"type": "autocomplete"}]},
        }
    }
    assert unmet_needs([present(vectors), present(texts)], [vectors, texts]) == ()
    there = [present(vectors, definition=more), present(texts, definition=dynamic)]
    assert unmet_needs(there, [vectors, texts]) == ()
    sets = [{"name": "all", "types": [{"type": one} for one in ("string", "number", "objectId", "document")]}]
    by_set = {"mappings": {**dynamic["mappings"], "dynamic": {"typeSet": "all"}}, "typeSets": sets}
    assert unmet_needs([present(texts, definition=by_set)], [texts]) == ()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (None, "there is no vectorSearch index of this name"),
        ({"type": "search", "definition": {"mappings": {}}}, "is of type search, not vectorSearch"),
        ({"queryable": False, "status": "BUILDING"}, "is BUILDING and cannot be queried"),
        ({"queryable": False, "status": "FAILED"}, "is FAILED and cannot be queried"),
        ({"definition": {"fields": []}}, "meta.vector is not indexed as vector"),
        (
            {
                "definition": {
                    "fields": [
                        {"type": "vector", "path": "meta.vector", "numDimensions": 9, "similarity": "cosine"}
                    ]
                }
            },
            "meta.vector: numDimensions is 9, not 8",
        ),
    ],
)
def test_what_a_vector_need_lacks_is_named(change: Any, problem: str) -> None:
    vectors, _ = retriever().required_indexes()
    there = [] if change is None else [present(vectors, **change)]
    (found,) = unmet_needs(there, [vectors])
    assert (found.index, found.problem) == ("vector_index", problem)
    assert found.next_step


@pytest.mark.parametrize(
    ("definition", "problems"),
    [
        ({"mappings": {"dynamic": True}}, ["title is not indexed as token"]),
        (
            {"mappings": {"dynamic": True, "fields": {"meta": {"type": "document"}}}},
            [
                "meta.text is not indexed as string",
                "meta.year is not indexed as number",
                "title is not indexed as token",
            ],
        ),
        (
            {"mappings": {"dynamic": True, "fields": {"title": {"type": "token"}}}},
            ["title is not indexed as string"],
        ),
        (
            {"analyzer": "lucene.simple", "mappings": {"dynamic": True}},
            ["the analyzer is lucene.simple, not lucene.english", "title is not indexed as token"],
        ),
    ],
)
def test_what_a_keyword_need_lacks_is_named(definition: Any, problems: list[str]) -> None:
    analyzer = "lucene.english" if "analyzer" in definition else None
    _, texts = retriever(store_filter=STORE).required_indexes(analyzer=analyzer)
    found = unmet_needs([present(texts, definition=definition)], [texts])
    assert [one.problem for one in found] == problems


def test_derivation_needs_no_connection() -> None:
    async def ask() -> tuple[WantedIndex, ...]:
        return AsyncRetriever(AsyncLocalClient()["a"]["b"], embedder=HashingEmbedder(8)).required_indexes()

    vectors, _ = asyncio.run(ask())
    assert differences("vectorSearch", vectors.definition, vectors.definition) == ()
