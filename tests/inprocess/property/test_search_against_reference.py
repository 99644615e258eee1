"""Random definitions, documents and queries: the index answers like a plain reading of the same rules."""

from __future__ import annotations

import pytest

from tests.support.search_cases import QUERIES_OF_ONE, Draw, differences

QUICK = range(20)
ALL = range(20, 270)


def test_the_index_agrees_with_the_reference() -> None:
    assert [each for seed in QUICK for each in differences(seed)] == []


@pytest.mark.slow
def test_the_index_agrees_with_the_reference_on_five_thousand_queries() -> None:
    assert len(ALL) * QUERIES_OF_ONE == 5000
    assert [each for seed in ALL for each in differences(seed)] == []


def test_a_seed_always_makes_the_same_cases() -> None:
    one, other = Draw(7), Draw(7)
    assert (one.definition, one.documents) == (other.definition, other.documents)
    assert [one.operator() for _ in range(9)] == [other.operator() for _ in range(9)]
