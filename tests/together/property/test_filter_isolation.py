"""Nothing outside a filter ever comes back; what is inside is missing only with a note or a refusal.

Whatever the indexes map and the documents hold; as store filter, query filter or both; on every route, over
every client. Vectors are compared exactly, so that nothing but a filter can leave a document out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pymongo
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from atlas_rag import (
    QUESTION,
    AsyncRetriever,
    CallError,
    CapabilityCache,
    Code,
    Filter,
    KeywordInput,
    LocalClient,
    PipelineInput,
    Result,
    Retriever,
    SearchInput,
    VectorInput,
)
from atlas_rag.query.filter import combine
from atlas_rag.serve import serve
from atlas_rag.stages import Text
from tests.support.filter_drawing import (
    VECTOR_PATHS,
    as_stored,
    documents,
    filter_paths,
    filters,
    has_vector,
    holds,
    search_definitions,
    vector_definition,
)

CALLS = 20
"""Calls that each collection is asked."""

WORDS: dict[str, Any] = {
    "keyword": KeywordInput(index="search", paths=("all",)),
    "search": SearchInput("words", index="search", operator=Text(query=QUESTION, path="all")),
    "pipeline": PipelineInput(
        "mine", [{"$search": {"index": "search", "text": {"query": QUESTION, "path": "all"}}}, {"$limit": 50}]
    ),
}
"""Input pipelines of every kind that look for words."""


BESIDE: dict[str, Any] = {
    "neighbours": {"by": "all", "position": "_id", "before": 100, "after": 100},
    "count": "total",
    "highlight": ["all"],
}
"""Everything that comes beside the hits; each document has every other for a neighbour."""


def embed(text: str) -> list[float]:
    """One vector for every question: nothing but a filter tells documents apart."""
    return [1.0, 0.0]


CALM: Any = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
}


@dataclass(frozen=True)
class Call:
    """One question, and where it goes."""

    store: Filter | None
    query: Filter | None
    mode: str
    route: str
    policy: str
    words: str = "keyword"
    beside: dict[str, Any] | None = None


calls = st.builds(
    Call,
    store=st.none() | filters,
    query=st.none() | filters,
    mode=st.sampled_from(["hybrid", "vector", "keyword"]),
    route=st.sampled_from(["native", "emulated", "client"]),
    policy=st.sampled_from(["refuse", "postfilter"]),
    words=st.sampled_from(["keyword", "keyword", "search", "pipeline"]),
    beside=st.sampled_from([None, {"variants": ("word again",)}, BESIDE]),
)
drawn = given(
    documents,
    st.lists(calls, min_size=CALLS, max_size=CALLS),
    search_definitions,
    st.sampled_from(VECTOR_PATHS),
    filter_paths,
)
Ask = Callable[[dict[str, Any], dict[str, Any]], Result]
"""A retriever's settings and a call's options to the result."""


def isolates(
    collection: Any, ask: Ask, rows: Any, asked: list[Call], search: Any, vector_path: str, paths: set[str]
) -> None:
    """Loads a collection and asks it everything."""
    collection.drop()
    collection.insert_many([as_stored(row, number) for number, row in enumerate(rows)])
    vectors = vector_definition(vector_path, paths)
    for kind, definition in (("search", search), ("vectorSearch", vectors)):
        collection.database.command(
            {
                "createSearchIndexes": collection.name,
                "indexes": [{"name": kind, "type": kind, "definition": definition}],
            }
        )
    vector = VectorInput(index="vectorSearch", path=vector_path, exact=True)
    known = CapabilityCache()  # what the deployment can do stays the same for all calls
    for call in asked:
        inputs = (vector, WORDS[call.words])
        own = {
            "inputs": inputs,
            "embedder": embed,
            "capabilities": known,
            "store_filter": call.store,
            "routes": (call.route,),
        }
        options = {
            "mode": call.mode,
            "filter": call.query,
            "filter_policy": call.policy,
            "limit": 50,
            **(call.beside or {}),
        }
        judge(call, rows, vector_path, lambda own=own, options=options: ask(own, options))  # type: ignore[misc]


def judge(call: Call, rows: Any, vector_path: str, ask: Callable[[], Result]) -> None:
    condition = combine(call.store, call.query)
    inside = {number for number, row in enumerate(rows) if condition is None or holds(condition, row)}
    try:
        result = ask()
    except CallError as refused:
        counted = call.beside is BESIDE and call.mode != "vector"
        if refused.code is Code.UNSUPPORTED_FILTER and (call.policy == "refuse" or counted):
            return
        raise
    found = {hit.id for hit in result}
    assert found | {hit.id for hit in result.rejected} <= inside
    assert {one["_id"] for hit in result for one in hit.neighbours} <= inside
    assert (result.count or 0) <= len(inside)
    if call.mode == "vector":
        inside = {number for number in inside if has_vector(rows[number], vector_path)}
    assert found == inside or result.evidence.notes


# ------------------------------------------------------------------ clients


def in_process(rows: Any, asked: Any, search: Any, vector_path: str, paths: set[str]) -> None:
    collection = LocalClient()["db"]["c"]

    def ask(own: dict[str, Any], options: dict[str, Any]) -> Result:
        return Retriever(collection, **own).retrieve("word", **options)

    isolates(collection, ask, rows, asked, search, vector_path, paths)


@pytest.fixture(scope="module")
def uri() -> Iterator[str]:
    with serve() as where:
        yield where


@contextmanager
def over_the_wire(uri: str, client: str) -> Iterator[tuple[Any, Ask]]:
    """A collection to load, and a way to ask it through one of PyMongo's clients."""
    with pymongo.MongoClient(uri) as sync:
        if client == "sync":
            yield (
                sync["db"]["c"],
                lambda own, options: Retriever(sync["db"]["c"], **own).retrieve("word", **options),
            )
            return
        with asyncio.Runner() as runner:
            other = pymongo.AsyncMongoClient(uri)

            async def ask(own: dict[str, Any], options: dict[str, Any]) -> Result:
                return await AsyncRetriever(other["db"]["c"], **own).retrieve("word", **options)

            try:
                yield sync["db"]["c"], lambda own, options: runner.run(ask(own, options))
            finally:
                runner.run(other.close())


@settings(max_examples=10, **CALM)
@drawn
def test_nothing_outside_comes_back(
    rows: Any, asked: list[Call], search: Any, vector_path: str, paths: set[str]
) -> None:
    in_process(rows, asked, search, vector_path, paths)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(max_examples=1000, **CALM)
@drawn
def test_nothing_outside_comes_back_in_20_000_draws(
    rows: Any, asked: list[Call], search: Any, vector_path: str, paths: set[str]
) -> None:
    in_process(rows, asked, search, vector_path, paths)


@pytest.mark.parametrize("client", ["sync", "async"])
def test_nothing_outside_comes_back_over_the_wire(uri: str, client: str) -> None:
    with over_the_wire(uri, client) as (collection, ask):

        @settings(max_examples=10, **CALM)
        @drawn
        def draws(rows: Any, asked: list[Call], search: Any, vector_path: str, paths: set[str]) -> None:
            isolates(collection, ask, rows, asked, search, vector_path, paths)

        draws()


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("client", ["sync", "async"])
def test_nothing_outside_comes_back_over_the_wire_in_2_000_draws(uri: str, client: str) -> None:
    with over_the_wire(uri, client) as (collection, ask):

        @settings(max_examples=100, **CALM)
        @drawn
        def draws(rows: Any, asked: list[Call], search: Any, vector_path: str, paths: set[str]) -> None:
            isolates(collection, ask, rows, asked, search, vector_path, paths)

        draws()
