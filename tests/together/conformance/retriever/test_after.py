"""What becomes of hits after fusion and reranking: groups, and hits that are unlike each other."""

from __future__ import annotations

import asyncio
import json
import math
import operator
import random
from typing import Any

import pytest
from bson.binary import Binary, BinaryVectorDtype

from atlas_rag import (
    AsyncLocalClient,
    AsyncRetriever,
    CallError,
    Code,
    Collapse,
    Diversify,
    KeywordInput,
    LexicalReranker,
    LocalClient,
    ScoreKind,
    Threshold,
    VectorInput,
)
from tests.together.conformance.retriever.corpus import EMBEDDER, TEXT_INDEX, VECTOR_INDEX, retriever

QUESTION = "refunds within days"
CHUNKS = {
    "a1": "refunds within five days",
    "a2": "refunds within ten days and no more",
    "a3": "refunds within thirty days where the receipt is kept",
    "b1": "refunds take days",
    "b2": "within the shop",
    "c1": "returns within days of the purchase",
    "free": "days of rest, refunds rest too",
    "null": "the days are long within the winter",
}


def chunks(release: str = "8.2") -> Any:
    """Chunks of the documents a, b and c, and two of no document."""
    target = LocalClient(server_version=release)["shop"]["chunks"]
    for name, text in CHUNKS.items():
        document = {"_id": name, "text": text, "embedding": EMBEDDER.embed_query(text)}
        owner = {"free": {}, "null": {"doc": {"id": None}}}.get(name, {"doc": {"id": name[0]}})
        target.insert_one({**document, **owner})
    target.create_search_index(VECTOR_INDEX)
    target.create_search_index(TEXT_INDEX)
    return target


BY_DOCUMENT = Collapse(by="doc.id")


def grouped(ranked: list[str], keep: int) -> list[str]:
    """The straightforward way: a hit stays if fewer than `keep` of its document came before it."""
    return [
        name
        for place, name in enumerate(ranked)
        if name in ("free", "null") or [one[0] for one in ranked[:place]].count(name[0]) < keep
    ]


@pytest.mark.parametrize("release", ["7.0", "8.0", "8.2"])
@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
@pytest.mark.parametrize("keep", [1, 2])
def test_only_the_best_chunks_of_each_document_stay(release: str, mode: str, keep: int) -> None:
    asked = retriever(chunks(release))
    ranked = [hit.id for hit in asked.retrieve(QUESTION, mode=mode, limit=8)]
    collapsed = Collapse(by="doc.id", keep=keep)
    for skip in (0, 1):
        result = asked.retrieve(QUESTION, mode=mode, limit=3, skip=skip, collapse=collapsed)
        assert [hit.id for hit in result] == grouped(ranked, keep)[skip : skip + 3]


def test_a_collapse_is_told_in_evidence_with_every_candidate() -> None:
    result = retriever(chunks()).retrieve(QUESTION, limit=3, collapse={"by": "doc.id"})
    evidence = result.evidence
    assert evidence.collapse == "by doc.id, keep 1"
    reasons = {one.id: one.reason for one in evidence.candidates}
    assert len(reasons) == 8
    assert [reasons[name] for name in ("a1", "a2", "a3")].count("collapsed") == 2
    assert not any("collapse" in note for note in evidence.notes)
    assert json.loads(json.dumps(result.to_dict()))["evidence"]["collapse"] == "by doc.id, keep 1"
    assert retriever(chunks()).retrieve(QUESTION).evidence.collapse is None


def test_more_candidates_are_fetched_as_for_a_reranker() -> None:
    asked = retriever(chunks())
    report, vector = asked.capability(), EMBEDDER.embed_query(QUESTION)
    assert asked.plan(report, QUESTION, vector=vector, limit=2, skip=1, collapse=BY_DOCUMENT).rows == 9
    assert (
        asked.plan(report, QUESTION, vector=vector, limit=2, collapse=BY_DOCUMENT, top_k_multiplier=5).rows
        == 10
    )
    assert (
        asked.plan(report, QUESTION, vector=vector, limit=2, collapse=BY_DOCUMENT, candidate_limit=4).rows
        == 4
    )
    with pytest.raises(CallError, match="candidate_limit is 1"):
        asked.plan(report, QUESTION, vector=vector, limit=2, collapse=BY_DOCUMENT, candidate_limit=1)


def test_a_page_that_groups_leave_unfilled_is_noted() -> None:
    asked = retriever(chunks())
    result = asked.retrieve(
        "refunds within days", mode="vector", limit=3, candidate_limit=3, collapse=BY_DOCUMENT
    )
    assert len(result) < 3
    assert any("larger candidate_limit" in note for note in result.evidence.notes)
    everything = asked.retrieve(QUESTION, limit=8, candidate_limit=20, collapse=BY_DOCUMENT)
    assert len(everything) == 5
    assert everything.evidence.notes == ()


def test_a_hit_below_the_threshold_takes_no_place_of_its_group() -> None:
    asked = retriever(chunks())
    scores = [hit.score for hit in asked.retrieve(QUESTION, mode="vector", limit=8)]
    least = scores[1]
    assert least is not None
    floor = Threshold(least.value, ScoreKind.VECTOR_SIMILARITY)
    result = asked.retrieve(QUESTION, mode="vector", limit=8, score_threshold=floor, collapse=BY_DOCUMENT)
    reasons = [one.reason for one in result.evidence.candidates]
    assert reasons.count("below-threshold") == 6


def test_groups_are_made_of_the_order_that_a_reranker_gives() -> None:
    asked = retriever(chunks(), reranker=LexicalReranker())
    ranked = [hit.id for hit in asked.retrieve(QUESTION, limit=8)]
    result = asked.retrieve(QUESTION, limit=8, collapse=BY_DOCUMENT)
    assert [hit.id for hit in result] == grouped(ranked, 1)
    assert [hit.rank for hit in result] == sorted(hit.rank for hit in result)


def test_values_that_a_server_holds_for_equal_are_one_group() -> None:
    target = LocalClient()["shop"]["numbers"]
    owners = {"one": 1, "one-too": 1.0, "true": True, "list": [1], "list-too": [1], "text": "1"}
    for name, owner in owners.items():
        target.insert_one({"_id": name, "text": "refunds", "owner": owner})
    target.create_search_index(TEXT_INDEX)
    result = retriever(target).retrieve("refunds", mode="keyword", limit=6, collapse={"by": "owner"})
    assert sorted(hit.id for hit in result) == ["list", "one", "text", "true"]


def test_a_collapse_is_a_value_and_its_mistakes_are_told() -> None:
    assert Collapse(by="doc_id", keep=2) == Collapse(**Collapse(by="doc_id", keep=2).to_dict())
    for wrong in ({"by": ""}, {"by": "a..b"}, {"by": "$a"}, {"by": 3}, {"by": "a", "keep": 0}, {"keep": 1}):
        with pytest.raises(CallError) as caught:
            retriever(chunks()).retrieve(QUESTION, collapse=wrong)  # type: ignore[arg-type]
        assert caught.value.code is Code.INVALID_OPTION
    with pytest.raises(CallError, match="did you mean 'keep'"):
        Collapse(by="a", keeps=2)  # type: ignore[call-arg]
    with pytest.raises(CallError):
        retriever(chunks()).retrieve(QUESTION, collapse="doc_id")  # type: ignore[arg-type]


def unlike(scores: dict[str, float], vectors: dict[str, Any], share: float) -> list[str]:
    """Maximal marginal relevance, as its definition reads."""
    low, high = min(scores.values()), max(scores.values())
    left, taken = list(scores), []

    def cosine(one: str, other: str) -> float:
        a, b = vectors.get(one), vectors.get(other)
        return (
            0.0 if a is None or b is None else sum(map(operator.mul, a, b)) / math.hypot(*a) / math.hypot(*b)
        )

    def value(name: str) -> float:
        near = max((round(cosine(name, other), 12) for other in taken), default=0.0)
        return share * (scores[name] - low) / (high - low) - (1 - share) * near

    while left:
        taken.append(max(left, key=value))
        left.remove(taken[-1])
    return taken


def as_stored(vector: list[int], form: str) -> Any:
    return vector if form == "list" else Binary.from_vector(vector, BinaryVectorDtype[form])


@pytest.mark.parametrize("seed", range(6))
def test_the_order_is_that_of_the_definition(seed: int) -> None:
    draw = random.Random(seed)
    target = LocalClient(server_version=draw.choice(["7.0", "8.0", "8.2"]))["shop"]["random"]
    vectors = {f"d{i}": [draw.randint(-9, 9) for _ in range(4)] for i in range(12)}
    del vectors["d3"]
    form = draw.choice(["list", "FLOAT32", "INT8"])
    for i in range(12):
        name = f"d{i}"
        document = {
            "_id": name,
            "text": " ".join(["refunds"] * draw.randint(1, 4) + ["days"] * draw.randint(0, 3)),
        }
        stored = {"v": {"own": as_stored(vectors[name], form)}} if name in vectors else {}
        target.insert_one({**document, **stored})
    target.create_search_index(TEXT_INDEX)
    asked = retriever(target, inputs=[KeywordInput()])
    plain = asked.retrieve("refunds days", mode="keyword", limit=12)
    scores = {hit.id: hit.score.value for hit in plain if hit.score is not None}
    for share in (0, 0.25, 0.5, 0.9, 1):
        wanted = unlike(scores, vectors, share)
        how = Diversify(relevance=share, path="v.own")
        result = asked.retrieve(
            "refunds days", mode="keyword", limit=4, skip=1, candidate_limit=12, diversify=how
        )
        assert [hit.id for hit in result] == wanted[1:5]
        assert [hit.rank for hit in result] == [2, 3, 4, 5]
        assert {hit.id: hit.score.value for hit in result if hit.score} == {
            one: scores[one] for one in wanted[1:5]
        }
        assert any(
            "1 of 12 candidates have no usable vector at v.own" in note for note in result.evidence.notes
        )


def test_bits_count_as_plus_and_minus_one() -> None:
    target = LocalClient()["shop"]["bits"]
    for name, bits in {"a": [0], "b": [1], "c": [255]}.items():
        stored = Binary.from_vector(bits, BinaryVectorDtype.PACKED_BIT)
        target.insert_one({"_id": name, "text": "refunds", "v": stored})
    target.create_search_index(TEXT_INDEX)
    result = retriever(target).retrieve("refunds", mode="keyword", diversify={"path": "v"})
    assert [hit.id for hit in result] == ["a", "c", "b"]
    assert result.evidence.notes == ()


@pytest.mark.parametrize("release", ["7.0", "8.0", "8.2"])
def test_equal_documents_keep_their_order_and_do_not_follow_each_other(release: str) -> None:
    target = chunks(release)
    target.insert_one({**target.find_one({"_id": "a1"}), "_id": "a1-too"})
    asked = retriever(target)
    ranked = [hit.id for hit in asked.retrieve(CHUNKS["a1"], limit=9)]
    assert ranked[:2] == ["a1", "a1-too"]
    spread = [hit.id for hit in asked.retrieve(CHUNKS["a1"], limit=9, diversify={})]
    assert spread[0] == "a1"
    assert spread[1] != "a1-too"
    assert sorted(spread) == sorted(ranked)
    same = asked.retrieve(CHUNKS["a1"], limit=9, diversify={"relevance": 1.0})
    assert [hit.id for hit in same] == ranked


def test_vectors_are_fetched_but_never_handed_on() -> None:
    result = retriever(chunks()).retrieve(QUESTION, limit=3, diversify=Diversify())
    told = json.dumps(result.to_dict()) + repr(result) + repr(result.plan) + result.evidence.model_dump_json()
    assert "0.0, " not in told
    assert not any("embedding" in hit.document for hit in (*result, *result.rejected))
    assert result.evidence.diversify == "relevance 0.5, vectors at embedding"
    assert "stored_vectors" in result.evidence.stage_ms
    assert "stored_vectors" not in retriever(chunks()).retrieve(QUESTION).evidence.stage_ms


def test_groups_and_a_reranker_come_before_diversity() -> None:
    asked = retriever(chunks(), reranker=LexicalReranker())
    ranked = [hit.id for hit in asked.retrieve(QUESTION, limit=8, collapse=BY_DOCUMENT)]
    both = asked.retrieve(QUESTION, limit=8, collapse=BY_DOCUMENT, diversify=Diversify(relevance=0.4))
    assert sorted(hit.id for hit in both) == sorted(ranked)
    assert both[0].id == ranked[0]
    reasons = [one.reason for one in both.evidence.candidates]
    assert reasons == [None] * 5 + ["collapsed"] * 3


def test_the_asynchronous_sibling_spreads_hits_alike() -> None:
    async def walk() -> list[str]:
        target = AsyncLocalClient()["shop"]["chunks"]
        await target.insert_many(list(chunks().find()))
        for index in (VECTOR_INDEX, TEXT_INDEX):
            await target.create_search_index(index)
        inputs = (VectorInput(exact=True), KeywordInput())
        asked = AsyncRetriever(target, inputs=inputs, embedder=EMBEDDER)
        return [hit.id for hit in await asked.retrieve(QUESTION, limit=4, collapse=BY_DOCUMENT, diversify={})]

    result = retriever(chunks()).retrieve(QUESTION, limit=4, collapse=BY_DOCUMENT, diversify={})
    assert asyncio.run(walk()) == [hit.id for hit in result]


def test_diversity_needs_one_path_and_a_share() -> None:
    words = retriever(chunks(), inputs=[KeywordInput()])
    with pytest.raises(CallError, match="no path"):
        words.retrieve(QUESTION, mode="keyword", diversify={})
    two = [VectorInput(), VectorInput(name="other", path="other")]
    with pytest.raises(CallError, match="embedding, other"):
        retriever(chunks(), inputs=two).retrieve(QUESTION, diversify={})
    for wrong in (
        {"relevance": 1.1},
        {"relevance": -0.1},
        {"relevance": math.nan},
        {"relevance": True},
        {"path": ""},
    ):
        with pytest.raises(CallError) as caught:
            Diversify(**wrong)
        assert caught.value.code is Code.INVALID_OPTION
