"""What comes beside the hits: fields, highlights, facets, counts, neighbours; and what is new is lifted."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from atlas_rag import QUESTION as ASKED
from atlas_rag import CallError, Code, Filter, KeywordInput, PipelineInput, SearchInput
from tests.together.conformance.retriever.corpus import (
    TEXT_INDEX,
    VECTOR_INDEX,
    collection,
    retriever,
)

RELEASES = ["7.0", "8.0", "8.2", "9.0"]
QUESTION = "refunds within days"
TENANT = Filter.where("tenant", "a")
MODES = ["hybrid", "keyword", "vector"]


def shop(release: str = "8.2") -> Any:
    """The shop with parts: two chunks of each document, and a date on most."""
    notes = collection(release, indexes=())
    for n, note in enumerate(list(notes.find())):
        notes.update_one({"_id": note["_id"]}, {"$set": {"doc": n // 4, "chunk": n % 4}})
        if n:
            notes.update_one(
                {"_id": note["_id"]}, {"$set": {"at": dt.datetime(2026, 1, 1) - dt.timedelta(days=n)}}
            )
    for index in (VECTOR_INDEX, TEXT_INDEX):
        notes.create_search_index(index)
    return notes


# ------------------------------------------------------------------ projection


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("mode", MODES)
def test_only_what_is_asked_for_comes_back_on_every_route(release: str, mode: str) -> None:
    notes = shop(release)
    for route in ("native", "emulated", "client"):
        asked = retriever(notes, routes=[route, "client"])
        whole = asked.retrieve(QUESTION, mode=mode, filter=TENANT)
        cut = asked.retrieve(QUESTION, mode=mode, filter=TENANT, projection=["title"])
        assert [hit.id for hit in cut] == [hit.id for hit in whole]
        assert [hit.score for hit in cut] == [hit.score for hit in whole]
        assert all(set(hit.document) == {"_id", "title"} for hit in cut)


def test_what_the_call_itself_reads_comes_along() -> None:
    options = {
        "projection": ["title"],
        "collapse": {"by": "doc"},
        "neighbours": {"by": "doc", "position": "chunk"},
    }
    result = retriever(shop()).retrieve(QUESTION, **options)
    assert set(result[0].document) == {"_id", "title", "doc", "chunk"}
    reranked = retriever(shop(), reranker=lambda query, texts: [float(len(text)) for text in texts])
    assert "text" in reranked.retrieve(QUESTION, projection=["title"])[0].document


@pytest.mark.parametrize("given", [[], "title", ["$title"], ["a..b"], 5, [5]])
def test_a_projection_is_a_list_of_paths(given: Any) -> None:
    with pytest.raises(CallError, match="projection"):
        retriever(shop()).retrieve(QUESTION, projection=given)


def test_of_two_paths_the_longer_is_within_the_shorter() -> None:
    notes = shop()
    notes.update_many({}, {"$set": {"meta": {"lang": "en", "size": 3}}})
    hit = retriever(notes).retrieve(QUESTION, projection=["meta.lang", "meta", "_id"])[0]
    assert hit.document == {"_id": hit.id, "meta": {"lang": "en", "size": 3}}


def test_the_id_alone_can_be_asked_for() -> None:
    assert {tuple(hit.document) for hit in retriever(shop()).retrieve(QUESTION, projection=["_id"])} == {
        ("_id",)
    }


# ------------------------------------------------------------------ highlights


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_passages_show_the_words_that_were_found(mode: str) -> None:
    result = retriever(shop()).retrieve(QUESTION, mode=mode, highlight=["text"])
    marked = {
        hit.id: [part["value"] for one in hit.highlights for part in one["texts"] if part["type"] == "hit"]
        for hit in result
    }
    assert "refunds" in marked["receipt"]
    assert "highlights" in result[0].to_dict()
    assert not retriever(shop()).retrieve(QUESTION, mode=mode)[0].highlights


def test_without_words_there_is_nothing_to_highlight_which_is_noted() -> None:
    result = retriever(shop()).retrieve(QUESTION, mode="vector", highlight=["text"], count="total")
    assert any("nothing to highlight or to count" in note for note in result.evidence.notes)
    assert (result.count, result.facets) == (None, {})


# ------------------------------------------------------------------ facets and counts

FACETS = {
    "tenants": {"type": "string", "path": "tenant"},
    "sizes": {"type": "number", "path": "n", "boundaries": [0, 4, 8]},
}


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_facets_count_what_the_words_find_under_the_filter(mode: str) -> None:
    asked = retriever(shop(), store_filter=TENANT)
    result = asked.retrieve("refunds returns", mode=mode, facets=FACETS, count="total", limit=1)
    found = asked.retrieve("refunds returns", mode="keyword", limit=100)
    assert result.count == len(found)
    assert result.facets["tenants"] == [{"_id": "a", "count": len(found)}]
    assert sum(bucket["count"] for bucket in result.facets["sizes"]) == len(found)
    assert json.loads(json.dumps(result.to_dict()))["count"] == len(found)


def test_facets_that_would_tell_of_documents_outside_the_filter_are_refused() -> None:
    notes = collection(indexes=(VECTOR_INDEX,))
    notes.create_search_index({"name": "text_index", "definition": {"mappings": {"dynamic": True}}})
    asked = retriever(notes, store_filter=TENANT)
    for wanted in ({"count": "total"}, {"facets": FACETS}):
        with pytest.raises(CallError) as caught:
            asked.retrieve(QUESTION, filter_policy="postfilter", **wanted)
        assert caught.value.code is Code.UNSUPPORTED_FILTER
    with pytest.raises(CallError, match="postfilter"):
        retriever(shop()).retrieve(QUESTION, postfilter=TENANT, count="total")


def test_nothing_is_counted_that_an_index_decides_no_longer() -> None:
    notes = shop()
    asked = retriever(notes, store_filter=TENANT)
    assert asked.retrieve("refunds returns", count="total").count
    notes.update_search_index("text_index", {"mappings": {"dynamic": True}})
    with pytest.raises(CallError) as caught:
        asked.retrieve("refunds returns", count="total")
    assert caught.value.code is Code.UNSUPPORTED_FILTER


def test_a_senseless_facet_is_refused_before_anything_is_sent() -> None:
    for facets in ({}, {"a": {"type": "strng", "path": "a"}}, {"a": 5}, [1]):
        with pytest.raises(CallError):
            retriever(shop()).retrieve(QUESTION, facets=facets)
    two = [KeywordInput(), SearchInput("titles", operator={"text": {"query": "x", "path": "text"}})]
    with pytest.raises(CallError, match="one input pipeline"):
        retriever(shop(), inputs=two).retrieve(QUESTION, count="total")


def own(*behind: dict[str, Any]) -> PipelineInput:
    """A search for words with stages of its own behind it."""
    search = {"$search": {"index": "text_index", "text": {"query": ASKED, "path": "text"}}}
    return PipelineInput("own", [search, *behind])


def test_what_an_input_leaves_out_by_itself_is_not_counted() -> None:
    asked = retriever(shop(), inputs=[own({"$match": {"tenant": "a"}})])
    for wanted in ({"count": "total"}, {"facets": FACETS}):
        with pytest.raises(CallError, match=r"a \$match of 'own' leaves out"):
            asked.retrieve("refunds returns", **wanted)
    ordered = retriever(shop(), inputs=[own({"$sort": {"n": 1}}, {"$limit": 20})], store_filter=TENANT)
    assert ordered.retrieve("refunds returns", count="total").count == len(
        ordered.retrieve("refunds returns", limit=100)
    )


# ------------------------------------------------------------------ neighbours


@pytest.mark.parametrize("mode", MODES)
def test_the_chunks_beside_a_hit_come_with_it_in_reading_order(mode: str) -> None:
    notes = shop()
    result = retriever(notes).retrieve(
        QUESTION, mode=mode, limit=2, neighbours={"by": "doc", "position": "chunk", "before": 2, "after": 1}
    )
    for hit in result:
        doc, chunk = hit.document["doc"], hit.document["chunk"]
        near = {"doc": doc, "chunk": {"$gte": chunk - 2, "$lte": chunk + 1, "$ne": chunk}}
        assert [one["_id"] for one in hit.neighbours] == [
            one["_id"] for one in notes.find(near).sort("chunk", 1)
        ]
        assert not any("embedding" in one for one in hit.neighbours)


def test_places_may_be_doubles_as_javascript_stores_them() -> None:
    notes = shop()
    notes.update_many({}, [{"$set": {"chunk": {"$toDouble": "$chunk"}}}])
    wanted = {"by": "doc", "position": "chunk"}
    assert all(hit.neighbours for hit in retriever(notes).retrieve(QUESTION, neighbours=wanted))


def test_nothing_outside_the_filter_is_a_neighbour() -> None:
    wanted = {"by": "doc", "position": "chunk", "before": 100, "after": 100}
    result = retriever(shop(), store_filter=TENANT).retrieve(
        QUESTION, filter={"n": {"$lt": 7}}, neighbours=wanted
    )
    beside = [one for hit in result for one in hit.neighbours]
    assert beside
    assert all(one["tenant"] == "a" and one["n"] < 7 for one in beside)


def test_a_group_that_looks_like_an_operator_is_a_literal() -> None:
    notes = shop()
    notes.update_many({}, {"$set": {"doc": {"$gt": ""}}})
    result = retriever(notes).retrieve(QUESTION, limit=1, neighbours={"by": "doc", "position": "chunk"})
    assert result.hits


# ------------------------------------------------------------------ recency


def test_what_is_new_is_lifted_and_scores_stay() -> None:
    notes = shop()
    asked = retriever(notes)
    plain = asked.retrieve(QUESTION, mode="vector", limit=8)
    lifted = asked.retrieve(
        QUESTION, mode="vector", limit=8, recency={"path": "at", "half_life": 365, "weight": 1e9}
    )
    age = {note["_id"]: note["n"] or 99 for note in notes.find()}
    ids = [hit.id for hit in lifted]
    assert ids[:-1] != [hit.id for hit in plain][:-1]
    assert {hit.id: hit.score for hit in lifted} == {hit.id: hit.score for hit in plain}
    assert any("1 of 8 candidates have no date" in note for note in lifted.evidence.notes)
    assert lifted.evidence.recency == "at, half-life 365 days, weight 1e+09"
    notes.update_many(
        {}, [{"$set": {"at": {"$dateSubtract": {"startDate": "$$NOW", "unit": "hour", "amount": "$n"}}}}]
    )
    lifted = asked.retrieve(QUESTION, limit=8, recency={"path": "at", "half_life": 1, "weight": 1e9})
    assert [hit.id for hit in lifted] == sorted(
        (hit.id for hit in lifted), key=lambda name: age[name] if age[name] < 99 else 0
    )


def test_what_has_much_of_a_number_is_lifted() -> None:
    result = retriever(shop()).retrieve(
        QUESTION, mode="vector", limit=8, boost={"path": "n", "pivot": 3, "weight": 1e9}
    )
    assert [hit.document["n"] for hit in result] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert any("1 of 8 candidates have no number above 0" in note for note in result.evidence.notes)
    assert result.evidence.boost == "n, pivot 3, weight 1e+09"


@pytest.mark.parametrize("given", [{"path": "n"}, {"path": "n", "pivot": 0}, {"path": "$n", "pivot": 1}, 3])
def test_a_boost_has_a_path_and_a_pivot(given: Any) -> None:
    with pytest.raises(CallError):
        retriever(shop()).retrieve(QUESTION, boost=given)


def test_recency_and_diversity_cannot_both_give_the_order() -> None:
    with pytest.raises(CallError, match="both give the order"):
        retriever(shop()).retrieve(QUESTION, recency={"path": "at", "half_life": 1}, diversify={})


@pytest.mark.parametrize(
    "given",
    [{"path": "at"}, {"path": "at", "half_life": 0}, {"path": "", "half_life": 1}, {"half_life": 1}, 5],
)
def test_a_recency_has_a_path_and_a_half_life(given: Any) -> None:
    with pytest.raises(CallError):
        retriever(shop()).retrieve(QUESTION, recency=given)


def test_what_comes_beside_is_a_stage_of_its_own_in_evidence() -> None:
    result = retriever(shop()).retrieve(QUESTION, highlight=["text"])
    assert "beside" in result.evidence.stage_ms
    assert "beside" not in retriever(shop()).retrieve(QUESTION).evidence.stage_ms


# ------------------------------------------------------------------ of one input pipeline alone

STORED = {
    **TEXT_INDEX,
    "definition": {**TEXT_INDEX["definition"], "storedSource": {"include": ["title", "tenant"]}},
}


def test_pages_follow_each_other_by_token() -> None:
    asked = retriever(shop(), store_filter=TENANT)
    whole = [hit.id for hit in asked.retrieve("refunds returns parcels", mode="keyword", limit=100)]
    found, token = [], ""
    while token is not None:
        page = asked.retrieve("refunds returns parcels", mode="keyword", limit=2, search_after=token)
        found += [hit.id for hit in page]
        token = page.search_after
    assert found == whole


@pytest.mark.parametrize("stage", [{"$sort": {"n": -1}}, {"$limit": 1}, {"$skip": 1}, {"$match": {"n": 1}}])
def test_stages_of_an_input_that_change_the_pages_are_refused(stage: dict[str, Any]) -> None:
    with pytest.raises(CallError, match="behind 'own'"):
        retriever(shop(), inputs=[own(stage)]).retrieve(QUESTION, search_after="")


def test_documents_come_as_the_index_keeps_them() -> None:
    notes = collection(indexes=(VECTOR_INDEX, STORED))
    result = retriever(notes, store_filter=TENANT).retrieve(
        QUESTION, mode="keyword", return_stored_source=True
    )
    assert result.hits
    assert all(set(hit.document) == {"_id", "title", "tenant"} for hit in result)


def test_a_filter_on_what_is_not_stored_is_refused() -> None:
    notes = collection(indexes=(VECTOR_INDEX, STORED))
    with pytest.raises(CallError) as caught:
        retriever(notes).retrieve(QUESTION, mode="keyword", filter={"n": 1}, return_stored_source=True)
    assert caught.value.code is Code.UNSUPPORTED_FILTER
    with pytest.raises(CallError, match="stores no source"):
        retriever(shop()).retrieve(QUESTION, mode="keyword", return_stored_source=True)


@pytest.mark.parametrize(
    "options",
    [
        {"search_after": ""},
        {"return_stored_source": True},
        {"search_after": "", "mode": "vector"},
        {"search_after": "", "mode": "keyword", "skip": 1},
        {"search_after": "", "mode": "keyword", "collapse": {"by": "doc"}},
        {"search_after": 5, "mode": "keyword"},
        {"return_stored_source": "yes", "mode": "keyword"},
    ],
    ids=["fused page", "fused source", "vectors", "skip", "collapse", "number", "word"],
)
def test_what_a_fusion_or_another_order_cannot_do_is_refused_with_the_reason(options: dict[str, Any]) -> None:
    with pytest.raises(CallError) as caught:
        retriever(shop()).retrieve(QUESTION, **options)
    assert caught.value.next_step
