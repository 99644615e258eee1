"""Reranking: candidates, floors, blends, failures, and scores that say nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import atlas_rag
from atlas_rag import CallError, Code, FinalSelection, RetrievalError, ScoreKind, Similarity, Threshold
from atlas_rag.rerank import Reranked
from tests.together.conformance.retriever.corpus import EMBEDDER, collection, retriever

SHOP = collection()
QUESTION = "refunds within days"


class Told:
    """A reranker that scores as it is told and remembers what it saw."""

    id, blocking = "told", False

    def __init__(self, score: Callable[[int, str], float | None]) -> None:
        self.score = score
        self.texts: Sequence[str] = ()

    def rerank(self, query: str, texts: Sequence[str]) -> list[Reranked]:
        self.texts = texts
        scored = [(position, self.score(position, text)) for position, text in enumerate(texts)]
        return [Reranked(position, score) for position, score in scored if score is not None][::-1]


def by_length(_: int, text: str) -> float:
    return float(len(text))


def worst_first(position: int, _: str) -> float:
    return float(position)


def test_the_reranker_decides_order_score_and_kind() -> None:
    reranker = Told(worst_first)
    plain = retriever(SHOP).retrieve(QUESTION, mode="vector", limit=6)
    result = retriever(SHOP, reranker=reranker).retrieve(QUESTION, mode="vector", limit=2)
    assert [hit.id for hit in result] == [plain[5].id, plain[4].id]
    assert [(hit.rank, hit.score.value, hit.score.kind) for hit in result if hit.score] == [
        (1, 5.0, "rerank"),
        (2, 4.0, "rerank"),
    ]
    assert result.evidence.reranker_id == "told"


@pytest.mark.parametrize(
    ("options", "candidates"),
    [({"limit": 2}, 6), ({"limit": 2, "top_k_multiplier": 2}, 4), ({"limit": 1, "candidate_limit": 5}, 5)],
)
def test_candidates_are_derived_and_can_be_set(options: dict[str, Any], candidates: int) -> None:
    reranker = Told(by_length)
    retriever(SHOP, reranker=reranker).retrieve(QUESTION, mode="vector", **options)
    assert len(reranker.texts) == candidates


def test_the_reranker_sees_title_and_text() -> None:
    reranker = Told(by_length)
    retriever(SHOP, reranker=reranker).retrieve(QUESTION, mode="vector", limit=1)
    assert reranker.texts[0].split("\n")[1] == "refunds are paid within five days"


def test_min_score_is_relaxed_before_and_thresholds_are_strict_after() -> None:
    scores = [
        hit.score.value for hit in retriever(SHOP).retrieve(QUESTION, mode="vector", limit=8) if hit.score
    ]
    reranker = Told(worst_first)
    asked = retriever(SHOP, reranker=reranker)
    floor = Similarity.score(scores[4] * 3)
    result = asked.retrieve(QUESTION, mode="vector", limit=8, min_score=floor)
    assert len(reranker.texts) == 5
    assert [hit.score.value for hit in result if hit.score] == [4.0, 3.0, 2.0]
    assert result.evidence.min_scores == {"vector_similarity": floor.value / 3, "rerank": floor.value}
    strict = asked.retrieve(
        QUESTION, mode="vector", limit=8, min_score=floor, score_threshold=Threshold(3, ScoreKind.RERANK)
    )
    assert [hit.score.value for hit in strict if hit.score] == [4.0, 3.0]
    reasons = [one.reason for one in strict.evidence.candidates if not one.admitted]
    assert reasons == ["below-threshold"] * 3 + ["below-min-score"] * 3


def test_without_a_reranker_min_score_is_strict() -> None:
    every = retriever(SHOP).retrieve(QUESTION, mode="vector", limit=8)
    fifth = every[4].score
    assert fifth is not None
    kept = retriever(SHOP).retrieve(QUESTION, mode="vector", limit=8, min_score=Similarity.score(fifth.value))
    assert len(kept) == 5


def test_a_fused_floor_says_nothing_to_a_reranker_and_is_refused_beside_one() -> None:
    floor = Threshold(0.03, ScoreKind.RANK_FUSION)
    with pytest.raises(CallError, match="rank_fusion"):
        retriever(SHOP, reranker=Told(by_length)).retrieve(QUESTION, limit=2, min_score=floor)
    kept = retriever(SHOP).retrieve(QUESTION, limit=8, min_score=floor)
    assert {hit.score.value >= 0.03 for hit in kept if hit.score} == {True}
    assert "below-min-score" in {one.reason for one in kept.evidence.candidates}


@pytest.mark.parametrize("normalizer", ["minmax", "rank"])
def test_a_blend_has_its_own_kind_and_range(normalizer: Any) -> None:
    selection = FinalSelection(mode="weighted_blend", normalizer=normalizer)
    result = retriever(SHOP, reranker=Told(worst_first)).retrieve(
        QUESTION, mode="vector", limit=8, final_selection=selection
    )
    values = [hit.score.value for hit in result if hit.score]
    assert values == sorted(values, reverse=True)
    assert {hit.score.kind for hit in result if hit.score} == {"blend"}
    assert all(0 <= value <= 1 for value in values)


def test_the_weight_of_a_blend_goes_from_one_side_to_the_other() -> None:
    def order(weight: float) -> list[str]:
        selection = FinalSelection(mode="weighted_blend", retrieval_weight=weight)
        asked = retriever(SHOP, reranker=Told(worst_first))
        return [hit.id for hit in asked.retrieve(QUESTION, mode="vector", limit=8, final_selection=selection)]

    assert order(1.0) == order(0.0)[::-1]


@pytest.mark.parametrize(("missing", "left"), [("exclude", 5), ("zero", 6), ("renormalise", 6)])
def test_a_text_that_the_reranker_leaves_out(missing: Any, left: int) -> None:
    selection = FinalSelection(mode="weighted_blend", missing=missing)
    reranker = Told(lambda position, _: None if position == 2 else float(position))
    result = retriever(SHOP, reranker=reranker).retrieve(
        QUESTION, mode="vector", limit=6, candidate_limit=6, final_selection=selection
    )
    assert len(result) == left
    assert any("left out 1 of 6" in note for note in result.evidence.notes)
    dropped = [one.reason for one in result.evidence.candidates if not one.admitted]
    assert dropped == ["rerank-dropped"] * (6 - left)


def test_a_constant_score_is_noticed() -> None:
    result = retriever(SHOP, reranker=Told(lambda *_: 0.5987)).retrieve(QUESTION, mode="vector")
    assert any("same score, 0.5987" in note for note in result.evidence.notes)


def test_keyword_search_is_not_reranked_and_says_so() -> None:
    reranker = Told(by_length)
    result = retriever(SHOP, reranker=reranker).retrieve(QUESTION, mode="keyword")
    assert reranker.texts == ()
    assert (result.evidence.score_kind, result.evidence.reranker_id) == ("text_relevance", None)
    assert "keyword search is not reranked" in result.evidence.notes


def fail(*_: Any) -> float:
    raise TimeoutError("secret question")


def test_a_failing_reranker_is_refused_or_left_out_by_policy() -> None:
    asked = retriever(SHOP, reranker=Told(fail))
    with pytest.raises(RetrievalError) as caught:
        asked.retrieve(QUESTION)
    assert caught.value.code is Code.PROVIDER_FAILED
    assert "secret" not in str(caught.value)
    plain = retriever(SHOP).retrieve(QUESTION, limit=2)
    going_on = asked.retrieve(QUESTION, limit=2, on_reranker_failure="continue")
    assert [hit.id for hit in going_on] == [hit.id for hit in plain]
    assert going_on.evidence.score_kind == "rank_fusion"
    assert any("TimeoutError" in note for note in going_on.evidence.notes)


@pytest.mark.parametrize(
    "answer", [[Reranked(9, 1.0)], [Reranked(0, 1.0), Reranked(0, 2.0)], [Reranked(0, float("nan"))]]
)
def test_an_impossible_answer_is_an_error_of_the_reranker(answer: list[Reranked]) -> None:
    class Odd(Told):
        def rerank(self, query: str, texts: Sequence[str]) -> list[Reranked]:
            return answer

    with pytest.raises(RetrievalError):
        retriever(SHOP, reranker=Odd(by_length)).retrieve(QUESTION, limit=1)


def test_an_asynchronous_reranker_is_awaited() -> None:
    class Later(Told):
        async def rerank(self, query: str, texts: Sequence[str]) -> list[Reranked]:  # type: ignore[override]
            await asyncio.sleep(0)
            return super().rerank(query, texts)

    asked = atlas_rag.AsyncRetriever(SHOP, embedder=EMBEDDER, reranker=Later(worst_first))
    result = asyncio.run(asked.retrieve(QUESTION, limit=2))
    assert {hit.score.kind for hit in result if hit.score} == {"rerank"}


def test_a_call_may_bring_its_own_reranker_or_go_without() -> None:
    own, other = Told(worst_first), Told(by_length)
    asked = retriever(SHOP, reranker=own)
    assert asked.retrieve(QUESTION, reranker=None).evidence.reranker_id is None
    assert not own.texts
    result = asked.retrieve(QUESTION, reranker=other, limit=2)
    assert (result.evidence.reranker_id, bool(other.texts), bool(own.texts)) == ("told", True, False)
    with pytest.raises(CallError, match="cannot rerank"):
        asked.retrieve(QUESTION, reranker=5)


def test_what_a_reranker_answered_wrongly_is_told() -> None:
    with pytest.raises(RetrievalError, match="1 scores for 8 texts"):
        retriever(SHOP, reranker=lambda query, texts: [1.0]).retrieve(QUESTION)
