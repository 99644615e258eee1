"""What a retriever does where its capability report is no longer true, or what it asks fails."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from atlas_rag import CallError, Code, RetrievalError
from atlas_rag.query.content import most_telling
from atlas_rag.retriever.rewrite import RewriteDecision
from tests.together.conformance.retriever.corpus import collection, retriever

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
