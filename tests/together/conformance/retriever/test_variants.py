"""A question in several wordings: each is asked by every input pipeline, and one fusion makes one list."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from atlas_rag import (
    AsyncLocalClient,
    AsyncRetriever,
    CallError,
    Code,
    Filter,
    Fusion,
    KeywordInput,
    MultiQuery,
    RetrievalError,
    VectorInput,
)
from tests.together.conformance.retriever.corpus import EMBEDDER, collection, retriever

QUESTION, OTHER, THIRD = "refunds within days", "money back", "returns free thirty"
TENANT = Filter.where("tenant", "a")


def ids(result: Any) -> list[tuple[str, float]]:
    return [(hit.id, hit.score.value) for hit in result]


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
def test_the_three_routes_give_the_same(mode: str) -> None:
    shop = collection()
    found = [
        retriever(shop, routes=[route]).retrieve(
            QUESTION, mode=mode, variants=[OTHER, THIRD], filter=TENANT, limit=8
        )
        for route in ("native", "emulated", "client")
    ]
    assert ids(found[0]) == ids(found[1]) == ids(found[2])
    assert {hit.document["tenant"] for hit in found[0]} == {"a"}
    assert found[0].evidence.score_kind == "rank_fusion"
    assert [one.evidence.route for one in found] == ["native", "emulated", "client"]


def test_each_wording_is_an_input_pipeline_of_its_own() -> None:
    shop = collection()
    result = retriever(shop).retrieve(QUESTION, variants=[THIRD], limit=8)
    assert sorted(result[0].contributions) == ["keyword", "keyword_2", "vector", "vector_2"]
    alone = {
        name: retriever(shop).retrieve(text, mode="vector", limit=8)
        for name, text in (("vector", QUESTION), ("vector_2", THIRD))
    }
    for name, expected in alone.items():
        ranks = {hit.id: hit.rank for hit in expected}
        assert all(hit.contributions[name].rank == ranks[hit.id] for hit in result)


def test_a_weight_holds_for_the_variants_as_well() -> None:
    shop = collection()
    for asked in (
        retriever(shop).retrieve(QUESTION, variants=[THIRD], weights={"vector": 3.0}),
        retriever(shop, fusion=Fusion.rank(weights={"vector": 3.0})).retrieve(QUESTION, variants=[THIRD]),
    ):
        assert asked.evidence.weights == {"keyword": 1.0, "keyword_2": 1.0, "vector": 3.0, "vector_2": 3.0}


def test_a_function_makes_the_variants() -> None:
    asked: list[str] = []

    def rewrite(question: str) -> list[str]:
        asked.append(question)
        return [f" {question} ", OTHER, "", "??", OTHER, THIRD, "one", "two"]

    result = retriever(collection(), multi_query=MultiQuery(rewrite, most=2)).retrieve(QUESTION)
    assert asked == [QUESTION]
    assert set(result.evidence.inputs) == {
        f"{name}{number}" for name in ("vector", "keyword") for number in ("", "_2", "_3")
    }
    same = retriever(collection()).retrieve(QUESTION, variants=[OTHER, THIRD])
    assert ids(result) == ids(same)
    nothing = retriever(collection(), multi_query=MultiQuery(lambda question: [])).retrieve(QUESTION)
    assert ids(nothing) == ids(retriever(collection()).retrieve(QUESTION))


def test_an_async_function_makes_the_variants() -> None:
    async def rewrite(question: str) -> list[str]:
        await asyncio.sleep(0)
        return [OTHER]

    async def ask() -> Any:
        async with AsyncLocalClient() as client:
            notes = client["shop"]["notes"]
            await notes.insert_many(list(collection().find()))
            retriever = AsyncRetriever(notes, embedder=EMBEDDER, multi_query=MultiQuery(rewrite))
            await retriever.ensure_indexes()
            return await retriever.retrieve(QUESTION)

    assert "vector_2" in asyncio.run(ask()).evidence.inputs


@pytest.mark.parametrize("answer", [ValueError("secret words"), None, "text", [5]])
def test_a_failing_function_is_one_error_that_does_not_quote_it(answer: Any) -> None:
    def rewrite(question: str) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(RetrievalError) as caught:
        retriever(collection(), multi_query=MultiQuery(rewrite)).retrieve(QUESTION)
    assert caught.value.code is Code.PROVIDER_FAILED
    assert "secret" not in str(caught.value)


def test_what_cannot_be_varied_is_refused() -> None:
    expression = Fusion.score(combination={"$sum": ["$$vector", "$$keyword"]})
    with pytest.raises(CallError, match="expression"):
        retriever(collection(), fusion=expression).retrieve(QUESTION, variants=[OTHER])
    clash = [VectorInput(exact=True), KeywordInput(), KeywordInput(name="keyword_2")]
    with pytest.raises(CallError, match="share a name"):
        retriever(collection(), inputs=clash).retrieve(QUESTION, variants=[OTHER])
    for variants in ("text", [5], [""], ["??"], ["\ud800"], 5):
        with pytest.raises(CallError):
            retriever(collection()).retrieve(QUESTION, variants=variants)
    for settings in ({"rewriter": 5}, {"rewriter": len, "most": 0}, {"rewriter": len, "most": 10}):
        with pytest.raises(CallError):
            MultiQuery(**settings)


def test_no_wording_is_shown() -> None:
    asked = retriever(collection(), multi_query=MultiQuery(lambda question: [OTHER]))
    result = asked.retrieve(QUESTION, variants=[THIRD])
    shown = repr(asked.setup) + repr(result) + repr(result.plan) + repr(result.options) + str(result.evidence)
    assert OTHER not in shown
    assert THIRD not in shown
