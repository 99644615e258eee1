"""Reading half of each row first, and few rows whole, never changes an answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from atlas_rag.inprocess.search.vector_index import open_vector_index, outline

ROWS, DIMENSIONS = 2600, 64


def clustered(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(40, DIMENSIONS)) * rng.uniform(0.1, 3, size=DIMENSIONS)
    return centres[rng.integers(0, 40, ROWS)] + 0.4 * rng.normal(size=(ROWS, DIMENSIONS))


def even(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(ROWS, DIMENSIONS))


def flat(seed: int) -> np.ndarray:
    """Rows that hardly leave eight directions, so that fewer than half of their components are kept."""
    rng = np.random.default_rng(seed)
    spread = np.random.default_rng(0).normal(size=(8, DIMENSIONS))
    return rng.normal(size=(ROWS, 8)) @ spread + 0.01 * rng.normal(size=(ROWS, DIMENSIONS))


def score(rows: np.ndarray, query: np.ndarray, similarity: str) -> np.ndarray:
    if similarity == "euclidean":
        return 1 / (1 + ((rows - query) ** 2).sum(axis=1))
    products = rows @ query
    if similarity == "cosine":
        products = products / (np.linalg.norm(rows, axis=1) * np.linalg.norm(query))
    return np.maximum((1 + products) / 2, 0)


@pytest.mark.parametrize("similarity", ["cosine", "dotProduct", "euclidean"])
@pytest.mark.parametrize("made", [clustered, even, flat])
def test_every_answer_is_the_full_scans(similarity: str, made: Any) -> None:
    rows = made(1).astype(np.float32)
    index = open_vector_index(
        {"fields": [{"type": "vector", "path": "v", "numDimensions": DIMENSIONS, "similarity": similarity}]}
    )
    for key, row in enumerate(rows[:-50]):
        index.put(key, {"v": row.tolist()})
    living = np.ones(ROWS, bool)
    living[ROWS - 50 :] = False
    for turn, query in enumerate(made(2)[:40].astype(np.float32)):
        if turn == 20:  # the outline exists by now, and has to follow
            for key in range(0, 300, 3):
                index.remove(key)
                living[key] = False
            for key in range(ROWS - 50, ROWS):
                index.put(key, {"v": rows[key].tolist()})
                living[key] = True
        body = {"index": "i", "path": "v", "queryVector": query.tolist(), "limit": 10, "numCandidates": 20}
        hits = index.search(body).hits
        expected = score(rows.astype(np.float64), query.astype(np.float64), similarity)
        expected[~living] = -1
        best = np.sort(expected)[::-1][:10]
        assert [hit.score for hit in hits] == pytest.approx(best, rel=3e-7, abs=1e-7)
        assert all(expected[hit.key] == pytest.approx(hit.score, rel=3e-7, abs=1e-7) for hit in hits)


def outlined(made: Any) -> list[np.ndarray | None]:
    """Contenders for the best ten of forty questions."""
    rows = made(1).astype(np.float32)
    sides = (1 / np.linalg.norm(rows, axis=1)).astype(np.float32)
    half = outline.Outline(DIMENSIONS, "cosine")
    return [half.contenders(rows, sides, query, 10, None) for query in made(2)[:40].astype(np.float32)]


@pytest.mark.parametrize("made", [clustered, flat])
def test_few_rows_contend_where_a_part_tells_most(made: Any) -> None:
    contenders = [len(answer) for answer in outlined(made) if answer is not None]
    assert len(contenders) >= 20
    assert 10 <= min(contenders) <= max(contenders) < 20


def test_it_gives_up_where_rows_lie_everywhere() -> None:
    assert outlined(even) == [None] * 40


def test_rows_that_are_all_alike_are_scanned() -> None:
    assert outlined(lambda seed: np.ones((ROWS, DIMENSIONS))) == [None] * 40
