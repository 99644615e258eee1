"""How often approximate questions lose hits, where loss is simulated."""

from __future__ import annotations

import numpy as np
import pytest

from atlas_rag.inprocess.search.vector_index.loss import graph_survivors


def recall(rows: int, candidates: int, limit: int) -> float:
    scores = -np.arange(rows, dtype=np.float32)
    found = [
        np.count_nonzero(graph_survivors(scores, np.float32([question]), candidates) < limit)
        for question in range(400)
    ]
    return sum(found) / (400 * limit)


@pytest.mark.parametrize(
    ("rows", "candidates", "limit", "wanted"),
    [(1_400, 200, 100, 0.998), (5_183, 200, 100, 0.995), (5_183, 200, 10, 0.999), (50_000, 10, 10, 0.97)],
)
def test_recall_is_that_of_graphs(rows: int, candidates: int, limit: int, wanted: float) -> None:
    assert recall(rows, candidates, limit) == pytest.approx(wanted, abs=0.004)


def test_as_many_candidates_survive_as_were_asked_for() -> None:
    scores = np.random.default_rng(1).normal(size=4_000).astype(np.float32)
    for width in (1, 10, 150, 4_000):
        survivors = graph_survivors(scores, np.float32([1, 2]), width)
        assert len(survivors) == width or width == 4_000
        assert survivors.tolist() == sorted(set(survivors.tolist()))


def test_more_candidates_never_lose_what_fewer_found() -> None:
    scores = -np.arange(9_000, dtype=np.float32)
    for question in range(50):
        narrow, wide = (graph_survivors(scores, np.float32([question]), width) for width in (20, 200))
        assert set(narrow[narrow < 20].tolist()) <= set(wide.tolist())
