"""Sentences as Java breaks them, and passages made of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag.inprocess.search.algorithms.highlight import Match, examined, highlight
from atlas_rag.inprocess.search.algorithms.sentences import sentence_starts


@pytest.mark.parametrize(
    ("text", "starts"),
    [  # printed by java.text.BreakIterator.getSentenceInstance(Locale.ROOT), JDK 17
        ("", [0]),
        ("a. B", [0, 3, 4]),
        ("a. b", [0, 4]),
        ("a.  b", [0, 4, 5]),
        ("a. (b", [0, 3, 5]),
        ('a. "b', [0, 3, 5]),
        ("a.(B", [0, 2, 4]),
        ("a.B", [0, 3]),
        ("a. 1", [0, 4]),
        ("U.S.A. foxes", [0, 12]),
        ("a.) B", [0, 4, 5]),
        ("a?!. b", [0, 5, 6]),
        ("a!b", [0, 2, 3]),
        ("a! (b", [0, 3, 5]),
        ("a.\u2029\u2029b", [0, 3, 4, 5]),
        ("a\nB", [0, 3]),
        ("a.\r\nB", [0, 4, 5]),
        ("漢。漢", [0, 2, 3]),
        ("a. 漢", [0, 3, 4]),
        ("a। b", [0, 3, 4]),
        ("a. \u0301B", [0, 4, 5]),
        ("a. - B", [0, 6]),
        ("a. -", [0, 1, 2, 4]),
        ("abc. -", [0, 3, 4, 6]),
        ('a.."(1', [0, 1, 2, 3, 6]),
    ],
)
def test_sentences_begin_where_java_begins_them(text: str, starts: list[int]) -> None:
    assert sentence_starts(text) == starts


@given(st.text(alphabet='aB1. (")-!,\u0301\u0964\u2029漢', max_size=30))
def test_sentences_cover_the_text_without_overlap(text: str) -> None:
    starts = sentence_starts(text)
    assert starts[0] == 0
    assert starts[-1] == len(text)
    assert starts == sorted(set(starts))


def hits(found: list[dict]) -> list[list[str]]:
    return [[piece["value"] for piece in each["texts"] if piece["type"] == "hit"] for each in found]


def test_hits_that_touch_or_overlap_are_one() -> None:
    matches = [[Match(0, 3, "abc", 1), Match(3, 5, "de", 1), Match(4, 6, "ef", 1), Match(7, 8, "h", 1)]]
    assert hits(highlight(["abcdef h."], matches)) == [["abcdef", "h"]]


def test_a_passage_never_crosses_two_values() -> None:
    found = highlight(["one fox", "two fox"], [[Match(4, 7, "fox", 2)], [Match(4, 7, "fox", 2)]])
    assert [["".join(piece["value"] for piece in each["texts"])] for each in found] == [
        ["one fox"],
        ["two fox"],
    ]
    assert found[0]["score"] > found[1]["score"]  # the same sentence counts less further back


def test_offsets_count_utf16_units() -> None:
    assert hits(highlight(["😀 A. 😀 fox. B"], [[Match(9, 12, "fox", 1)]])) == [["fox"]]


def test_the_best_passages_are_kept_in_text_order() -> None:
    text = "A fox. A fox and a fox. No one. A fox."
    matches = [[Match(at, at + 3, "fox", 4) for at in (2, 9, 19, 34)]]
    found = highlight([text], matches, max_passages=2)
    assert ["".join(piece["value"] for piece in each["texts"]) for each in found] == [
        "A fox. ",
        "A fox and a fox. ",
    ]


def test_values_are_examined_up_to_a_number_of_units_with_one_between_two() -> None:
    assert examined(["fox. fox", "cat"], 12) == ["fox. fox", "cat"]
    assert examined(["fox. fox", "cat"], 11) == ["fox. fox", "ca"]
    assert examined(["fox. fox", "cat"], 9) == ["fox. fox"]
    assert examined(["fox. fox", "cat"], 7) == ["fox. fo"]
    assert examined(["\U0001f98a fox"], 4) == ["\U0001f98a f"]


def test_an_empty_term_in_an_empty_value_is_no_hit() -> None:
    matches = [[Match(0, 0, "", 2)], [Match(0, 3, "fox", 1)], [Match(0, 0, "", 2)]]
    assert hits(highlight(["", "fox", ""], matches)) == [["fox"]]
    assert highlight([""], [[Match(0, 0, "", 1)]]) == []


def test_nothing_matched_gives_no_passage() -> None:
    assert highlight(["a", "b"], [[], []]) == []
