"""Evidence: complete, JSON-stable, and without a word of the question or the documents."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
from typing import Any

import pytest

import atlas_rag
from atlas_rag import Evidence, Filter, LexicalReranker, LocalClient, RewriteDecision, StageEvent, VectorInput
from atlas_rag.hits import query_hash
from tests.together.conformance.retriever.corpus import EMBEDDER, collection, retriever

SHOP = collection()
QUESTION = "marker-question refunds within days"
MODES = ["hybrid", "vector", "keyword"]


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        ("", "811c9dc5"),
        ("a", "e40c292c"),
        ("  a ", "e40c292c"),
        ("How long do refunds take?", "6abf645"),
        ("café", "3308be7c"),
        ("😀", "cb31c4b8"),
    ],
)
def test_query_hashes(text: str, digest: str) -> None:
    assert query_hash(text) == digest


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reranker", [None, LexicalReranker()], ids=["plain", "reranked"])
def test_invariants(mode: str, reranker: Any) -> None:
    result = retriever(SHOP, reranker=reranker).retrieve(QUESTION, mode=mode, limit=3, filter={"tenant": "a"})
    evidence = result.evidence
    assert all(one.admitted == (one.reason is None) for one in evidence.candidates)
    assert evidence.admitted_count == len(result)
    assert [one.id for one in evidence.candidates if one.admitted] == [hit.id for hit in result]
    assert [one.rank for one in evidence.candidates] == list(range(1, evidence.considered_count + 1))
    assert (evidence.requested_mode, evidence.executed_mode) == (mode, mode)
    assert evidence.filter_fingerprint is not None
    assert evidence.store_filter_fingerprint is None
    assert evidence.query_hash == query_hash(QUESTION)
    assert (evidence.embedder_id is None) == (mode == "keyword")
    assert (evidence.dimensions == EMBEDDER.dimensions) == (mode != "keyword")
    assert "retrieval" in evidence.stage_ms
    assert (evidence.reranker_id == "lexical-1") == (reranker is not None and mode != "keyword")
    if mode == "hybrid":
        assert evidence.inputs == ("keyword", "vector")
        assert all(set(one.ranks) == {"keyword", "vector"} for one in evidence.candidates)


@pytest.mark.parametrize("mode", MODES)
def test_evidence_is_stable_json_without_any_text(mode: str) -> None:
    evidence = retriever(SHOP).retrieve(QUESTION, mode=mode).evidence
    text = evidence.model_dump_json()
    assert Evidence.model_validate_json(text) == evidence
    assert Evidence.model_validate_json(text).model_dump_json() == text
    for secret in ("marker-question", "within", "receipt for", "lisbon"):
        assert secret not in text


def test_equal_filters_have_equal_fingerprints() -> None:
    asked = retriever(SHOP)
    one, same, other = (
        asked.retrieve(QUESTION, filter=condition).evidence.filter_fingerprint
        for condition in ({"tenant": "a"}, Filter.where("tenant", "a"), {"tenant": "b"})
    )
    assert one == same != other


def test_a_keyed_hash_joins_for_whoever_has_the_key() -> None:
    evidence = retriever(SHOP, evidence_key=b"key").retrieve(QUESTION).evidence
    assert evidence.query_hmac == hmac.new(b"key", QUESTION.encode(), hashlib.sha256).hexdigest()
    assert retriever(SHOP).retrieve(QUESTION).evidence.query_hmac is None


def test_completeness_is_claimed_only_where_it_holds() -> None:
    def evidence(**options: Any) -> Evidence:
        return retriever(SHOP).retrieve(QUESTION, **options).evidence

    assert evidence(mode="vector", limit=8).candidates_complete
    assert "as many came back" in (evidence(mode="vector", limit=1, reject_window=0).incomplete_reason or "")
    approximate = retriever(SHOP, inputs=(VectorInput(),)).retrieve(QUESTION, mode="vector", limit=8).evidence
    assert (approximate.candidates_complete, approximate.num_candidates) == (False, 360)


def test_stages_report_in_order_with_times_and_counts() -> None:
    events: list[StageEvent] = []
    retriever(SHOP, progress=events.append, reranker=LexicalReranker()).retrieve(QUESTION, limit=2)
    assert [event.stage for event in events] == ["filtering", "embedding", "retrieval", "reranking"]
    assert events[2].count == 2 * 3  # candidates: limit × top_k_multiplier
    assert all(event.seconds >= 0 for event in events)
    events.clear()
    retriever(SHOP, progress=events.append).retrieve(QUESTION, mode="keyword")
    assert [event.stage for event in events] == ["filtering", "retrieval"]


def test_a_failing_callback_does_not_break_the_query(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: StageEvent) -> None:
        raise RuntimeError("marker-question")

    with caplog.at_level(logging.DEBUG):
        assert len(retriever(SHOP, progress=fail).retrieve(QUESTION)) == 5
    assert "RuntimeError" in caplog.text
    assert "marker-question" not in caplog.text


def test_an_asynchronous_callback_is_awaited() -> None:
    events: list[StageEvent] = []

    async def note(event: StageEvent) -> None:
        await asyncio.sleep(0)
        events.append(event)

    asked = atlas_rag.AsyncRetriever(SHOP, embedder=EMBEDDER, progress=note)
    assert len(asyncio.run(asked.retrieve(QUESTION))) == 5
    assert len(events) == 3


class Rewriter:
    """A rewriter that decides what it is told to."""

    id, blocking = "told", False

    def __init__(self, decision: RewriteDecision) -> None:
        self.decision = decision
        self.seen: list[Any] = []

    def rewrite(self, question: str, history: Any) -> RewriteDecision:
        self.seen.append((question, tuple(history)))
        return self.decision


def test_a_rewriter_may_skip_the_search() -> None:
    result = retriever(SHOP, rewriter=Rewriter(RewriteDecision(search=False))).retrieve("hello!")
    assert (len(result), result.plan, result.evidence.empty_reason) == (0, None, "search_skipped")


def test_a_rewritten_question_is_what_is_searched_and_an_empty_keyword_list_turns_keywords_off() -> None:
    rewriter = Rewriter(RewriteDecision(query="track parcels with the tracking number", keywords=()))
    result = retriever(SHOP, rewriter=rewriter).retrieve("where is it?", history=["I ordered a parcel"])
    assert rewriter.seen == [("where is it?", ("I ordered a parcel",))]
    assert (result[0].id, result.evidence.executed_mode) == ("track", "vector")


def test_nothing_of_the_question_or_the_documents_reaches_logs_or_reprs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        result = retriever(SHOP).retrieve(QUESTION)
    shown = caplog.text + repr(result) + repr(result.plan) + repr(result.hits) + str(result.evidence)
    for secret in ("marker-question", "receipt for"):
        assert secret not in shown


def test_two_sources_of_one_setup_do_not_share_reports() -> None:
    first = retriever(SHOP)
    empty = LocalClient()["other"]["notes"]
    with pytest.raises(atlas_rag.AtlasRagError):
        retriever(empty, capabilities=first.setup.capabilities).retrieve(QUESTION)
    assert len(first.retrieve(QUESTION)) == 5
