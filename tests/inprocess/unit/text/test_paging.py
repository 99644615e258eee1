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


@pytest.mark.parametrize("sort", SORTS[:2], ids=["score", "value"])
def test_what_stands_before_a_hit_comes_nearest_first(sort: dict[str, Any]) -> None:
    index = cakes(1)
    body = {"text": {"path": "title", "query": "cake"}, **sort}
    token = index.search(body, tokens=True).hits[20].meta["searchSequenceToken"]
    assert keys(index, {**body, "searchBefore": token}, limit=5) == keys(index, body)[15:20][::-1]


def test_an_empty_token_stands_behind_all_hits() -> None:
    index = cakes(1)
    body = {"text": {"path": "title", "query": "cake"}}
    assert keys(index, {**body, "searchAfter": ""}) == []
    assert keys(index, {**body, "searchBefore": ""}) == keys(index, body)[::-1]


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
