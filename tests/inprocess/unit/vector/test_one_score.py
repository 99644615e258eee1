"""A pair of vectors has one score, to the last bit, by whichever way it is found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from atlas_rag import LocalClient

DIMENSIONS, DOCUMENTS, LIMIT = 101, 300, 40
PLAIN = {"index": "i", "path": "v", "limit": LIMIT}


@pytest.fixture(params=["cosine", "dotProduct", "euclidean"])
def things(request: pytest.FixtureRequest) -> Any:
    field = {"type": "vector", "numDimensions": DIMENSIONS, "similarity": request.param}
    nested = {"fields": [{**field, "path": "parts.v"}], "nestedRoot": "parts"}
    flat = {"fields": [{**field, "path": "v"}, {"type": "filter", "path": "n"}]}
    rows = np.random.default_rng(1).normal(size=(DOCUMENTS, DIMENSIONS)).tolist()
    with LocalClient() as client:
        found = client["d"]["c"]
        found.insert_many(
            [{"_id": at, "v": row, "n": at % 2, "parts": [{"v": row}]} for at, row in enumerate(rows)]
        )
        found.create_search_index({"name": "i", "type": "vectorSearch", "definition": flat})
        found.create_search_index({"name": "nested", "type": "vectorSearch", "definition": nested})
        mappings = {"dynamic": False, "fields": {"v": field, "n": {"type": "number"}}}
        found.create_search_index({"name": "search", "definition": {"mappings": mappings}})
        yield found


def scores(things: Any, stage: dict[str, Any]) -> dict[int, float]:
    meta = "searchScore" if "$search" in stage else "vectorSearchScore"
    return {hit["_id"]: hit["s"] for hit in things.aggregate([stage, {"$project": {"s": {"$meta": meta}}}])}


def test_every_way_gives_the_same_bits(things: Any) -> None:
    for vector in np.random.default_rng(2).normal(size=(5, DIMENSIONS)).tolist():
        body = {**PLAIN, "queryVector": vector}
        exact = scores(things, {"$vectorSearch": {**body, "exact": True}})
        assert scores(things, {"$vectorSearch": {**body, "numCandidates": DOCUMENTS}}) == exact
        within = {"index": "nested", "path": "parts.v", "exact": True}
        assert scores(things, {"$vectorSearch": {**body, **within}}) == exact
        operator = {"path": "v", "queryVector": vector, "limit": LIMIT, "exact": True}
        assert scores(things, {"$search": {"index": "search", "vectorSearch": operator}}) == exact
        odd = scores(things, {"$vectorSearch": {**body, "exact": True, "filter": {"n": 1}}})
        assert odd.items() >= {key: score for key, score in exact.items() if key % 2}.items()


def test_a_boost_of_the_operator_acts_on_approximate_questions_only(things: Any) -> None:
    vector = np.random.default_rng(3).normal(size=DIMENSIONS).tolist()
    operator = {"path": "v", "queryVector": vector, "limit": LIMIT, "score": {"boost": {"value": 4}}}
    exact = scores(things, {"$search": {"index": "search", "vectorSearch": {**operator, "exact": True}}})
    near = scores(
        things, {"$search": {"index": "search", "vectorSearch": {**operator, "numCandidates": DOCUMENTS}}}
    )
    assert near == {key: 4 * score for key, score in exact.items()}
