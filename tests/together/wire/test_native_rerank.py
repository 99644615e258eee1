"""`$rerank` on the wire: where the deployment has it, and what happens where it has not."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag import (
    CallError,
    Code,
    FinalSelection,
    KeywordInput,
    NativeReranker,
    RetrievalError,
    Route,
    VectorInput,
)
from tests.support import deployments as play
from tests.support.scripted import ScriptedServer, rows
from tests.together.wire.faces import KINDS, use

RERANKER = NativeReranker(paths=("title", "text"), model="rerank-2.5")
ASK: dict[str, Any] = {"vector": [1.0, 0.0, 0.5], "limit": 2}
FOUND = rows({"document": {"_id": 1}, "score": 0.9}, {"document": {"_id": 2}, "score": 0.4})


@pytest.mark.parametrize("kind", KINDS)
def test_the_deployments_reranker_orders_the_window(kind: str) -> None:
    with ScriptedServer(play.atlas(rerank=True, answer=lambda *_: FOUND), version="8.3.0") as server:
        result = use(kind, server.uri, lambda r: r.retrieve("hello", **ASK), reranker=RERANKER)
    pipeline = server.sent("aggregate")[-1]["pipeline"]
    assert [next(iter(stage)) for stage in pipeline] == [
        "$rankFusion",
        "$limit",
        "$unset",
        "$set",
        "$rerank",
        "$project",
    ]
    assert pipeline[1] == {"$limit": 6}
    assert pipeline[3] == {"$set": {"title": {"$ifNull": ["$title", ""]}, "text": {"$ifNull": ["$text", ""]}}}
    assert pipeline[4] == {
        "$rerank": {
            "query": {"text": "hello"},
            "path": ["title", "text"],
            "numDocsToRerank": 6,
            "model": "rerank-2.5",
        }
    }
    assert [(hit.id, hit.score.value, hit.score.kind) for hit in result] == [
        (1, 0.9, "rerank"),
        (2, 0.4, "rerank"),
    ]
    assert result.evidence.reranker_id == "$rerank/rerank-2.5"


def test_after_an_emulated_fusion_too() -> None:
    script = play.atlas(rank_fusion=None, rerank=True, answer=lambda *_: FOUND)
    with ScriptedServer(script, version="8.3.0") as server:
        result = use("sync", server.uri, lambda r: r.retrieve("hello", **ASK), reranker=RERANKER)
    assert result.plan.route is Route.EMULATED
    stages = [next(iter(stage)) for stage in server.sent("aggregate")[-1]["pipeline"]]
    assert stages[-4:] == ["$replaceWith", "$set", "$rerank", "$project"]


def test_it_is_refused_or_left_out_by_policy() -> None:
    with ScriptedServer(play.atlas(answer=lambda *_: FOUND)) as server:
        with pytest.raises(RetrievalError) as caught:
            use("sync", server.uri, lambda r: r.retrieve("hello", **ASK), reranker=RERANKER)
        assert caught.value.code is Code.FEATURE_UNAVAILABLE
        assert "$rerank" in str(caught.value)
        going_on = use(
            "sync",
            server.uri,
            lambda r: r.retrieve("hello", on_reranker_failure="continue", **ASK),
            reranker=RERANKER,
        )
    assert going_on.evidence.score_kind == "rank_fusion"
    assert any("$rerank/rerank-2.5 was left out" in note for note in going_on.evidence.notes)


def test_it_cannot_follow_a_fusion_done_here_and_makes_no_blend() -> None:
    script = play.atlas(rank_fusion=None, union=False, rerank=True)
    with ScriptedServer(script, version="8.3.0") as server:
        with pytest.raises(RetrievalError, match="cannot follow a fusion done here"):
            use("sync", server.uri, lambda r: r.retrieve("hello", **ASK), reranker=RERANKER)
        blend = FinalSelection(mode="weighted_blend")
        with pytest.raises(CallError, match="blend"):
            use(
                "sync", server.uri, lambda r: r.retrieve("x", final_selection=blend, **ASK), reranker=RERANKER
            )


def test_a_single_pipeline_is_reranked_as_well() -> None:
    inputs = (VectorInput(), KeywordInput())
    with ScriptedServer(play.atlas(rerank=True, answer=lambda *_: FOUND)) as server:
        result = use(
            "sync",
            server.uri,
            lambda r: r.retrieve("hello", mode="vector", **ASK),
            reranker=RERANKER,
            inputs=inputs,
        )
    assert result.plan.route is Route.SINGLE
    assert server.sent("aggregate")[-1]["pipeline"][-1]["$project"]["score"] == {"$meta": "score"}
