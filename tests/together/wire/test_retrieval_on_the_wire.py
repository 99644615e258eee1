"""A call to the exact commands on the wire, for each driver and each deployment."""

from __future__ import annotations

from typing import Any

import bson
import pytest
from bson.codec_options import CodecOptions
from bson.raw_bson import RawBSONDocument
from pymongo.read_concern import ReadConcern

from atlas_rag import CallError, Code, Filter, RetrievalError, Route, ServerError, as_vector
from tests.support import deployments as play
from tests.support.scripted import DROP, ScriptedServer, after, failure, rows
from tests.together.wire.faces import KINDS, use

VECTOR = [1.0, 0.0, 0.5]
QUESTION: dict[str, Any] = {"vector": VECTOR, "limit": 2, "reject_window": 1}
DETAILS = {
    "details": [
        {"inputPipelineName": "keyword", "rank": 1, "value": 3.5},
        {"inputPipelineName": "vector", "rank": "NA"},
    ]
}
FUSED = {"document": {"_id": 7, "title": "t"}, "score": 1 / 61, "details": DETAILS}


def searches(server: ScriptedServer) -> list[dict[str, Any]]:
    """The aggregates that are no probe and no diagnosis of an empty result."""
    probes = ("$listSearchIndexes", "$scoreFusion", "$limit", "$match")
    return [
        command
        for command in server.sent("aggregate")
        if play.stage_name(command) not in probes and not play.is_probe(command)
        if command["pipeline"][0].get("$rankFusion", {}).get("input", {}).get("pipelines") != {}
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_native_hybrid_is_one_round_trip(kind: str) -> None:
    with ScriptedServer(play.atlas(answer=lambda *_: rows(FUSED))) as server:
        result = use(
            kind,
            server.uri,
            lambda r: r.retrieve("hello", filter={"tenant": "a"}, weights={"keyword": 0.5}, **QUESTION),
        )
    (command,) = searches(server)
    vector_search = {
        "index": "vector_index",
        "path": "embedding",
        "queryVector": bson.Binary(bytes(as_vector(VECTOR)), 9),
        "limit": 100,
        "numCandidates": 2000,
        "filter": {"tenant": {"$eq": "a"}},
    }
    search = {
        "index": "text_index",
        "compound": {
            "must": [{"text": {"query": "hello", "path": "text"}}],
            "filter": [{"equals": {"path": "tenant", "value": "a"}}],
        },
    }
    belt = {"$match": {"tenant": {"$eq": "a"}}}
    assert command == {
        "aggregate": "docs",
        "pipeline": [
            {
                "$rankFusion": {
                    "input": {
                        "pipelines": {
                            "keyword": [{"$search": search}, {"$limit": 100}, belt],
                            "vector": [{"$vectorSearch": vector_search}, belt],
                        }
                    },
                    "combination": {"weights": {"keyword": 0.5, "vector": 1.0}},
                    "scoreDetails": True,
                }
            },
            {"$limit": 3},
            {"$unset": ["embedding"]},
            {
                "$project": {
                    "_id": 0,
                    "document": "$$ROOT",
                    "score": {"$meta": "score"},
                    "details": {"$meta": "scoreDetails"},
                }
            },
        ],
        "cursor": {"batchSize": 4},
        "maxTimeMS": 30_000,
    }
    (hit,) = result.hits
    assert (hit.id, hit.rank, hit.score.kind, hit.contributions["vector"].rank) == (7, 1, "rank_fusion", None)
    assert hit.contributions["keyword"].score.value == 3.5


@pytest.mark.parametrize("kind", KINDS)
def test_the_options_of_the_callers_own_collection_hold(kind: str) -> None:
    with ScriptedServer(play.atlas(answer=lambda *_: rows(FUSED))) as server:
        own = {"read_concern": ReadConcern("majority")}
        use(kind, server.uri, lambda r: r.retrieve("hello", **QUESTION), own=own)
    (command,) = searches(server)
    assert command["readConcern"] == {"level": "majority"}


@pytest.mark.parametrize("kind", KINDS)
def test_documents_come_as_the_callers_collection_reads_them_and_reports_plain(kind: str) -> None:
    own = {"codec_options": CodecOptions(document_class=RawBSONDocument)}
    with ScriptedServer(play.atlas(answer=lambda *_: rows(FUSED))) as server:
        (hit,) = use(kind, server.uri, lambda r: r.retrieve("hello", **QUESTION), own=own).hits
        report = use(kind, server.uri, lambda r: r.capability(), own=own)
        assert report == use(kind, server.uri, lambda r: r.capability())
    assert type(hit.document) is RawBSONDocument
    assert (hit.id, hit.value_at("title"), hit.contributions["vector"].rank) == (7, "t", None)
    assert report.model_validate_json(report.model_dump_json()) == report


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("version", "options", "route", "requests"),
    [
        ("7.0.14", {"rank_fusion": None, "score_fusion": None, "union": False}, Route.CLIENT, 2),
        ("8.0.4", {"rank_fusion": None, "score_fusion": None}, Route.EMULATED, 1),
        ("8.2.0", {}, Route.NATIVE, 1),
        ("9.0.0", {"rank_fusion": 12108700, "score_fusion": 12108710}, Route.NATIVE, 1),
    ],
)
def test_each_release_takes_its_route(
    kind: str, version: str, options: dict[str, Any], route: Route, requests: int
) -> None:
    with ScriptedServer(play.atlas(**options), version=version) as server:
        result = use(kind, server.uri, lambda r: r.retrieve("hello", **QUESTION))
    assert result.plan.route is route
    assert len(searches(server)) == requests
    assert result.evidence.route_reason == result.plan.route_reason


def test_the_capability_is_asked_once_per_lifetime_and_indexes_never_per_query() -> None:
    def ask_thrice(retriever: Any) -> None:
        for _ in range(3):
            retriever.retrieve("hello", **QUESTION)

    found_by_both = {"details": [{**one, "rank": 1, "value": 0.5} for one in DETAILS["details"]]}
    row = {**FUSED, "details": found_by_both}
    with ScriptedServer(play.atlas(answer=lambda *_: rows(row))) as server:
        use("sync", server.uri, ask_thrice)
    listings = [c for c in server.sent("aggregate") if play.stage_name(c) == "$listSearchIndexes"]
    assert len(listings) == 1
    assert len(searches(server)) == 3


def test_nothing_is_sent_before_the_first_call() -> None:
    with ScriptedServer(play.atlas()) as server:
        use("sync", server.uri, lambda _: None)
    assert server.commands == []


def test_an_empty_in_needs_no_round_trip() -> None:
    with ScriptedServer(play.atlas()) as server:
        result = use(
            "sync", server.uri, lambda r: r.retrieve("x", filter=Filter.where_in("tenant", []), **QUESTION)
        )
    assert searches(server) == []
    assert (len(result), result.evidence.empty_reason) == (0, "filter_matched_nothing")


@pytest.mark.parametrize("mode", ["vector", "keyword"])
def test_the_store_filter_is_in_every_input_pipeline_and_first(mode: str) -> None:
    store = Filter.where("tenant", "a")
    with ScriptedServer(play.atlas()) as server:
        use(
            "sync",
            server.uri,
            lambda r: r.retrieve("x", mode=mode, filter={"tenant": {"$ne": "b"}}, **QUESTION),
            store_filter=store,
        )
    (command,) = searches(server)
    stage = command["pipeline"][0]
    if mode == "vector":
        assert stage["$vectorSearch"]["filter"]["$and"][0] == {"tenant": {"$eq": "a"}}
    else:
        assert stage["$search"]["compound"]["filter"][0] == {"equals": {"path": "tenant", "value": "a"}}


def test_required_hybrid_search_is_refused_where_keyword_search_cannot_run() -> None:
    script = play.atlas(indexes=(play.VECTOR_INDEX,))
    with ScriptedServer(script) as server, pytest.raises(RetrievalError) as caught:
        use("sync", server.uri, lambda r: r.retrieve("x", require_hybrid_search=True, **QUESTION))
    assert caught.value.code is Code.RAG_COLLECTION_NOT_SEARCHABLE == 7203
    assert "app.docs" in str(caught.value)
    assert "text_index" in str(caught.value)
    assert isinstance(caught.value.__cause__, Exception)


def test_required_hybrid_search_lets_a_question_without_keywords_through() -> None:
    with ScriptedServer(play.atlas()) as server:
        result = use(
            "sync", server.uri, lambda r: r.retrieve("x", keywords=[], require_hybrid_search=True, **QUESTION)
        )
    assert (result.plan.mode, result.plan.score_kind) == ("vector", "vector_similarity")
    assert result.plan.mode_reason == "the question has no keywords"


def test_a_filter_path_that_the_index_lacks_is_refused_before_any_search() -> None:
    with ScriptedServer(play.atlas()) as server, pytest.raises(CallError) as caught:
        use("sync", server.uri, lambda r: r.retrieve("x", filter={"year": 3}, **QUESTION))
    assert caught.value.code is Code.UNSUPPORTED_FILTER
    assert searches(server) == []


def test_a_vector_of_another_length_is_refused_before_any_search() -> None:
    with ScriptedServer(play.atlas()) as server, pytest.raises(CallError) as caught:
        use("sync", server.uri, lambda r: r.retrieve("x", vector=[1.0, 2.0]))
    assert caught.value.code is Code.INVALID_VECTOR
    assert "3, as 'embedding'" in str(caught.value)
    assert searches(server) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_error_keeps_its_code_and_loses_what_it_quotes(kind: str) -> None:
    secret = "not authorized on app to execute command { aggregate: 'docs', pipeline: 'SECRET' }"
    script = play.atlas(answer=lambda *_: failure(13, secret, "Unauthorized"))
    with ScriptedServer(script) as server, pytest.raises(ServerError) as caught:
        use(kind, server.uri, lambda r: r.retrieve("hello", **QUESTION))
    assert caught.value.code is Code.NOT_AUTHORIZED
    assert caught.value.server_code == 13
    assert "SECRET" not in f"{caught.value} {caught.value!r} {caught.value.server_message}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_dropped_connection_is_retried_once_by_the_driver_then_reported(kind: str) -> None:
    with ScriptedServer(play.atlas(answer=lambda *_: DROP)) as server, pytest.raises(ServerError) as caught:
        use(kind, server.uri, lambda r: r.retrieve("hello", **QUESTION))
    assert caught.value.code is Code.CONNECTION_LOST
    assert len(searches(server)) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_late_server_is_a_timeout_whatever_the_driver_calls_it(kind: str) -> None:
    script = play.atlas(answer=lambda *_: after(3, rows()))
    with ScriptedServer(script) as server, pytest.raises(ServerError) as caught:
        use(kind, f"{server.uri}&timeoutMS=400", lambda r: r.retrieve("hello", **QUESTION))
    assert caught.value.code is Code.SERVER_TIMEOUT


def test_a_question_that_is_no_text_is_a_clear_error_before_it_is_sent() -> None:
    with ScriptedServer(play.atlas()) as server, pytest.raises(CallError, match="half a character"):
        use("sync", server.uri, lambda r: r.retrieve("lone \ud800 surrogate", **QUESTION))
