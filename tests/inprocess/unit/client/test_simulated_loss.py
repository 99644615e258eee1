"""Approximate searches miss nothing, unless the client was opened to simulate loss."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from atlas_rag import AsyncLocalClient, LocalClient

ROWS, DIMENSIONS, LIMIT = 2000, 16, 10
FIELD = {"type": "vector", "numDimensions": DIMENSIONS, "similarity": "cosine"}
VECTORS = np.random.default_rng(5).normal(size=(ROWS, DIMENSIONS))
QUESTIONS = np.random.default_rng(6).normal(size=(60, DIMENSIONS))


def filled(client: LocalClient) -> Any:
    things = client["db"]["things"]
    things.insert_many({"_id": at, "v": vector.tolist()} for at, vector in enumerate(VECTORS))
    things.create_search_index(
        {"name": "vectors", "type": "vectorSearch", "definition": {"fields": [{**FIELD, "path": "v"}]}}
    )
    things.create_search_index({"name": "text", "definition": {"mappings": {"fields": {"v": FIELD}}}})
    return things


def question(vector: np.ndarray, width: int | None) -> dict[str, Any]:
    how = {"exact": True} if width is None else {"numCandidates": width}
    return {"path": "v", "queryVector": vector.tolist(), "limit": LIMIT, **how}


def by_stage(things: Any, vector: np.ndarray, width: int | None) -> list[int]:
    found = things.aggregate([{"$vectorSearch": {"index": "vectors", **question(vector, width)}}])
    return [document["_id"] for document in found]


def by_operator(things: Any, vector: np.ndarray, width: int | None) -> list[int]:
    found = things.aggregate([{"$search": {"index": "text", "vectorSearch": question(vector, width)}}])
    return [document["_id"] for document in found]


def recall(things: Any, width: int | None, ask: Any = by_stage) -> float:
    """Share of the true nearest that are found, over all questions."""
    directions = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    found = 0
    for vector in QUESTIONS:
        nearest = np.argsort(-(directions @ vector))[:LIMIT].tolist()
        answer = ask(things, vector, width)
        assert len(answer) == LIMIT
        found += len(set(nearest) & set(answer))
    return found / (len(QUESTIONS) * LIMIT)


@pytest.mark.parametrize("ask", [by_stage, by_operator])
def test_recall_grows_with_the_candidates(ask: Any) -> None:
    with LocalClient(simulate_loss=True) as client:
        things = filled(client)
        recalls = [recall(things, width, ask) for width in (LIMIT, 4 * LIMIT, 16 * LIMIT, ROWS)]
    assert recalls == sorted(recalls)
    assert 0.98 < recalls[0] < recalls[2]
    assert recalls[3] == 1


@pytest.mark.parametrize("ask", [by_stage, by_operator])
def test_exact_questions_miss_nothing(ask: Any) -> None:
    with LocalClient(simulate_loss=True) as client:
        assert recall(filled(client), None, ask) == 1


@pytest.mark.parametrize("ask", [by_stage, by_operator])
def test_nothing_is_missed_by_default(ask: Any) -> None:
    with LocalClient() as client:
        assert recall(filled(client), LIMIT, ask) == 1


def test_the_same_hits_are_missed_each_time() -> None:
    with LocalClient(simulate_loss=True) as one, LocalClient(simulate_loss=True) as other:
        first, second = filled(one), filled(other)
        for vector in QUESTIONS:
            assert by_stage(first, vector, LIMIT) == by_stage(first, vector, LIMIT)
            assert by_stage(first, vector, LIMIT) == by_stage(second, vector, LIMIT)


def test_hits_keep_their_scores() -> None:
    with LocalClient(simulate_loss=True) as lossy, LocalClient() as whole:
        things, others = filled(lossy), filled(whole)
        for vector in QUESTIONS:
            pipeline = [
                {"$vectorSearch": {"index": "vectors", **question(vector, ROWS)}},
                {"$project": {"score": {"$meta": "vectorSearchScore"}}},
            ]
            assert list(things.aggregate(pipeline)) == list(others.aggregate(pipeline))


def test_each_client_of_a_folder_chooses(tmp_path: Path) -> None:
    with LocalClient(tmp_path) as client:
        filled(client)
    with LocalClient(tmp_path, simulate_loss=True) as client:
        things = client["db"]["things"]
        assert recall(things, LIMIT) < 1
        assert recall(things, LIMIT, by_operator) < 1
    with LocalClient(tmp_path) as client:
        assert recall(client["db"]["things"], LIMIT) == 1


async def test_the_asynchronous_client_takes_it_too() -> None:
    client = AsyncLocalClient(simulate_loss=True)
    filled(client.delegate)
    things = client["db"]["things"]
    plain, exact, approximate = client.delegate["db"]["things"], [], []
    for vector in QUESTIONS:
        stage = {"$vectorSearch": {"index": "vectors", **question(vector, LIMIT)}}
        approximate.append([document["_id"] async for document in await things.aggregate([stage])])
        assert approximate[-1] == by_stage(plain, vector, LIMIT)
        exact.append(by_stage(plain, vector, None))
    assert approximate != exact
    await client.close()
