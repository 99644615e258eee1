"""The best few of many scores."""

from __future__ import annotations

import numpy as np
import pytest

from atlas_rag.inprocess.search.vector_index.selection import best, contenders, largest, reached_by


@pytest.mark.parametrize("size", [1, 8, 81, 1400, 5183])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.03, 0.1, 0.5, 1.0])
def test_at_least_so_many_reach_the_bar_and_few_more(size: int, share: float) -> None:
    values = np.random.default_rng(size).normal(size=size).astype(np.float32)
    count = max(int(share * size), 1)
    assert count <= (values >= reached_by(values, count)).sum() <= 1.5 * count


def test_ranking_leaves_the_values_alone() -> None:
    values = np.array([3, 1, 2, 5, 4, 0, 7, 6], np.float32)
    assert largest(values, 3) == 5
    assert reached_by(values, 3) == 5
    assert values.tolist() == [3, 1, 2, 5, 4, 0, 7, 6]


def test_values_within_twice_the_error_contend() -> None:
    values = np.array([0.5, 0.9, 0.75, 0.7, 0.1], np.float32)
    assert contenders(values, 2, 0.0).tolist() == [1, 2]
    assert contenders(values, 2, 0.03).tolist() == [1, 2, 3]
    assert contenders(values, 9, 0.0).tolist() == [0, 1, 2, 3, 4]


def test_ties_come_by_position_or_place() -> None:
    scores = np.array([1, 2, 2, 1], np.float32)
    assert best(scores, 3).tolist() == [1, 2, 0]
    assert best(scores, 3, np.array([0, 9, 3, 1])).tolist() == [2, 1, 0]
