"""The retrieval contract on the in-process engine: modes, options, thresholds, limits, isolation."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

from atlas_rag import (
    CallError,
    Code,
    Filter,
    Mode,
    RetrievalError,
    RetrievalOptions,
    Score,
    ScoreKind,
    SearchIndexError,
    Similarity,
    Threshold,
)
from atlas_rag.retriever import chat_over_chunks, telemetry
from tests.together.conformance.retriever.corpus import (
    EMBEDDER,
    TEXT_INDEX,
    TEXTS,
    VECTOR_INDEX,
    collection,
    retriever,
)

SHOP = collection()
R = retriever(SHOP)
QUESTION = "refunds within days"


@pytest.mark.parametrize(
    ("options", "mode", "kind", "reason"),
    [
        ({}, "hybrid", "rank_fusion", "can do it"),
        ({"mode": "vector"}, "vector", "vector_similarity", "was asked for"),
        ({"mode": "keyword"}, "keyword", "text_relevance", "was asked for"),
        ({"search_mode": Mode.KEYWORD}, "keyword", "text_relevance", "was asked for"),
        ({"prefer_hybrid_search": False}, "vector", "vector_similarity", "prefer_hybrid_search is false"),
        ({"keywords": []}, "vector", "vector_similarity", "no keywords"),
        ({"keywords": ["  "]}, "vector", "vector_similarity", "no keywords"),
        ({"keywords": ["parcels"]}, "hybrid", "rank_fusion", "can do it"),
    ],
)
def test_the_input_pipelines_are_chosen_with_a_reason(
    options: Any, mode: str, kind: str, reason: str
) -> None:
    result = R.retrieve(QUESTION, **options)
    evidence = result.evidence
    assert (evidence.executed_mode, evidence.score_kind) == (mode, kind)
    assert reason in evidence.mode_reason
    assert {hit.score.kind for hit in result if hit.score} <= {kind}


def test_a_question_of_stop_words_has_no_keywords() -> None:
    evidence = R.retrieve("how are you").evidence
    assert (evidence.requested_mode, evidence.executed_mode) == ("hybrid", "vector")


def test_keywords_replace_the_question_for_the_keyword_pipeline_only() -> None:
    result = R.retrieve(QUESTION, keywords=["parcels"], limit=8)
    assert {hit.id for hit in result if hit.contributions["keyword"].rank} == {"ship", "track"}


def test_without_a_text_index_hybrid_falls_back_and_says_why() -> None:
    alone = retriever(collection(indexes=(VECTOR_INDEX,)))
    evidence = alone.retrieve(QUESTION).evidence
    assert (evidence.requested_mode, evidence.executed_mode) == ("hybrid", "vector")
    assert "text_index" in evidence.mode_reason


def test_required_hybrid_search_is_about_the_collection() -> None:
    alone = retriever(collection(indexes=(VECTOR_INDEX,)))
    with pytest.raises(RetrievalError) as caught:
        alone.retrieve(QUESTION, require_hybrid_search=True)
    assert caught.value.code == 7203
    assert R.retrieve("how are you", require_hybrid_search=True).evidence.executed_mode == "vector"
    with pytest.raises(CallError, match="prefer_hybrid_search is false"):
        R.retrieve(QUESTION, require_hybrid_search=True, prefer_hybrid_search=False)


@pytest.mark.parametrize(("indexes", "mode"), [((VECTOR_INDEX,), "keyword"), ((TEXT_INDEX,), "vector")])
def test_a_mode_that_cannot_run_is_refused(indexes: Any, mode: str) -> None:
    with pytest.raises(SearchIndexError) as caught:
        retriever(collection(indexes=indexes)).retrieve(QUESTION, mode=mode)
    assert caught.value.code is Code.INDEX_MISSING


@pytest.mark.parametrize(
    "options",
    [
        {"limit": 0},
        {"limit": True},
        {"limit": "5"},
        {"skip": -1},
        {"mode": "fuzzy"},
        {"weights": {"nope": 1}},
        {"weights": {"vector": -1}},
        {"weights": {"vector": float("nan")}},
        {"weights": {"vector": True}},
        {"weights": {"vector": 0, "keyword": 0}},
        {"weights": {"vector": 1}, "mode": "vector"},
        {"filter": {"tenant": {"$regex": "x"}}},
        {"filter": {"unindexed": 1}},
        {"filter": Filter.where_like("tenant", "a%")},
        {"num_candidates": 10_001},
        {"depth": 2},
        {"candidate_limit": 3},
        {"min_score_divider": 0},
        {"top_k_multiplier": 0},
        {"keywords": "one string"},
        {"score_threshold": 0.5},
        {"score_threshold": Threshold(0.5, ScoreKind.RERANK)},
        {"vector": [1.0]},
        {"no_such_option": 1},
    ],
    ids=str,
)
def test_wrong_options_are_refused_by_name_before_any_search(options: dict[str, Any]) -> None:
    with pytest.raises(CallError) as caught:
        R.retrieve(QUESTION, **options)
    assert caught.value.expected or caught.value.next_step


@pytest.mark.parametrize(("limit", "skip", "refused"), [(4000, 96, False), (4000, 97, True), (4097, 0, True)])
def test_max_candidates_names_the_limit_and_both_remedies(limit: int, skip: int, refused: bool) -> None:
    def ask() -> Any:
        return R.retrieve(QUESTION, mode="keyword", limit=limit, skip=skip)

    if not refused:
        assert ask().evidence.limit == limit
        return
    with pytest.raises(RetrievalError) as caught:
        ask()
    assert caught.value.code is Code.RAG_RETRIEVAL_FAILED == 7202
    assert "4096" in str(caught.value)
    assert "lower limit or skip" in str(caught.value)
    assert "raise max_candidates" in str(caught.value)


def test_weights_in_a_mode_without_fusion_can_be_ignored_on_request() -> None:
    result = R.retrieve(QUESTION, mode="vector", weights={"vector": 2}, weights_policy="ignore")
    assert result.evidence.executed_mode == "vector"
    fallen_back = R.retrieve("how are you", weights={"vector": 2})
    assert any("weights did not act" in note for note in fallen_back.evidence.notes)


def test_a_bare_threshold_is_taken_where_the_kind_is_certain() -> None:
    every = R.retrieve(QUESTION, mode="vector", limit=8)
    middle = every[3].score
    assert middle is not None
    kept = R.retrieve(QUESTION, mode="vector", limit=8, score_threshold=middle.value)
    assert [hit.id for hit in kept] == [hit.id for hit in every[:4]]
    below = [one for one in kept.evidence.candidates if one.reason == "below-threshold"]
    assert len(below) == 4
    assert kept.evidence.thresholds == {"vector_similarity": middle.value}


def test_a_fused_threshold_acts_after_fusion_and_before_skip() -> None:
    every = R.retrieve(QUESTION, limit=8)
    third = every[2].score
    assert third is not None
    page = R.retrieve(
        QUESTION, limit=8, skip=1, score_threshold=Threshold(third.value, ScoreKind.RANK_FUSION)
    )
    assert [hit.id for hit in page] == [hit.id for hit in every[1:3]]
    assert [hit.rank for hit in page] == [2, 3]


def test_a_threshold_of_a_kind_that_the_fallback_does_not_give_is_refused() -> None:
    fused = Threshold(0.02, ScoreKind.RANK_FUSION)
    with pytest.raises(CallError) as caught:
        R.retrieve("how are you", score_threshold=fused)
    assert caught.value.code is Code.SCORE_KIND_MISMATCH
    both = {ScoreKind.RANK_FUSION: 0.02, ScoreKind.VECTOR_SIMILARITY: 0.0}
    assert len(R.retrieve("how are you", score_threshold=both)) == 5


def test_all_below_the_threshold_is_told_from_nothing_found() -> None:
    result = R.retrieve(QUESTION, mode="vector", score_threshold=Similarity.cosine(0.9999))
    assert (len(result), result.evidence.empty_reason) == (0, "all_below_threshold")
    assert result.evidence.considered_count == 8


@pytest.mark.parametrize(
    ("build", "options", "reason"),
    [
        (lambda: retriever(SHOP), {"mode": "keyword", "filter": {"tenant": "z"}}, "filter_matched_nothing"),
        (lambda: retriever(SHOP), {"filter": Filter.where_in("tenant", [])}, "filter_matched_nothing"),
        (
            lambda: retriever(SHOP, store_filter=Filter.where("tenant", "z")),
            {"mode": "keyword"},
            "store_filter_matched_nothing",
        ),
        (lambda: retriever(SHOP), {"mode": "keyword", "keywords": ["xyzzy"]}, "no_candidates"),
    ],
)
def test_every_empty_result_says_why(build: Any, options: dict[str, Any], reason: str) -> None:
    result = build().retrieve(QUESTION, **options)
    assert (len(result), result.evidence.empty_reason) == (0, reason)


def test_an_empty_corpus_and_a_vanished_index_are_told_apart() -> None:
    shop = collection()
    asked = retriever(shop)
    asked.retrieve(QUESTION, mode="keyword")
    shop.drop_search_index("text_index")
    assert asked.retrieve(QUESTION, mode="keyword").evidence.empty_reason == "index_missing"
    shop.delete_many({})
    assert asked.retrieve(QUESTION, mode="vector").evidence.empty_reason == "corpus_empty"


def test_pages_are_disjoint_and_follow_each_other() -> None:
    every = [hit.id for hit in R.retrieve(QUESTION, limit=8)]
    pages = [[hit.id for hit in R.retrieve(QUESTION, limit=3, skip=skip)] for skip in (0, 3, 6)]
    assert [one for page in pages for one in page] == every
    assert [hit.rank for hit in R.retrieve(QUESTION, limit=3, skip=3)] == [4, 5, 6]


def test_vectors_are_left_out_of_documents() -> None:
    for mode in ("hybrid", "vector", "keyword"):
        assert all("embedding" not in hit.document for hit in R.retrieve(QUESTION, mode=mode))


def test_the_store_filter_cannot_be_lost_or_widened() -> None:
    guard = Filter.where("tenant", "a")
    guarded = retriever(SHOP, store_filter=guard)
    attempts: list[dict[str, Any]] = [
        {},
        {"filter": {"tenant": "b"}},
        {"filter": Filter.where("tenant", "a") | Filter.where("tenant", "b")},
        {"filter": ~Filter.where("tenant", "a")},
        {"store_filter": {"tenant": "b"}},
        {"store_filter": None},
        {"store_filter": Filter.where_exists("tenant")},
        {"limit": 8, "skip": 0, "weights": {"vector": 9}},
    ]
    for mode in ("hybrid", "vector", "keyword"):
        for attempt in attempts:
            options = {"limit": 8, **attempt, "mode": mode, "weights_policy": "ignore"}
            result = guarded.retrieve(QUESTION, **options)
            assert {hit.document["tenant"] for hit in (*result.hits, *result.rejected)} <= {"a"}


def test_overriding_one_option_never_drops_another() -> None:
    options = RetrievalOptions(
        limit=3, skip=1, store_filter=Filter.where("tenant", "a"), weights={"vector": 2}
    )
    changed = options.override({"limit": 7})
    assert changed.limit == 7
    assert changed.to_dict() == options.to_dict() | {"limit": 7}
    assert options.limit == 3


def test_options_are_frozen_and_refuse_unknown_names() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        RetrievalOptions().limit = 3  # type: ignore[misc]
    with pytest.raises(CallError, match="'limit'"):
        RetrievalOptions(top_k=3)  # type: ignore[call-arg]
    assert (chat_over_chunks().limit, chat_over_chunks().candidate_limit) == (30, 100)


def test_a_setup_is_picklable_without_its_client() -> None:
    setup = retriever(SHOP, store_filter=Filter.where("tenant", "a")).setup
    again = pickle.loads(pickle.dumps(setup))
    assert again.options == setup.options
    assert again.inputs == setup.inputs


def test_evidence_is_made_when_it_is_read_and_travels_with_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(telemetry, "_api", lambda: None)  # a span would read it; another test may trace
    result = R.retrieve(QUESTION, limit=3)
    assert "evidence" not in vars(result)
    assert result.evidence is result.evidence
    again = pickle.loads(pickle.dumps(R.retrieve(QUESTION, limit=3)))
    assert again.hits == result.hits
    assert again.evidence.candidates == result.evidence.candidates


def test_what_was_allowed_once_does_not_allow_its_equals() -> None:
    assert len(R.retrieve(QUESTION, limit=1)) == 1
    for other in (True, 1.0):
        with pytest.raises(CallError, match="limit"):
            R.retrieve(QUESTION, limit=other)  # type: ignore[arg-type]


def test_options_that_were_set_before_do_not_stay() -> None:
    assert len(R.retrieve(QUESTION, limit=1, mode="vector")) == 1
    again = R.retrieve(QUESTION, limit=1, filter={"tenant": "nobody"})
    assert (len(again), again.options.search_mode, again.options.filter) == (
        0,
        Mode.HYBRID,
        Filter.where("tenant", "nobody"),
    )
    assert R.retrieve(QUESTION, limit=1).options.filter is None


def test_ties_are_broken_by_id() -> None:
    shop = collection(indexes=())
    shop.delete_many({})
    shop.insert_many({"_id": i, "text": "same", "embedding": [1.0] * EMBEDDER.dimensions} for i in (3, 1, 2))
    for index in (VECTOR_INDEX, TEXT_INDEX):
        shop.create_search_index(index)
    hits = retriever(shop).retrieve("same")
    assert [hit.id for hit in hits] == [1, 2, 3]
    assert {hit.score for hit in hits} == {Score(2 / 61, ScoreKind.RANK_FUSION)}


def test_every_text_can_be_found_by_its_own_words() -> None:
    for name, text in TEXTS.items():
        assert R.retrieve(text, limit=1)[0].id == name


def test_a_postfilter_is_asked_for_by_name_and_reports_its_shortfall() -> None:
    pattern = Filter.where_like("text", "%parcels%")
    result = R.retrieve(QUESTION, mode="vector", limit=5, postfilter=pattern)
    assert {hit.id for hit in result} == {"ship", "track"}
    assert any("the postfilter left 2 of 5" in note for note in result.evidence.notes)
    fused = R.retrieve(QUESTION, limit=1, postfilter=pattern)
    assert fused[0].id in {"ship", "track"}
    assert not any("postfilter" in note for note in fused.evidence.notes)
    assert len(R.retrieve(QUESTION, postfilter=Filter.where_in("tenant", []))) == 0
