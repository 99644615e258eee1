"""What a retriever does where its capability report is no longer true, or what it asks fails."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from atlas_rag import CallError, Code, RetrievalError, ScoreKind, Threshold
from atlas_rag.context import Budget
from atlas_rag.query.content import most_telling
from atlas_rag.retriever.rewrite import RewriteDecision
from tests.together.conformance.retriever.corpus import EMBEDDER, collection, retriever

QUESTION = "refunds within days"
NO_TEXT = {"mappings": {"dynamic": False, "fields": {"title": {"type": "string"}}}}


def asked_before(mode: str) -> tuple[Any, Any]:
    """A collection, and a retriever that has asked it."""
    shop = collection()
    asked = retriever(shop)
    assert asked.retrieve(QUESTION, mode=mode).hits
    return shop, asked


def test_a_definition_that_lost_the_text_is_told_where_nothing_is_found_any_more() -> None:
    shop, asked = asked_before("keyword")
    shop.update_search_index("text_index", NO_TEXT)
    result = asked.retrieve(QUESTION, mode="keyword")
    assert "does not hold text at text" in (result.why_empty or "")


def test_a_vector_index_that_is_gone_is_told_beside_the_hits_of_the_other_pipeline(
    caplog: pytest.LogCaptureFixture,
) -> None:
    shop, asked = asked_before("hybrid")
    shop.drop_search_index("vector_index")
    with caplog.at_level(logging.WARNING, "atlas_rag.retriever"):
        result = asked.retrieve(QUESTION)
    assert result.hits
    assert any("no search index 'vector_index'" in note for note in result.evidence.notes)
    assert any("no search index 'vector_index'" in one.getMessage() for one in caplog.records)


def test_required_hybrid_search_is_refused_where_the_whole_collection_is_gone() -> None:
    shop, asked = asked_before("hybrid")
    shop.drop()
    with pytest.raises(RetrievalError) as caught:
        asked.retrieve(QUESTION, require_hybrid_search=True)
    assert caught.value.code is Code.RAG_COLLECTION_NOT_SEARCHABLE
    assert asked_before("hybrid")[1].retrieve(QUESTION, require_hybrid_search=True).hits


class Rewriter:
    """Answers with this."""

    id, blocking = "rewriter", False

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def rewrite(self, question: str, history: Any) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize("answer", [ValueError("secret words"), None, "text", {"search": True}], ids=repr)
def test_a_failing_rewriter_is_one_error_that_does_not_quote_it(answer: Any) -> None:
    with pytest.raises(RetrievalError) as caught:
        retriever(collection(), rewriter=Rewriter(answer)).retrieve(QUESTION)
    assert caught.value.code is Code.PROVIDER_FAILED
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("history", [5, "what was said", [1], None])
def test_a_history_of_another_form_is_refused(history: Any) -> None:
    with pytest.raises(CallError, match="oldest first"):
        retriever(collection(), rewriter=Rewriter(RewriteDecision())).retrieve(QUESTION, history=history)


@pytest.mark.parametrize(
    "question",
    [
        "refunds " * 3000,
        "refunds " + "x" * 400_000,
        "refunds " + "退款" * 2000,
        "refunds " + "".join(map(chr, range(0x4E00, 0x5500))),
    ],
    ids=["one word again and again", "one long word", "two ideographs", "many ideographs"],
)
def test_a_question_of_more_words_than_clauses_is_answered(question: str) -> None:
    assert retriever(collection()).retrieve(question, mode="keyword").hits


def test_repeated_words_are_not_told_as_cut() -> None:
    assert most_telling("refund now " * 1000, 1024) == ("refund now", 2)
    assert most_telling("refund now", 1024) == ("refund now", 2)


@pytest.mark.parametrize("keywords", [[""], ["  "], [], ["?!"]])
def test_keyword_search_for_keywords_without_content_is_an_empty_result(keywords: list[str]) -> None:
    result = retriever(collection()).retrieve(QUESTION, mode="keyword", keywords=keywords)
    assert (len(result), result.evidence.empty_reason) == (0, "question_empty")


def test_half_a_character_in_a_keyword_is_refused() -> None:
    with pytest.raises(CallError, match="lone surrogate"):
        retriever(collection()).retrieve(QUESTION, keywords=["refund \ud800"])


def test_ids_that_look_alike_are_told_apart_by_what_reached_the_prompt() -> None:
    shop = collection()
    vector = EMBEDDER.embed_query("refund")
    shop.insert_many(
        {"_id": one, "text": text, "embedding": vector}
        for one, text in ((1, "refund"), ("1", "refund " * 99))
    )
    asked = retriever(shop)
    result = asked.retrieve("refund", mode="vector", limit=2)
    context = asked.context(result, Budget(max_tokens=110, fit="skip"))
    assert [source.hit.id for source in context.sources if source.hit] == [1]
    assert context.evidence is not None
    assert context.evidence.admitted_count == 1


def test_a_min_score_of_a_reranker_that_failed_is_told_to_be_idle() -> None:
    class Broken:
        id, blocking = "broken", False

        def rerank(self, query: str, texts: Any) -> Any:
            raise RuntimeError

    result = retriever(collection(), reranker=Broken()).retrieve(
        QUESTION, min_score=Threshold(0.9, ScoreKind.RERANK), on_reranker_failure="continue"
    )
    assert any("min_score has no value" in note for note in result.evidence.notes)
