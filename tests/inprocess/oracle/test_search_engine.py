"""`$search` and `$searchMeta` on the in-process engine against the recorded answers of the real one.

Every case is compared; those that are not equal are named, with the reason, in
`tests/data/oracle/unequal_search.json`: the file must list exactly these.
"""

from __future__ import annotations

import functools

import pytest

from scripts.oracle import search
from scripts.oracle.search_comparison import SETS, Compared, compared


@functools.cache
def results(name: str) -> tuple[Compared, ...]:
    return tuple(compared(name, search.read(name)))


@pytest.mark.parametrize("name", SETS)
def test_every_case_is_equal_or_unequal_for_a_reason_on_file(name: str) -> None:
    unequal = {f"{name}/{case.number}" for case in results(name) if not case.equal}
    assert unequal == {case for case in search.reasons() if case.startswith(f"{name}/")}


@pytest.mark.parametrize("name", SETS)
def test_every_list_of_hits_is_in_the_recorded_order(name: str) -> None:
    counts = search.summary(results(name))
    assert counts["order"][0] == counts["order"][1] > 0


@pytest.mark.parametrize("name", SETS)
def test_counts_facets_sort_values_highlights_and_refusals_are_the_recorded_ones(name: str) -> None:
    counts = search.summary(results(name))
    parts = {
        "meta",
        "searchHighlights",
        "searchSortValues",
        "searchRootDocumentId",
        "storedSource",
        "refusal",
    }
    for part in parts & counts.keys():
        assert counts[part][0] == counts[part][1] > 0, part


def test_scores_are_the_recorded_ones_bit_by_bit() -> None:
    counts = search.summary([case for name in SETS for case in results(name)])
    assert (counts["hits"], counts["bit equal"]) == (82_076, 82_076)


def test_explanations_are_the_recorded_ones_but_for_numbers_within_a_segment() -> None:
    counts = search.summary([case for name in SETS for case in results(name)])
    assert counts["searchScoreDetails"] == [75, 77]
