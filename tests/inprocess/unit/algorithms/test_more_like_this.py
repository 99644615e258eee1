"""The terms that MoreLikeThis searches for, down to the order of equals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from atlas_rag.inprocess.search.algorithms.java_order import LeastFirst, hash_map_order
from atlas_rag.inprocess.search.algorithms.more_like_this import MAX_QUERY_TERMS, telling_terms

WORDS = "some everi mountain ship u.s.a silent doctor paint happi naïve 😀 garden dog cat river the"


def test_keys_come_in_the_order_of_a_java_hash_map() -> None:
    printed = "some silent ship paint u.s.a everi doctor the mountain naïve happi cat 😀 garden river dog"
    assert hash_map_order(WORDS.split()) == printed.split()


VALUES = [3, 1, 2, 2, 1, 5, 3, 3, 1, 2, 2, 4]


@pytest.mark.parametrize(
    ("limit", "printed"),
    [  # what Lucene's PriorityQueue gave out: (value, index)
        (5, [(3, 6), (3, 0), (3, 7), (4, 11), (5, 5)]),
        (
            20,
            [
                (1, 1),
                (1, 4),
                (1, 8),
                (2, 9),
                (2, 10),
                (2, 3),
                (2, 2),
                (3, 7),
                (3, 0),
                (3, 6),
                (4, 11),
                (5, 5),
            ],
        ),
    ],
)
def test_equals_leave_a_heap_as_they_leave_lucenes(limit: int, printed: list[tuple[int, int]]) -> None:
    heap: LeastFirst[tuple[int, int]] = LeastFirst(lambda pair: pair[0])
    for index, value in enumerate(VALUES):
        if len(heap) < limit:
            heap.add((value, index))
        elif value > heap.least[0]:
            heap.replace_least((value, index))
    assert [heap.pop() for _ in range(len(heap))] == printed


def test_a_term_tells_by_its_frequency_times_its_rarity() -> None:
    found = {"fox": 9, "dog": 99, "once": 1, "gone": 0, "cat": 9}
    text = {"title": {"fox": 1, "dog": 3, "once": 5, "gone": 5, "cat": 2}}
    chosen = telling_terms(text, lambda _, term: found[term], 100)
    assert [entry.term for entry in chosen] == ["dog", "fox", "cat"]
    assert chosen[1].score == np.float32(math.log(101 / 10) + 1)


def test_only_the_most_telling_terms_are_kept() -> None:
    text = {"a": {f"t{number}": 1 for number in range(40)}, "b": {"t0": 1}}
    chosen = telling_terms(text, lambda field, term: 2 + int(term[1:]) if field == "a" else 2, 100)
    assert len(chosen) == MAX_QUERY_TERMS
    assert {entry.field for entry in chosen[-2:]} == {"a", "b"}
    assert {entry.term for entry in chosen} == {f"t{number}" for number in range(24)}
