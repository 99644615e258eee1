"""What a constructor or an option answers to a value that it cannot take: given, expected, next step."""

from __future__ import annotations

import math
from typing import Any

import pytest

from atlas_rag import (
    CallError,
    Code,
    Filter,
    Fusion,
    HashingEmbedder,
    KeywordInput,
    ScoreKind,
    Similarity,
    Threshold,
    VectorInput,
)
from atlas_rag.capability import CapabilityCache
from atlas_rag.context import Budget, build_context
from atlas_rag.embed.asking import LONGEST_QUESTION
from atlas_rag.indexes import WantedIndex
from atlas_rag.query.request import NativeReranker
from atlas_rag.retriever.rewrite import RewriteDecision
from atlas_rag.stages import Search, Text
from tests.together.conformance.retriever.corpus import collection, retriever

QUESTION = "refunds within days"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: VectorInput(num_candidates="5"), "1 to 10000"),  # type: ignore[arg-type]
        (lambda: VectorInput(num_candidates=0), "1 to 10000"),
        (lambda: VectorInput(exact="yes"), "True or False"),  # type: ignore[arg-type]
        (lambda: Budget(fitt="skip"), "'fit'"),  # type: ignore[call-arg]
        (lambda: Budget(fit="skp"), "'skip'"),  # type: ignore[arg-type]
        (lambda: Budget(count=4), "a function"),  # type: ignore[arg-type]
        (lambda: Budget(max_tokens=0), "None for no limit"),
        (lambda: CapabilityCache(lifetime="5"), "seconds"),  # type: ignore[arg-type]
        (lambda: CapabilityCache(lifetim=5), "'lifetime'"),  # type: ignore[call-arg]
        (lambda: Fusion.rank(weights="vector"), "a mapping"),
        (lambda: Fusion.rank(weight={"vector": 2.0}), "'weights'"),
        (lambda: Fusion.score(normalisation="none"), "'normalization'"),
        (lambda: Fusion(methd="rank"), "'method'"),  # type: ignore[call-arg]
        (lambda: NativeReranker(paths="title"), "['title']"),  # type: ignore[arg-type]
        (lambda: NativeReranker(model=5), "rerank-2.5"),  # type: ignore[arg-type]
        (lambda: Fusion.score(combination={"$nope": 1}), "'$nope'"),
        (lambda: Fusion.score(combination={"$add": ["$$vector", {"$mutliply": [2, 3]}]}), "'$multiply'"),
        (lambda: Fusion.from_dict({"method": "score", "expression": {"$nope": 1}}), "'$nope'"),
        (lambda: RewriteDecision(search="no"), "True or False"),  # type: ignore[arg-type]
        (lambda: RewriteDecision(search=0), "True or False"),  # type: ignore[arg-type]
        (lambda: RewriteDecision(query=5), "a string"),  # type: ignore[arg-type]
        (lambda: RewriteDecision(keywords="refund"), "a list of strings"),  # type: ignore[arg-type]
        (lambda: RewriteDecision(keywords=(5,)), "a list of strings"),  # type: ignore[arg-type]
        (lambda: Threshold(0.5, "rernk"), "'rerank'"),  # type: ignore[arg-type]
        (lambda: Threshold(0.5, "nothing like it"), "one of"),  # type: ignore[arg-type]
        (lambda: Similarity.cosine(2), "-1 to 1"),
        (lambda: Filter.from_dict({}), "at least one condition"),
        (lambda: Filter.from_dict({"$and": []}), "a non-empty array"),
        (lambda: Filter.from_dict({"a": {"$exists": 1}}), "true or false"),
        (lambda: VectorInput(nested="sum"), "max, avg"),  # type: ignore[arg-type]
        (lambda: VectorInput(query=""), "a non-empty string"),
        (lambda: VectorInput(index="a\0b"), "NUL"),
        (lambda: VectorInput(index="\ud800"), "lone surrogate"),
        (lambda: VectorInput(path="a\0b"), "NUL"),
        (lambda: KeywordInput(name="a\0b"), "NUL"),
        (lambda: KeywordInput(paths=("a\0b",)), "NUL"),
        (lambda: KeywordInput(paths=("\ud800",)), "half a character"),
        (lambda: Search(operator=Text(query="x", path="text"), index="a\0b"), "NUL"),
        (lambda: Search(operator=Text(query="x", path="text"), index="\ud800"), "half a character"),
        (lambda: WantedIndex("a\0b", "search", {}), "NUL"),
        (lambda: WantedIndex("\ud800", "search", {}), "lone surrogate"),
        (lambda: build_context([], order="recent"), "'recency'"),  # type: ignore[arg-type]
        (lambda: build_context([], 500), "max_tokens=500"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_value_is_answered_with_what_is_expected(make: Any, said: str) -> None:
    with pytest.raises(CallError) as caught:
        make()
    assert said in str(caught.value)
    assert caught.value.expected
    assert caught.value.next_step


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"fusion": "rank"}, "Fusion.rank()"),
        ({"fusion": {}}, "Fusion.rank()"),
        ({"capabilities": 300}, "CapabilityCache"),
        ({"required_filters": "tenant"}, "['tenant']"),
        ({"required_filters": [1]}, "field paths"),
        ({"required_filters": None}, "field paths"),
        ({"time_limit_ms": 2**40}, "at most 2147483647"),
        ({"progress": "yes"}, "a function"),
        ({"evidence_key": "secret"}, "bytes"),
        ({"retriever_id": 5}, "a string"),
    ],
)
def test_a_wrong_setting_is_refused_when_the_retriever_is_made(settings: Any, said: str) -> None:
    with pytest.raises(CallError) as caught:
        retriever(collection(), **settings)
    assert said in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"keywords": {"refunds": 2.0}}, "a list of strings"),
        ({"min_score": [0.5]}, "a Threshold"),
        ({"score_threshold": "0.5"}, "a Threshold"),
        ({"min_score_divider": "5"}, "number"),
        ({"min_score_divider": True}, "number"),
        ({"reject_window": 2**70}, "10000"),
    ],
)
def test_a_wrong_option_is_refused(options: Any, said: str) -> None:
    with pytest.raises(CallError) as caught:
        retriever(collection()).retrieve(QUESTION, **options)
    assert said in str(caught.value)


def test_a_number_of_numpy_is_the_number_that_it_is() -> None:
    numpy = pytest.importorskip("numpy")
    asked = retriever(collection(), time_limit_ms=numpy.int64(30_000))
    assert len(asked.retrieve(QUESTION, limit=numpy.int64(3), skip=numpy.int32(1))) == 3
    assert Threshold(numpy.float32(0.5), ScoreKind.RERANK) == Threshold(0.5, ScoreKind.RERANK)
    assert type(Similarity.score(numpy.int64(1)).value) is int
    assert Budget(max_tokens=numpy.int64(100)).max_tokens == 100
    with pytest.raises(CallError):
        asked.retrieve(QUESTION, limit=numpy.float64(3.5))


@pytest.mark.parametrize("option", ["require_hybrid_search", "prefer_hybrid_search", "include_metadata"])
@pytest.mark.parametrize("given", ["yes", 1, None])
def test_a_switch_is_true_or_false(option: str, given: Any) -> None:
    with pytest.raises(CallError) as caught:
        retriever(collection()).retrieve(QUESTION, **{option: given})
    assert caught.value.code is Code.INVALID_OPTION


@pytest.mark.parametrize(
    "weight",
    [-1, True, "1", math.nan, math.inf, 10**400, 10**5000, None],
    ids=["negative", "bool", "text", "nan", "inf", "huge", "unprintable", "none"],
)
def test_a_fusion_takes_no_senseless_weight(weight: Any) -> None:
    for make in (Fusion.rank, Fusion.score, lambda weights: Fusion("rank", weights)):
        with pytest.raises(CallError) as caught:
            make(weights={"vector": weight})
        assert caught.value.code is Code.INVALID_WEIGHTS
        assert caught.value.next_step


def test_a_fusion_of_another_kind_is_refused_however_it_is_made() -> None:
    for settings in ({"method": "rnk"}, {"method": "score", "normalization": "minmax"}):
        with pytest.raises(CallError):
            Fusion(**settings)  # type: ignore[arg-type]


def test_an_exact_search_has_no_candidates() -> None:
    with pytest.raises(CallError, match="num_candidates"):
        VectorInput(exact=True, num_candidates=100)


@pytest.mark.parametrize("path", ["", "$text", "a..b", "a.$b", 5])
def test_the_path_of_the_text_is_a_path(path: Any) -> None:
    with pytest.raises(CallError, match="text_path"):
        retriever(collection(), text_path=path)


@pytest.mark.parametrize("limit", [0, -1, 2**31, "5", True])
def test_the_time_limit_of_a_call_is_a_number_of_milliseconds(limit: Any) -> None:
    with pytest.raises(CallError, match="time_limit_ms"):
        retriever(collection()).retrieve(QUESTION, time_limit_ms=limit)


def test_a_question_longer_than_any_model_reads_is_not_embedded() -> None:
    asked: list[int] = []

    def embed(text: str) -> list[float]:
        asked.append(len(text))
        return HashingEmbedder(64).embed_query(text)

    notes = retriever(collection(), embedder=embed)
    assert notes.retrieve("refunds ".ljust(LONGEST_QUESTION, "x"), mode="vector").hits
    for options in ({}, {"mode": "vector"}, {"variants": ["refunds " * LONGEST_QUESTION]}):
        question = QUESTION if "variants" in options else "refunds " * LONGEST_QUESTION
        with pytest.raises(CallError, match="characters long") as caught:
            notes.retrieve(question, **options)
        assert caught.value.next_step
        assert "refunds" not in str(caught.value)
    assert max(asked) == LONGEST_QUESTION
    assert notes.retrieve("refunds " * LONGEST_QUESTION, mode="keyword").hits


@pytest.mark.parametrize("last", [True, False])
def test_a_truth_value_is_no_number_of_a_vector(last: bool) -> None:
    numpy = pytest.importorskip("numpy")
    for vector in ([0.5] * 63 + [last], (0.5,) * 63 + (numpy.bool_(last),)):
        for make in (
            lambda vector=vector: retriever(collection()).retrieve(QUESTION, vector=vector),
            lambda vector=vector: retriever(collection(), embedder=lambda text: vector).retrieve(QUESTION),
        ):
            with pytest.raises(CallError) as caught:
                make()
            assert caught.value.code is Code.INVALID_VECTOR
