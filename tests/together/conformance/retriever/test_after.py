"""What becomes of hits after fusion and reranking: groups."""

from __future__ import annotations

import json
from typing import Any

import pytest

from atlas_rag import (
    CallError,
    Code,
    Collapse,
    LexicalReranker,
    LocalClient,
    ScoreKind,
    Threshold,
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
    assert Collapse(by="doc_id", keep=2) == Collapse(**Collapse(by="doc_id", keep=2).model_dump())
    for wrong in ({"by": ""}, {"by": "a..b"}, {"by": "$a"}, {"by": 3}, {"by": "a", "keep": 0}, {"keep": 1}):
        with pytest.raises(CallError) as caught:
            retriever(chunks()).retrieve(QUESTION, collapse=wrong)  # type: ignore[arg-type]
        assert caught.value.code is Code.INVALID_OPTION
    with pytest.raises(CallError, match="did you mean 'keep'"):
        Collapse(by="a", keeps=2)  # type: ignore[call-arg]
    with pytest.raises(CallError):
        retriever(chunks()).retrieve(QUESTION, collapse="doc_id")  # type: ignore[arg-type]
