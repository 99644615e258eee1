"""Any query that the library can spell as an input pipeline: asked on every route, and written down."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from atlas_rag import (
    KEYWORDS,
    QUESTION,
    VECTOR,
    CallError,
    Code,
    Filter,
    Fusion,
    KeywordInput,
    PipelineInput,
    RetrievalError,
    Retriever,
    ScoreKind,
    SearchInput,
    VectorInput,
)
from atlas_rag.plan import read_input
from atlas_rag.stages import Fuzzy, Phrase, Text, VectorSearchOperator
from tests.together.conformance.retriever.corpus import DIMENSIONS, EMBEDDER, TENANTS, TEXTS, collection

QUERY = "refunds are paid within days"
VECTOR_FIELD = {"type": "vector", "numDimensions": DIMENSIONS, "similarity": "cosine"}
LEXICAL = {
    "name": "lexical",
    "definition": {
        "mappings": {
            "dynamic": False,
            "fields": {"text": {"type": "string"}, "tenant": {"type": "token"}, "embedding": VECTOR_FIELD},
        }
    },
}
INPUTS: dict[str, Any] = {
    "vector": VectorInput(exact=True),
    "approximate": VectorInput(name="near", num_candidates=500),
    "keyword": KeywordInput(boosts={"text": 2.0}),
    "keyword with a phrase": KeywordInput(fuzzy=Fuzzy(max_edits=1), phrase_boost=3.0, match_criteria="any"),
    "phrase": SearchInput("phrase", operator=Phrase(query=QUESTION, path="text", slop=3)),
    "dictionary": SearchInput("words", operator={"text": {"query": KEYWORDS, "path": "text"}}),
    "lexical prefilter": SearchInput(
        "prefiltered",
        operator=VectorSearchOperator(
            query_vector=VECTOR,
            path="embedding",
            limit=20,
            num_candidates=100,
            filter=Text(query="days", path="text"),
        ),
        index="lexical",
    ),
    "pipeline": PipelineInput(
        "mine",
        [
            {"$search": {"index": "text_index", "text": {"query": {"$question": 1}, "path": "text"}}},
            {"$limit": 3},
        ],
    ),
    "vector pipeline": PipelineInput(
        "own",
        [
            {
                "$vectorSearch": {
                    "index": "vector_index",
                    "path": "embedding",
                    "queryVector": VECTOR,
                    "exact": True,
                    "limit": 4,
                }
            },
            {"$match": {"n": {"$gte": 0}}},
        ],
    ),
}


@pytest.fixture(scope="module")
def shop() -> Any:
    found = collection()
    found.create_search_index(LEXICAL)
    return found


def ids(result: Any) -> list[Any]:
    return [(hit.id, None if hit.score is None else hit.score.value) for hit in result]


@pytest.mark.parametrize("name", INPUTS)
def test_an_input_is_written_down_and_read_back_as_it_was(name: str) -> None:
    form = json.loads(json.dumps(INPUTS[name].to_dict()))
    assert read_input(form) == INPUTS[name]
    assert pickle.loads(pickle.dumps(INPUTS[name])) == INPUTS[name]


@pytest.mark.parametrize("name", INPUTS)
def test_every_input_keeps_the_store_filter_alone_and_fused_on_every_route(shop: Any, name: str) -> None:
    store = Filter.where("tenant", "a")
    mode = INPUTS[name].mode
    alone = Retriever(shop, inputs=[INPUTS[name]], embedder=EMBEDDER, store_filter=store)
    found = alone.retrieve(QUERY, mode=mode, limit=8)
    assert found.hits
    assert {TENANTS[hit.id] for hit in found} == {"a"}
    partner = VectorInput(name="other", exact=True) if mode == "keyword" else KeywordInput(name="other")
    fused = [
        Retriever(
            shop, inputs=[INPUTS[name], partner], embedder=EMBEDDER, store_filter=store, routes=[route]
        ).retrieve(QUERY, limit=8)
        for route in ("native", "emulated", "client")
    ]
    assert ids(fused[0]) == ids(fused[1]) == ids(fused[2])
    assert {TENANTS[hit.id] for hit in fused[0]} == {"a"}
    assert set(fused[0][0].contributions) == {INPUTS[name].name, "other"}


def test_a_function_makes_the_operator_and_cannot_be_written_down(shop: Any) -> None:
    made = SearchInput("made", operator=lambda question: Text(query=question.upper(), path="text"))
    assert Retriever(shop, inputs=[made]).retrieve("REFUNDS paid").hits[0].id == "refund"
    assert not made.serialisable
    with pytest.raises(CallError, match="function"):
        made.to_dict()


def test_two_embedders_each_ask_for_their_own_input(shop: Any) -> None:
    class Other:
        id, dimensions, blocking = "other", DIMENSIONS, False

        def __init__(self) -> None:
            self.asked: list[str] = []

        def embed_query(self, text: str) -> Any:
            self.asked.append(text)
            return EMBEDDER.embed_query(TEXTS["gift"])

        def embed_documents(self, texts: Any) -> Any:
            raise AssertionError

    other = Other()
    inputs = [VectorInput(exact=True), VectorInput(name="second", exact=True, embedder=other)]
    result = Retriever(shop, inputs=inputs, embedder=EMBEDDER).retrieve(QUERY, mode="vector", limit=8)
    assert other.asked == [QUERY]
    assert result.evidence.embedder_id == f"other, {EMBEDDER.id}"
    ranks = {hit.id: hit.ranks for hit in result}
    assert ranks["gift"]["second"] == ranks["refund"]["vector"] == 1


@pytest.mark.parametrize(
    "fusion",
    [
        Fusion.score("none"),
        Fusion.score("sigmoid", weights={"vector": 2.0}),
        Fusion.score("minMaxScaler"),
        Fusion.score("sigmoid", {"$add": ["$$vector", {"$multiply": ["$$keyword", 2, "$n"]}]}),
    ],
    ids=str,
)
def test_score_fusion_is_equal_on_every_route_that_can_compute_it(shop: Any, fusion: Fusion) -> None:
    def ask(route: str) -> Any:
        asked = Retriever(
            shop,
            inputs=[VectorInput(exact=True), KeywordInput()],
            embedder=EMBEDDER,
            fusion=fusion,
            routes=[route],
        )
        return asked.retrieve(QUERY, limit=8)

    native, emulated = ask("native"), ask("emulated")
    assert ids(native) == ids(emulated)
    assert {hit.score.kind for hit in native} == {ScoreKind.SCORE_FUSION}
    assert native.evidence.fusion == str(fusion)
    said = [dict(hit.contributions) for hit in native]
    assert said == [dict(hit.contributions) for hit in emulated]
    if fusion.expression is not None:
        with pytest.raises(RetrievalError, match="expression"):
            ask("client")
        return
    assert ids(native) == ids(ask("client"))
    assert said == [dict(hit.contributions) for hit in ask("client")]


@pytest.mark.parametrize(
    "fusion",
    [Fusion.rank(), Fusion.rank({"vector": 2.0}), Fusion.score("none", {"keyword": 0.5}), Fusion.score()],
    ids=str,
)
def test_a_fusion_is_written_down_and_read_back(fusion: Fusion) -> None:
    assert Fusion.from_dict(json.loads(json.dumps(fusion.to_dict()))) == fusion


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Fusion.score("sigmoyd"), "'sigmoid'"),
        (lambda: Fusion.from_dict({"method": "rnk"}), "'rank'"),
        (lambda: Fusion.score("none", {"$add": ["$$a"]}, {"a": 1}), "expression"),
        (lambda: SearchInput("x", operator=3), "operator"),
        (lambda: PipelineInput("x", [{"$match": {}}]), "first"),
        (
            lambda: PipelineInput(
                "x", [{"$search": {"text": {"query": "a", "path": "b"}}}, {"$set": {"a": 1}}]
            ),
            "select",
        ),
        (lambda: PipelineInput("x", []), "list of stages"),
        (lambda: VectorInput(model="voyage-4"), "query"),
        (lambda: VectorInput(pth="v"), "'path'"),
        (lambda: KeywordInput(match_criteria="some"), "any"),
        (lambda: KeywordInput(phrase_boost=-1), "boost"),
        (lambda: KeywordInput(boosts={"titel": 2.0}, paths=["title"]), "'title'"),
        (lambda: read_input({"kind": "vectr"}), "'vector'"),
        (lambda: read_input({"kind": "search"}), "operator"),
        (lambda: read_input({"kind": "vector", "embedder": "e"}), "embedders="),
    ],
)
def test_what_is_no_input_or_fusion_is_refused_with_what_is_meant(make: Any, said: str) -> None:
    with pytest.raises(CallError) as caught:
        make()
    assert said in str(caught.value)
    assert caught.value.expected


def test_weights_of_a_fusion_are_defaults_and_those_of_a_call_win(shop: Any) -> None:
    asked = Retriever(
        shop,
        inputs=[VectorInput(exact=True), KeywordInput()],
        embedder=EMBEDDER,
        fusion=Fusion.rank({"keyword": 0.25}),
    )
    assert asked.retrieve(QUERY).plan.weights == {"keyword": 0.25, "vector": 1.0}
    assert asked.retrieve(QUERY, weights={"vector": 3}).plan.weights == {"keyword": 1.0, "vector": 3.0}
    assert asked.retrieve(QUERY, mode="vector").plan.weights == {}
    with pytest.raises(CallError) as caught:
        asked.retrieve(QUERY, weights={"vectr": 3})
    assert caught.value.code is Code.INVALID_WEIGHTS
