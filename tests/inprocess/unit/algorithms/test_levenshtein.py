"""Fuzzy expansion: distances against the textbook recurrence, boosts against Lucene's own rewrites."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag.inprocess.search.algorithms.levenshtein import TermTable, expand

words = st.text(alphabet="abcé😀", max_size=6)


def alignment(a: str, b: str) -> int:
    """The textbook optimal string alignment distance."""
    d = {(i, 0): i for i in range(len(a) + 1)} | {(0, j): j for j in range(len(b) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                d[i, j] = min(d[i, j], d[i - 2, j - 2] + 1)
    return d[len(a), len(b)]


@given(st.sets(words, max_size=30), words, st.integers(0, 2), st.integers(0, 3))
def test_finds_exactly_the_terms_within_reach(terms: set[str], term: str, edits: int, prefix: int) -> None:
    ordered = sorted(terms)
    near = TermTable(ordered).neighbours(term, edits, prefix)
    expected = {
        index: distance
        for index, other in enumerate(ordered)
        if other.startswith(term[:prefix]) and (distance := alignment(term, other)) <= edits
    }
    assert dict(zip(near.indices.tolist(), near.edits.tolist(), strict=True)) == expected


# What Lucene rewrote the same queries to over these terms.
SHORT = sorted(["a", "b", "bc", "ab", "abc", "abcd", "abcde", "zz", "zzz", "ba", "acb"])


@pytest.mark.parametrize(
    ("term", "edits", "most", "expected"),
    [
        ("a", 2, 3, {"a": 1, "ab": 0, "b": 0}),
        ("a", 2, 50, {"a": 1, "ab": 0, "abc": 0, "acb": 0, "b": 0, "ba": 0, "bc": 0, "zz": 0}),
        ("ab", 2, 5, {"a": 0, "ab": 1, "abc": 0.5, "acb": 0.5, "ba": 0.5}),
        ("abc", 2, 2, {"abc": 1, "abcd": np.float32(1) - np.float32(1) / np.float32(3)}),
    ],
)
def test_keeps_the_best_boosts_then_the_first_terms(
    term: str, edits: int, most: int, expected: dict[str, float]
) -> None:
    kept = expand(TermTable(SHORT), SHORT, term, max_edits=edits, max_expansions=most)
    assert {SHORT[index]: boost for index, boost in kept} == expected


def test_a_prefix_as_long_as_the_term_still_allows_insertions() -> None:
    kept = expand(TermTable(SHORT), SHORT, "abc", max_edits=2, prefix_length=5)
    assert [SHORT[index] for index, _ in kept] == ["abc", "abcd", "abcde"]


def test_more_than_two_edits_are_refused() -> None:
    with pytest.raises(ValueError, match=r"max_edits must be 0\.\.2, got 3"):
        TermTable(["a"]).neighbours("a", 3)
