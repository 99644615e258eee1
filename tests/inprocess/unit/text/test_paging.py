"""Pages that follow one another are the whole list; pages before a hit come nearest first."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index import SearchIndex, open_search_index

SORTS: list[dict[str, Any]] = [
    {},
    {"sort": {"rank": 1}},
    {"sort": {"rank": -1, "score": {"$meta": "searchScore"}}},
    {"sort": {"rank": {"order": 1, "noData": "highest"}}},
]


def cakes(partitions: int) -> SearchIndex:
    index = open_search_index({"mappings": {"dynamic": True}, "numPartitions": partitions})
    for key in range(40):
        rank = {"rank": key % 4} if key % 5 else {}
        index.put(key, {"_id": key, "title": "cake " * (1 + key % 3), **rank})
    return index


def keys(index: SearchIndex, body: dict[str, Any], limit: int | None = None) -> list[int]:
    return [hit.key for hit in index.search(body, limit=limit).hits]


@pytest.mark.parametrize("partitions", [1, 4])
@pytest.mark.parametrize("sort", SORTS, ids=["score", "value", "value and score", "missing last"])
def test_pages_follow_one_another(partitions: int, sort: dict[str, Any]) -> None:
    index = cakes(partitions)
    body = {"text": {"path": "title", "query": "cake"}, **sort}
    pages: list[int] = []
    page = index.search(body, limit=7, tokens=True).hits
    while page:
        pages += [hit.key for hit in page]
        after = page[-1].meta["searchSequenceToken"]
        page = index.search({**body, "searchAfter": after}, limit=7, tokens=True).hits
    assert pages == keys(index, body)
    assert len(pages) == 40


def reverse_of(sort: dict[str, Any]) -> dict[str, Any]:
    """The sort that goes the other way; without one the score rises."""
    if not sort:
        return {"sort": {"score": {"$meta": "searchScore", "order": 1}}}
    return {"sort": {name: _turned(way) for name, way in sort["sort"].items()}}


def _turned(way: Any) -> Any:
    return {**way, "order": -way.get("order", -1)} if isinstance(way, dict) else -way


@pytest.mark.parametrize("at", [0, 3, 20, 39])
@pytest.mark.parametrize("sort", SORTS, ids=["score", "value", "value and score", "missing last"])
def test_what_stands_before_a_hit_is_what_follows_it_in_the_reversed_sort(
    sort: dict[str, Any], at: int
) -> None:
    index = cakes(1)
    body = {"text": {"path": "title", "query": "cake"}}
    hit = index.search({**body, **sort}, tokens=True).hits[at]
    backwards = keys(index, {**body, **reverse_of(sort)})
    following = backwards[backwards.index(hit.key) + 1 :]
    token = hit.meta["searchSequenceToken"]
    assert keys(index, {**body, **sort, "searchBefore": token}) == following
    assert keys(index, {**body, **sort, "searchBefore": token}, limit=5) == following[:5]


def test_equal_hits_come_by_document_in_both_directions() -> None:
    index = open_search_index({"mappings": {"dynamic": True}})
    for key in range(6):
        index.put(key, {"_id": key, "n": 1})
    body = {"exists": {"path": "n"}, "sort": {"n": 1}}
    token = index.search(body, tokens=True).hits[3].meta["searchSequenceToken"]
    assert keys(index, {**body, "searchAfter": token}) == [4, 5]
    assert keys(index, {**body, "searchBefore": token}) == [4, 5]


@pytest.mark.parametrize("side", ["searchAfter", "searchBefore"])
def test_a_token_whose_hit_is_gone_still_marks_the_place(side: str) -> None:
    index = cakes(1)
    body = {"text": {"path": "title", "query": "cake"}, "sort": {"rank": 1}}
    hit = index.search(body, tokens=True).hits[20]
    page = {**body, side: hit.meta["searchSequenceToken"]}
    whole = keys(index, page)
    index.remove(hit.key)
    assert keys(index, page) == whole != []


def test_an_empty_token_stands_behind_all_hits() -> None:
    index = cakes(1)
    body = {"text": {"path": "title", "query": "cake"}}
    assert keys(index, {**body, "searchAfter": ""}) == []
    assert keys(index, {**body, "searchBefore": ""}) == keys(index, {**body, **reverse_of({})})


def test_a_token_of_another_sort_is_refused() -> None:
    index = cakes(1)
    body = {"text": {"path": "title", "query": "cake"}}
    token = index.search(body, tokens=True).hits[0].meta["searchSequenceToken"]
    with pytest.raises(EngineRefusal, match="Invalid format for token value"):
        index.search({**body, "sort": {"rank": 1}, "searchAfter": token})


def test_counts_stay_those_of_the_whole_list() -> None:
    index = cakes(1)
    body = {"text": {"path": "title", "query": "cake"}, "count": {"type": "total"}}
    token = index.search(body, tokens=True).hits[30].meta["searchSequenceToken"]
    assert index.search({**body, "searchAfter": token}).meta == {"count": {"total": 40}}
