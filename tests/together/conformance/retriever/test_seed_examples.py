"""The published examples of the four systems that the contract was written from, each under its own name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from atlas_rag import (
    CallError,
    Filter,
    RetrievalError,
    RetrievalOptions,
    ScoreKind,
    Similarity,
    Threshold,
    field,
)
from atlas_rag.context import Budget, Source, build_context, resolve
from atlas_rag.hits import query_hash
from atlas_rag.rerank import Reranked
from atlas_rag.stages.filters import simplify, to_match, to_search_clauses, to_vector_search
from tests.together.conformance.retriever.corpus import VECTOR_INDEX, collection, retriever

SHOP = collection()
QUESTION = "refunds within days"


class TestEdgeRag:
    """VectorStoreRetrieverOptions: polarity and capability refusal."""

    def test_defaults(self) -> None:
        options = RetrievalOptions()
        assert (options.prefer_hybrid_search, options.require_hybrid_search) == (True, False)
        assert (options.score_threshold, options.max_candidates, options.filter) == (None, 4096, None)
        assert (options.limit, options.skip) == (5, 0)

    def test_a_small_threshold_keeps_the_two_best_of_the_fused_list(self) -> None:
        every = retriever(SHOP).retrieve(QUESTION, limit=8)
        second = every[1].score
        assert second is not None
        kept = retriever(SHOP).retrieve(
            QUESTION, limit=8, score_threshold=Threshold(second.value, ScoreKind.RANK_FUSION)
        )
        assert [hit.id for hit in kept] == [hit.id for hit in every[:2]]

    def test_a_projector_cannot_forge_score_kind_or_order(self) -> None:
        shop = collection()
        shop.update_many({}, {"$set": {"score": -999, "kind": "distance", "rank": 42}})
        for mode, kind in (("vector", "vector_similarity"), ("hybrid", "rank_fusion")):
            hits = retriever(shop).retrieve(QUESTION, mode=mode)
            assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]
            assert {hit.score.kind for hit in hits if hit.score} == {kind}
            assert all(hit.document["score"] == -999 for hit in hits)

    def test_no_keyword_lane_is_7203_with_the_way_out(self) -> None:
        with pytest.raises(RetrievalError) as caught:
            retriever(collection(indexes=(VECTOR_INDEX,))).retrieve(QUESTION, require_hybrid_search=True)
        assert caught.value.code == 7203
        assert "require_hybrid_search=False" in caught.value.next_step

    def test_markers_resolve_by_ordinal_not_by_position(self) -> None:
        sources = [Source(2, "b", "t"), Source(1, "a", "t")]
        assert [one.source.id for one in resolve("x [1] y [2]", sources).citations] == ["a", "b"]

    def test_a_budget_that_cannot_hold_one_source_is_7204(self) -> None:
        hits = retriever(SHOP).retrieve(QUESTION).hits
        with pytest.raises(RetrievalError) as caught:
            build_context(hits, Budget(max_tokens=1))
        assert caught.value.code == 7204


class TestKnowledgeBase:
    """AiKnowledgeBaseChatOptions: modes, weights, limits."""

    def test_vector_mode_sends_no_fusion_on_a_capable_deployment(self) -> None:
        plan = retriever(SHOP).plan(retriever(SHOP).capability(), QUESTION, mode="vector", vector=[0.1] * 64)
        (stage, *_) = plan.commands()[0].body["pipeline"]
        assert list(stage) == ["$vectorSearch"]

    def test_keyword_mode_embeds_and_reranks_nothing(self) -> None:
        result = retriever(SHOP).retrieve("certificate ISO-27001", mode="keyword")
        assert (result[0].id, result.evidence.embedder_id, result.evidence.reranker_id) == ("iso", None, None)

    def test_a_partial_term_match_still_ranks_the_best(self) -> None:
        assert retriever(SHOP).retrieve("lisbon unicorns", mode="keyword")[0].id == "ship"

    def test_an_omitted_weight_is_one_and_an_explicit_zero_is_kept(self) -> None:
        result = retriever(SHOP).retrieve(QUESTION, weights={"vector": 0})
        assert result.evidence.weights == {"keyword": 1.0, "vector": 0.0}

    @pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), -0.0, True])
    def test_weights_are_finite_and_not_negative(self, weight: Any) -> None:
        with pytest.raises(CallError):
            retriever(SHOP).retrieve(QUESTION, weights={"vector": weight})

    @pytest.mark.parametrize(
        "document",
        [{"$and": [{"a": 1}], "b": {"$bad": 1}}, {"$and": []}, {"a": {"$gt": {}}}, {"a": [1]}, {"$nope": 1}],
        ids=str,
    )
    def test_the_filter_grammar_is_checked_everywhere(self, document: dict[str, Any]) -> None:
        with pytest.raises(CallError):
            Filter.from_dict(document)


class TestMythosia:
    """Filtering, derivation and isolation."""

    PERMISSION = (Filter.where("storage", "A") & field("folder").like("/sales/%")) | Filter.where(
        "storage", "B"
    )

    def test_the_permission_pattern_in_every_target_that_can_say_it(self) -> None:
        simple = simplify(self.PERMISSION)
        assert not isinstance(simple, str)
        assert to_match(simple)["$or"][1] == {"storage": {"$eq": "B"}}
        (either,) = to_search_clauses(simple)["filter"]
        assert either["compound"]["minimumShouldMatch"] == 1
        with pytest.raises(CallError, match="like"):
            to_vector_search(simple)

    def test_five_hits_derive_fifteen_candidates_and_a_third_of_the_floor(self) -> None:
        seen: list[int] = []

        class Watching:
            id, blocking = "watching", False

            def rerank(self, query: str, texts: Sequence[str]) -> list[Reranked]:
                seen.append(len(texts))
                return [Reranked(i, float(i)) for i in range(len(texts))]

        asked = retriever(SHOP, reranker=Watching())
        plan = asked.plan(asked.capability(), QUESTION, mode="vector", vector=[0.1] * 64, limit=5)
        assert plan.rows == 15
        asked.retrieve(QUESTION, mode="vector", limit=5, min_score=Similarity.score(1.0))
        lowest = [
            h.score.value for h in retriever(SHOP).retrieve(QUESTION, mode="vector", limit=8) if h.score
        ]
        assert seen == [sum(value >= 1 / 3 for value in lowest)]

    def test_a_membership_list_never_returns_another_group(self) -> None:
        hits = retriever(SHOP).retrieve(QUESTION, limit=8, filter=Filter.where_in("tenant", ["a", "zz"]))
        assert {hit.document["tenant"] for hit in hits} == {"a"}

    def test_the_callers_filter_is_never_changed(self) -> None:
        query = Filter.where("tenant", "a")
        before = repr(query)
        retriever(SHOP, store_filter=Filter.where_exists("n")).retrieve(QUESTION, filter=query)
        assert repr(query) == before


class TestFootprint:
    """RetrievalEvidence: hashes, verdicts, completeness."""

    def test_published_hashes(self) -> None:
        assert query_hash("How long do refunds take?") == "6abf645"
        assert query_hash("😀") == "cb31c4b8"

    @pytest.mark.parametrize("threshold", [0.0, 0.5, 0.6, 0.999])
    def test_admitted_and_rejected_add_up_at_every_threshold(self, threshold: float) -> None:
        evidence = retriever(SHOP).retrieve(QUESTION, mode="vector", score_threshold=threshold).evidence
        rejected = sum(not one.admitted for one in evidence.candidates)
        assert evidence.admitted_count + rejected == evidence.considered_count == 8
        assert all((one.reason is None) == one.admitted for one in evidence.candidates)

    def test_what_is_shown_of_rejects_never_changes_what_is_admitted(self) -> None:
        def admitted(window: int) -> list[Any]:
            return [hit.id for hit in retriever(SHOP).retrieve(QUESTION, limit=3, reject_window=window)]

        assert admitted(0) == admitted(50)

    def test_passages_stay_within_the_characters_given(self) -> None:
        hits = retriever(SHOP).retrieve(QUESTION, limit=8).hits
        sizes = [build_context(hits, Budget(max_tokens=None, max_chars=n)).chars for n in range(60, 400, 20)]
        assert all(size <= limit for size, limit in zip(sizes, range(60, 400, 20), strict=True))
        assert sizes == sorted(sizes)
