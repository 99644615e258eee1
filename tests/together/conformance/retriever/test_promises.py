"""What a retriever promises, item by item: nothing outside the filter, nothing lost in silence."""

from __future__ import annotations

import logging
import operator
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Any
from uuid import uuid4

import pytest
from bson.int64 import Int64
from bson.objectid import ObjectId

from atlas_rag import (
    CallError,
    Code,
    Evidence,
    Filter,
    KeywordInput,
    LocalClient,
    RetrievalError,
    Retriever,
    Score,
    ScoreKind,
    SearchIndexError,
    Similarity,
    Threshold,
    VectorInput,
)
from atlas_rag.rerank import Reranked
from tests.together.conformance.retriever.corpus import (
    EMBEDDER,
    TENANTS,
    TEXT_INDEX,
    VECTOR_INDEX,
    collection,
    retriever,
)

QUESTION = "refunds within days"
MODES = ("vector", "keyword", "hybrid")
ROUTES = ("native", "emulated", "client")


def shop_with(mappings: dict[str, Any], documents: list[dict[str, Any]], paths: list[str]) -> Any:
    """Documents of one text, under this search index, and a vector index that filters by these paths."""
    shop = LocalClient()["shop"]["notes"]
    vector = EMBEDDER.embed_query("refund")
    shop.insert_many({"text": "refund", "embedding": vector, **one} for one in documents)
    fields = [VECTOR_INDEX["definition"]["fields"][0], *({"type": "filter", "path": one} for one in paths)]
    shop.create_search_index({**VECTOR_INDEX, "definition": {"fields": fields}})
    shop.create_search_index({"name": "text_index", "definition": {"mappings": mappings}})
    return shop


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    HIGH = 5


# ---------------------------------------------------------------- 0: values


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("given", "same"), [(Int64(5), 5), (Level.HIGH, 5), (Colour.RED, "red"), (Int64(-(2**63)), -(2**63))]
)
def test_0_a_subclass_is_the_literal_it_is_in_constant_time(given: Any, same: Any) -> None:
    assert Filter.where("k", given) == Filter.where("k", same) == Filter.from_dict({"k": given})
    assert Filter.where_in("k", [given]) == Filter.where_in("k", [same])


def test_0_evidence_takes_a_filter_by_a_native_uuid() -> None:
    shop = shop_with(
        {"dynamic": False, "fields": {"text": {"type": "string"}, "u": {"type": "uuid"}}}, [{"u": 1}], ["u"]
    )
    result = Retriever(shop, embedder=EMBEDDER).retrieve("refund", filter=Filter.where("u", uuid4()))
    assert result.evidence.filter_fingerprint is not None


# ---------------------------------------------------------------- 1–7: filters that hold

DYNAMIC = {"dynamic": True}
LOWER = {"dynamic": True, "fields": {"tenant": {"type": "token", "normalizer": "lowercase"}}}
STATIC = {"dynamic": False, "fields": {"text": {"type": "string"}}}
CASES = {
    "1 dynamic, not equal": (DYNAMIC, Filter.where_not("s", "x"), [{"s": "x"}, {"s": "y"}]),
    "1 dynamic, not in": (DYNAMIC, Filter.where_not_in("s", ["x"]), [{"s": "x"}, {"s": "y"}]),
    "1 dynamic, complement": (DYNAMIC, ~Filter.where("s", "x"), [{"s": "x"}, {"s": "y"}]),
    "2 unmapped, missing": (STATIC, Filter.where_missing("gone"), [{"gone": 1}, {}]),
    "3 normalizer": (LOWER, Filter.where("tenant", "Acme"), [{"tenant": "acme"}, {"tenant": "Acme"}]),
    "4 number under token": (
        {"dynamic": False, "fields": {"text": {"type": "string"}, "n": {"type": "token"}}},
        ~Filter.where("n", 1),
        [{"n": 1}, {"n": 2}],
    ),
    "4 string under string": (
        {"dynamic": False, "fields": {"text": {"type": "string"}, "s": {"type": "string"}}},
        Filter.where_not("s", "x"),
        [{"s": "x"}, {"s": "y"}],
    ),
    "4 id under string": (
        {"dynamic": False, "fields": {"text": {"type": "string"}, "o": {"type": "string"}}},
        ~Filter.where("o", ObjectId("0" * 24)),
        [{"o": ObjectId("0" * 24)}, {"o": ObjectId("1" * 24)}],
    ),
    "5 beyond 2^53": (
        {"dynamic": False, "fields": {"text": {"type": "string"}, "big": {"type": "number"}}},
        Filter.where("big", 1234567890123456789),
        [{"big": Int64(1234567890123456790)}, {"big": Int64(1234567890123456789)}],
    ),
    "date as text": (
        {"dynamic": True},
        ~Filter.where("d", datetime(2024, 1, 1)),
        [{"d": datetime(2024, 1, 1)}, {"d": "2024"}],
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("policy", ["refuse", "postfilter"])
def test_1_to_5_nothing_outside_a_store_filter_comes_back_whatever_the_mapping(
    case: str, mode: str, policy: str
) -> None:
    mappings, condition, documents = CASES[case]
    shop = shop_with(mappings, documents, sorted(condition.paths()))
    inside = {one["_id"] for one in shop.find({}) if _holds(condition, one)}
    for route in ROUTES:
        asked = Retriever(shop, embedder=EMBEDDER, routes=[route], store_filter=condition)
        try:
            found = asked.retrieve("refund", mode=mode, filter_policy=policy)
        except CallError as error:
            refused = error
        else:
            assert {hit.id for hit in found} == inside
            continue
        assert (policy, refused.code, bool(refused.expected)) == ("refuse", Code.UNSUPPORTED_FILTER, True)
        assert "postfilter" in refused.next_step


def _holds(condition: Filter, document: dict[str, Any]) -> bool:
    from atlas_rag.stages.filters import simplify, to_match

    simple = simplify(condition)
    assert not isinstance(simple, str)
    with LocalClient() as client:
        client["a"]["b"].insert_one(document)
        return client["a"]["b"].count_documents(to_match(simple)) == 1


def test_6_a_root_filter_of_nested_vectors_speaks_of_the_document() -> None:
    shop = LocalClient()["shop"]["notes"]
    vector = [1.0, 0.0]
    shop.insert_many(
        {"_id": i, "tenant": tenant, "chunks": [{"v": vector}]} for i, tenant in enumerate(["acme", "other"])
    )
    fields = [
        {"type": "vector", "path": "chunks.v", "numDimensions": 2, "similarity": "cosine"},
        {"type": "filter", "path": "tenant"},
    ]
    shop.create_search_index(
        {
            "name": "vector_index",
            "type": "vectorSearch",
            "definition": {"fields": fields, "nestedRoot": "chunks"},
        }
    )
    asked = Retriever(shop, inputs=[VectorInput(path="chunks.v", exact=True)])
    for condition in (Filter.where("tenant", "acme"), ~Filter.where("tenant", "other")):
        assert [hit.id for hit in asked.retrieve(vector=vector, filter=condition)] == [0]


def test_8_what_is_known_before_sending_is_said_before_sending() -> None:
    words = " ".join(f"word{i}" for i in range(1500)) + " refunds"
    result = retriever(collection()).retrieve(words)
    assert any("1501 different words" in note for note in result.evidence.notes)
    wrong = [VectorInput(path="nowhere"), KeywordInput()]
    kept = retriever(collection(), inputs=wrong).retrieve(QUESTION, on_input_failure="continue")
    assert kept.evidence.executed_mode == "keyword"
    assert any("'vector' failed and was left out" in note for note in kept.evidence.notes)


# ---------------------------------------------------------------- 9–12: promises on the way


class Told:
    """A reranker that gives these scores."""

    id, blocking = "told", False

    def __init__(self, *scores: float) -> None:
        self.scores = scores

    def rerank(self, query: str, texts: Any) -> list[Reranked]:
        return [Reranked(i, self.scores[i % len(self.scores)]) for i in range(len(texts))]


def test_9_min_score_is_loose_before_a_reranker_and_strict_after_it() -> None:
    asked = retriever(collection(), reranker=Told(0.1, 0.59, 0.6, 0.9))
    result = asked.retrieve(QUESTION, mode="vector", limit=8, min_score=Similarity.score(0.6))
    assert {hit.score.value for hit in result if hit.score} == {0.6, 0.9}
    assert result.evidence.min_scores == {"vector_similarity": pytest.approx(0.2), "rerank": 0.6}
    assert "below-min-score" in {one.reason for one in result.evidence.candidates}
    bare = asked.retrieve(QUESTION, mode="vector", limit=8, min_score=0.6)
    assert [hit.id for hit in bare] == [hit.id for hit in result]


def test_9_in_a_fusion_min_score_acts_on_each_input_of_its_kind_before_fusing() -> None:
    shop = collection()
    every = retriever(shop).retrieve(QUESTION, mode="vector", limit=8)
    floor = every[2].score
    for route in ROUTES:
        result = retriever(shop, routes=[route, "client"]).retrieve(
            QUESTION, limit=8, min_score=Similarity.score(float(floor))
        )
        by_vector = {hit.id for hit in result if hit.ranks["vector"]}
        assert by_vector == {hit.id for hit in every[:3]}
        assert result.plan.route == ("client" if route == "native" else route)
    with pytest.raises(CallError) as caught:
        retriever(shop).retrieve(QUESTION, min_score=0.6)
    assert caught.value.code is Code.SCORE_KIND_MISMATCH
    assert "Threshold" in caught.value.next_step


def unmapped() -> Any:
    mappings = {"mappings": {"dynamic": False, "fields": {"title": {"type": "string"}}}}
    return collection(indexes=(VECTOR_INDEX, {"name": "text_index", "definition": mappings}))


def test_10_required_hybrid_search_needs_text_that_the_index_holds() -> None:
    with pytest.raises(RetrievalError) as caught:
        retriever(unmapped()).retrieve(QUESTION, require_hybrid_search=True)
    assert caught.value.code == 7203
    assert '"text": {"type": "string"}' in caught.value.next_step
    fallen = retriever(unmapped()).retrieve(QUESTION)
    assert (fallen.evidence.executed_mode, "does not hold text" in fallen.evidence.mode_reason) == (
        "vector",
        True,
    )


def test_10_an_index_dropped_within_the_life_of_a_report_is_noticed_at_once() -> None:
    shop = collection()
    asked = retriever(shop)
    assert asked.retrieve(QUESTION, require_hybrid_search=True).evidence.executed_mode == "hybrid"
    shop.drop_search_index("text_index")
    with pytest.raises(RetrievalError) as caught:
        asked.retrieve(QUESTION, require_hybrid_search=True)
    assert caught.value.code == 7203
    shop.create_search_index(TEXT_INDEX)
    again = retriever(shop)
    again.retrieve(QUESTION)
    shop.drop_search_index("text_index")
    fallen = again.retrieve(QUESTION)
    assert fallen.evidence.executed_mode == "vector"
    assert any("asked again" in note for note in fallen.evidence.notes)


def test_10_an_index_that_came_within_the_life_of_a_report_is_used() -> None:
    shop = collection(indexes=(VECTOR_INDEX,))
    asked = retriever(shop)
    with pytest.raises(SearchIndexError):
        asked.retrieve(QUESTION, mode="keyword")
    shop.create_search_index(TEXT_INDEX)
    assert asked.retrieve(QUESTION, mode="keyword").hits


def test_10_a_pipeline_that_brought_nothing_leaves_a_note_and_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked = retriever(collection())
    with caplog.at_level(logging.WARNING, "atlas_rag.retriever"):
        for _ in range(3):
            result = asked.retrieve("refunds", keywords=["xyzzy"])
    assert any("'keyword' brought nothing" in note for note in result.evidence.notes)
    assert len([one for one in caplog.records if "'keyword' brought nothing" in one.getMessage()]) == 1


def test_11_two_inputs_of_one_kind_fuse_weigh_and_have_the_threshold_of_a_fusion() -> None:
    inputs = [VectorInput(name="a", exact=True), VectorInput(name="b", exact=True)]
    asked = retriever(collection(), inputs=inputs)
    for options in ({}, {"mode": "vector"}):
        result = asked.retrieve(QUESTION, weights={"a": 2.0}, score_threshold=0.04, **options)
        assert {hit.score.kind for hit in result} == {ScoreKind.RANK_FUSION}
        assert (result.evidence.weights, result.evidence.executed_mode) == ({"a": 2.0, "b": 1.0}, "vector")
        assert result.evidence.thresholds == {"rank_fusion": 0.04}
    with pytest.raises(CallError) as caught:
        asked.retrieve(QUESTION, score_threshold=Similarity.score(0.5))
    assert caught.value.code is Code.SCORE_KIND_MISMATCH


@pytest.mark.parametrize("question", ["", "  ", "???", "…", "\n\t"])
@pytest.mark.parametrize("mode", MODES)
def test_12_a_question_without_content_is_an_empty_result_with_a_reason(question: str, mode: str) -> None:
    result = retriever(collection()).retrieve(question, mode=mode)
    assert (len(result), result.evidence.empty_reason, result.plan) == (0, "question_empty", None)
    assert "nothing that could be searched for" in (result.why_empty or "")


def test_12_a_question_of_words_that_the_embedder_does_not_know_is_answered_by_keywords() -> None:
    class Ignorant:
        id, dimensions, blocking = "ignorant", EMBEDDER.dimensions, False

        def embed_query(self, text: str) -> list[float]:
            return [0.0] * EMBEDDER.dimensions

        def embed_documents(self, texts: Any) -> Any:
            raise AssertionError

    asked = retriever(collection(), embedder=Ignorant())
    result = asked.retrieve(QUESTION)
    assert (result.evidence.executed_mode, bool(result.hits)) == ("keyword", True)
    nothing = asked.retrieve(QUESTION, mode="vector")
    assert (len(nothing), nothing.evidence.empty_reason) == (0, "question_unknown")


# ---------------------------------------------------------------- 13–15: sizes, codes, evidence


def test_13_more_candidates_than_a_reranker_takes_are_refused_before_the_search() -> None:
    few = Told(0.5)
    few.max_documents = 1000  # type: ignore[attr-defined]
    with pytest.raises(CallError, match="at most 1000"):
        retriever(collection(), reranker=few).retrieve(QUESTION, limit=400)


def test_14_max_candidates_is_a_retrieval_error() -> None:
    with pytest.raises(RetrievalError) as caught:
        retriever(collection()).retrieve(QUESTION, limit=5000)
    assert caught.value.code is Code.RAG_RETRIEVAL_FAILED


def test_15_context_by_recency_works_where_documents_tell_it() -> None:
    shop = collection()
    for i, name in enumerate(TENANTS):
        shop.update_one({"_id": name}, {"$set": {"updated_at": datetime(2024, 1, 1 + i)}})
    asked = retriever(shop)
    result = asked.retrieve(QUESTION, limit=3)
    context = asked.context(result, order="recency")
    dates = [source.hit.document["updated_at"] for source in context.sources if source.hit]
    assert dates == sorted(dates)
    with pytest.raises(CallError, match="updated_path"):
        asked.context(retriever(collection()).retrieve(QUESTION), order="recency")


def test_15_evidence_is_complete_and_tells_returned_from_in_the_prompt() -> None:
    from atlas_rag.context import Budget

    asked = retriever(collection(), retriever_id="mine")
    result = asked.retrieve(vector=EMBEDDER.embed_query(QUESTION), mode="vector", limit=4)
    evidence = result.evidence
    assert (evidence.namespace, evidence.dimensions, evidence.fusion) == (
        "shop.notes",
        EMBEDDER.dimensions,
        None,
    )
    assert evidence.considered_count == evidence.admitted_count + evidence.rejected_count == 8
    assert '"rejected_count":4' in evidence.model_dump_json()
    context = asked.context(result, Budget(max_tokens=110))
    told = context.evidence
    assert told is not None
    assert (told.selection_order, told.chars_used) == ("relevance", context.chars)
    over = [one for one in told.candidates if one.reason == "over-budget"]
    assert over
    assert all(one.returned and not one.admitted for one in over)
    assert told.admitted_count == len(context.sources)
    assert Evidence.model_validate_json(told.model_dump_json()) == told
    assert retriever(collection()).retrieve(QUESTION).evidence.fusion == "rank"


# ---------------------------------------------------------------- 16–19: filters, scores, errors


def test_16_a_literal_port_of_where_and_or_stays_inside_the_tenant() -> None:
    tenant = Filter.where("tenant", "a")
    ported = Filter.within(tenant).where("n", 0).or_(Filter.where("n", 1), Filter.where("tenant", "b"))
    found = retriever(collection()).retrieve(QUESTION, filter=ported, limit=8, mode="vector")
    assert {TENANTS[hit.id] for hit in found} <= {"a"}
    chained = Filter.where("tenant", "a").where_gt("n", 0).where_lte("n", 4)
    assert {hit.document["n"] for hit in retriever(collection()).retrieve(QUESTION, filter=chained)} <= {2, 4}


COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


@pytest.mark.parametrize("compare", COMPARISONS)
@pytest.mark.parametrize("other", [0.5, 1, Score(0.5, ScoreKind.TEXT_RELEVANCE)], ids=str)
def test_17_a_score_refuses_comparison_with_anything_of_another_meaning(compare: Any, other: Any) -> None:
    score = Score(0.5, ScoreKind.RANK_FUSION)
    for left, right in ((score, other), (other, score)):
        with pytest.raises(CallError) as caught:
            compare(left, right)
        assert caught.value.code is Code.SCORE_KIND_MISMATCH


def test_17_a_score_is_formatted_rounded_and_compared_with_its_own_kind() -> None:
    score, better = Score(0.12345, ScoreKind.RANK_FUSION), Score(0.2, ScoreKind.RANK_FUSION)
    assert (f"{score:.3f}", round(score, 2), float(score)) == ("0.123", 0.12, 0.12345)
    assert (score < better, score <= score, better > score, score != better, score == score) == (True,) * 5
    assert score is not None
    assert score != "0.12345"
    near, far = Score(0.1, ScoreKind.DISTANCE), Score(0.9, ScoreKind.DISTANCE)
    assert (far < near, near > far, Threshold(0.5, ScoreKind.DISTANCE).admits(near)) == (True, True, True)


def test_18_a_mongomock_collection_is_told_how_to_be_used() -> None:
    mongomock = pytest.importorskip("mongomock")
    with pytest.raises(CallError) as caught:
        Retriever(mongomock.MongoClient()["a"]["b"])
    assert "LocalClient().load(collection)" in caught.value.next_step


@pytest.mark.parametrize(
    ("make", "code", "said"),
    [
        (lambda: retriever(collection()).retrieve("x", filter={"a": {"$gtee": 1}}), 7102, "$gte"),
        (lambda: retriever(collection()).retrieve("x", limit=0), 7101, "0"),
        (lambda: retriever(collection()).retrieve("x", top_k=3), 7101, "'limit'"),
        (lambda: retriever(collection()).retrieve("x", mode="hybird"), 7101, "'hybrid'"),
        (lambda: retriever(collection()).retrieve("x", search_mode="vectro"), 7101, "'vector'"),
        (lambda: retriever(collection()).retrieve("x", score_threshold=True), 7108, "True"),
        (lambda: retriever(collection()).retrieve("x", weights={"vectr": 1}), 7105, "vectr"),
        (lambda: retriever(collection(), embeder=1), 7101, "'embedder'"),
        (lambda: retriever(collection(), inputs=VectorInput()), 7101, "[VectorInput(…)]"),
        (lambda: retriever(collection(), inputs={}), 7101, "list"),
        (lambda: retriever(collection(), inputs=[VectorInput]), 7101, "VectorInput(…)"),
        (lambda: retriever(collection(), embedder=object()), 7101, "embed_query"),
        (lambda: retriever(collection(), reranker=object()), 7101, "rerank"),
        (lambda: retriever(collection(), rewriter=object()), 7101, "rewrite"),
        (lambda: retriever(collection(), routes=["nativ"]), 7101, "'native'"),
        (lambda: retriever(collection(), options=5), 7101, "RetrievalOptions"),
        (lambda: retriever(collection(), options={"limt": 5}), 7101, "'limit'"),
        (lambda: retriever(collection(), time_limit_ms=0), 7101, "milliseconds"),
        (lambda: retriever(collection()).retrieve(5), 7101, "string"),
        (lambda: retriever(collection()).retrieve(), 7101, "No question" and "question"),
        (lambda: KeywordInput(paths="text"), 7101, "['text']"),
        (lambda: KeywordInput(boosts=3), 7101, "'title': 2.0"),
        (lambda: Threshold(0.5, "rank_fusio"), 7108, "rank_fusion"),
        (lambda: Threshold(float("nan"), ScoreKind.RERANK), 7108, "number"),
    ],
)
def test_19_every_wrong_call_is_answered_with_its_code_what_is_expected_and_the_next_step(
    make: Any, code: int, said: str
) -> None:
    with pytest.raises(CallError) as caught:
        make()
    assert int(caught.value.code) == code
    assert said in str(caught.value)
    assert caught.value.expected


def test_19_a_function_embeds_as_it_is() -> None:
    asked = retriever(collection(), embedder=lambda text: EMBEDDER.embed_query(text))
    assert asked.retrieve(QUESTION, mode="vector").hits


def test_24_a_failing_embedder_is_one_error_and_continues_where_it_may() -> None:
    def fail(text: str) -> Any:
        raise ValueError("secret words of the question")

    asked = retriever(collection(), embedder=fail)
    with pytest.raises(RetrievalError) as caught:
        asked.retrieve(QUESTION)
    assert caught.value.code is Code.PROVIDER_FAILED
    assert "secret" not in str(caught.value)
    kept = asked.retrieve(QUESTION, on_input_failure="continue")
    assert kept.evidence.executed_mode == "keyword"
    assert any("'vector' failed" in note for note in kept.evidence.notes)


def test_24_half_a_character_is_refused_before_anything_is_sent() -> None:
    for mode in MODES:
        with pytest.raises(CallError):
            retriever(collection()).retrieve("refund \ud800", mode=mode)
