"""Fusion arithmetic: the recorded results of the server's own suite, R1-R14, R30 and S1-S13."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag import fusion
from atlas_rag.errors import CallError, Code
from atlas_rag.fusion import RankedList, fuse_ranks, fuse_scores

# DISH of the published tests: _id, number per serving, tasty, flavor contains "but"
DISH = [
    (1, 4, True, True),
    (2, 2, False, False),
    (3, 3, True, False),
    (4, 3, True, True),
    (5, 4, False, False),
]
TASTY_BY_SERVING_DOWN = RankedList("tasty", [1, 3, 4], [(4, 1), (3, 3), (3, 4)])
HAS_A_BUT = RankedList("has_a_but", [4, 1], [(3, -4), (4, -1)])
EVERYTHING_TIED = RankedList("everything", [1, 2, 3, 4, 5], [None] * 5)


def ids(items):
    return [item.id for item in items]


def ranks(item):
    return {entry.name: entry.rank for entry in item.contributions}


def test_r1_the_first_two_ranks_give_the_recorded_values():
    top = fuse_ranks([TASTY_BY_SERVING_DOWN], limit=2)
    assert [(item.id, item.score) for item in top] == [(1, 0.01639344262295082), (3, 0.016129032258064516)]


def test_r2_to_r4_the_order_of_the_list_is_the_ranking():
    top = fuse_ranks([RankedList("tasty", [3, 4, 1], [(3, 3), (3, 4), (4, 1)])], limit=2)
    assert [(item.id, item.score) for item in top] == [(3, 0.01639344262295082), (4, 0.016129032258064516)]


def test_r5_one_pipeline_keeps_its_own_order():
    by_taste = [row[0] for row in sorted(DISH, key=lambda row: (not row[2], -row[1], row[0]))]
    assert ids(fuse_ranks([RankedList("everything_sorted", by_taste)])) == [1, 3, 4, 5, 2]


def test_r6_two_pipelines_add_up():
    assert ids(fuse_ranks([TASTY_BY_SERVING_DOWN, HAS_A_BUT], limit=3)) == [1, 4, 3]


def test_r7_a_pipeline_of_equal_keys_gives_everyone_rank_one():
    top = fuse_ranks([TASTY_BY_SERVING_DOWN, HAS_A_BUT, EVERYTHING_TIED], limit=3)
    assert ids(top) == [1, 4, 3]
    assert {ranks(item)["everything"] for item in top} == {1}


def test_r8_three_pipelines_give_the_recorded_scores_and_ranks():
    top = fuse_ranks([TASTY_BY_SERVING_DOWN, HAS_A_BUT, EVERYTHING_TIED], limit=3)
    assert [item.score for item in top] == [0.048915917503966164, 0.04865990111891751, 0.03252247488101534]
    assert [ranks(item) for item in top] == [
        {"everything": 1, "has_a_but": 2, "tasty": 1},
        {"everything": 1, "has_a_but": 1, "tasty": 3},
        {"everything": 1, "has_a_but": None, "tasty": 2},
    ]


def test_r9_equal_scores_come_by_ascending_id():
    rest = fuse_ranks([TASTY_BY_SERVING_DOWN, HAS_A_BUT, EVERYTHING_TIED])[3:]
    assert [(item.id, item.score) for item in rest] == [(2, 0.01639344262295082), (5, 0.01639344262295082)]


# R10-R13: the two input rankings behind the suite's movie lists, rebuilt from R11 and R12
VECTOR = RankedList("vector", [6, 4, 8, 9, 10, 12, 13, 5, 1, 14, 3, 2, 11, 7, 15])
SEARCH = RankedList("search", [6, 1, 2, 3, 4, 5])


@pytest.mark.parametrize("weights", [None, {}, {"vector": 1}, {"vector": 1, "search": 1}])
def test_weights_left_out_are_one(weights):
    assert fuse_ranks([VECTOR, SEARCH], weights) == fuse_ranks(
        [VECTOR, SEARCH], {"search": 1.0, "vector": 1.0}
    )


def test_r10_equal_weights():
    assert ids(fuse_ranks([VECTOR, SEARCH])) == [6, 4, 1, 5, 2, 3, 8, 9, 10, 12, 13, 14, 11, 7, 15]


def test_r13_unequal_weights_move_the_middle():
    fused = fuse_ranks([VECTOR, SEARCH], {"vector": 5, "search": 3})
    assert ids(fused) == [6, 4, 1, 5, 3, 2, 8, 9, 10, 12, 13, 14, 11, 7, 15]


def test_r11_documents_whose_pipelines_weigh_nothing_stay_by_id():
    fused = fuse_ranks([VECTOR, SEARCH], {"vector": 0, "search": 1})
    assert ids(fused) == [6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    assert [item.score for item in fused[6:]] == [0.0] * 9


@pytest.mark.parametrize("weights", [{"vector": 1, "search": 0}, {"search": 0}])
def test_r12_a_weight_of_zero_leaves_the_other_ranking(weights):
    assert ids(fuse_ranks([VECTOR, SEARCH], weights)) == list(VECTOR.ids)


def test_r14_renaming_pipelines_changes_nothing_for_two():
    renamed = [RankedList("a", VECTOR.ids), RankedList("z", SEARCH.ids)]
    assert ids(fuse_ranks(renamed)) == ids(fuse_ranks([VECTOR, SEARCH]))


def test_r30_equal_keys_share_a_rank_and_the_next_one_skips():
    fused = fuse_ranks([RankedList("a", ["w", "x", "y", "z"], [2.0, 2.0, 2.0, 1.0])])
    assert [item.score for item in fused] == [1 / 61, 1 / 61, 1 / 61, 1 / 64]


def test_a_document_listed_twice_counts_once_with_its_better_rank():
    fused = fuse_ranks([RankedList("a", ["x", "y", "x", "z"])])
    assert [(item.id, item.contributions[0].rank) for item in fused] == [("x", 1), ("y", 2), ("z", 4)]


def test_the_weight_multiplies_the_rounded_reciprocal():
    assert fusion.reciprocal_rank(1, 0.3) == (1 / 61) * 0.3 != 0.3 / 61


@given(st.lists(st.floats(min_value=1e-6, max_value=1.0), min_size=1, max_size=6))
def test_the_compensated_sum_is_within_one_place_of_the_exact_one(values):
    exact = sum(map(Fraction, values))
    assert abs(Fraction(fusion.compensated_sum(values)) - exact) <= Fraction(math.ulp(float(exact)))


def test_the_compensated_sum_is_neither_left_to_right_nor_correctly_rounded():
    """Two sums of mongod 6.0.5: `{$add: [...]}` of these doubles."""
    low = [0.003177137143490863, 0.00017096005537283889, 0.00040517738003122654]
    assert fusion.compensated_sum(low) == 0.0037532745788949285 != math.fsum(low)
    other = [0.0038234897459817137, 0.001243363997824861, 0.0016045637689228061]
    assert fusion.compensated_sum(other) == 0.0066714175127293805 != other[0] + other[1] + other[2]


def test_infinities_and_nan_pass_through_the_sum():
    assert fusion.compensated_sum([1.0, math.inf]) == math.inf
    assert math.isnan(fusion.compensated_sum([math.inf, -math.inf]))


@given(
    st.dictionaries(
        st.sampled_from("abcd"), st.lists(st.integers(0, 12), unique=True, max_size=8), min_size=1, max_size=4
    ),
    st.lists(st.floats(0, 5), min_size=4, max_size=4),
)
def test_the_fused_list_is_the_definition_written_out(lists, weights):
    weighing = {name: weight for name, weight in zip("abcd", weights, strict=True) if name in lists}
    fused = fuse_ranks([RankedList(name, found) for name, found in lists.items()], weighing)
    everyone = sorted({identity for found in lists.values() for identity in found})
    expected = {}
    for identity in everyone:
        parts = []
        for name in sorted(lists):
            there = identity in lists[name]
            parts.append(1 / (61 + lists[name].index(identity)) * weighing[name] if there else 0.0)
        expected[identity] = fusion.chained_sum(parts)
    assert ids(fused) == sorted(everyone, key=lambda identity: (-expected[identity], identity))
    assert [item.score for item in fused] == [expected[item.id] for item in fused]


@pytest.mark.parametrize(
    "weights",
    [
        {"nope": 1},
        {"vector": -1},
        {"vector": math.nan},
        {"vector": math.inf},
        {"vector": "1"},
        {"vector": True},
    ],
)
def test_bad_weights_are_refused(weights):
    with pytest.raises(CallError) as caught:
        fuse_ranks([VECTOR], weights)
    assert caught.value.code is Code.INVALID_WEIGHTS


@pytest.mark.parametrize("lists", [[], [VECTOR, VECTOR]])
def test_no_pipeline_and_a_repeated_name_are_refused(lists):
    with pytest.raises(CallError) as caught:
        fuse_ranks(lists)
    assert caught.value.code is Code.INVALID_PIPELINE


# SD of the published tests: i = 1..10, single = i, double = 2i
NUMBERS = range(1, 11)
SINGLE = RankedList("single", NUMBERS, [float(i) for i in NUMBERS])
DOUBLE = RankedList("double", NUMBERS, [2.0 * i for i in NUMBERS])


def by_id(items):
    return {item.id: item.score for item in items}


def sigma(x):
    return 1 / (1 + math.exp(-x))


def test_s1_the_mean_of_raw_scores():
    fused = fuse_scores([SINGLE, DOUBLE])
    assert [(item.id, item.score) for item in fused] == [(i, 1.5 * i) for i in reversed(NUMBERS)]


def test_s2_a_pipeline_scaled_before_it_enters():
    scaled = RankedList("single", NUMBERS, fusion.min_max(SINGLE.scores))
    scores = by_id(fuse_scores([scaled, DOUBLE]))
    assert (scores[1], scores[2], scores[10]) == (1.0, 2.0555555555555554, 10.5)


def test_s3_an_expression_replaces_the_mean():
    fused = fuse_scores([SINGLE, DOUBLE], combine=lambda _, by: by["single"] + by["double"])
    assert by_id(fused) == {i: 3.0 * i for i in NUMBERS}


def test_s6_an_expression_may_read_the_document():
    fused = fuse_scores(
        [SINGLE, DOUBLE], combine=lambda i, by: fusion.server_mean([by["single"], by["double"], i * 5.0])
    )
    assert by_id(fused) == {i: (i + 2 * i + 5 * i) / 3 for i in NUMBERS}


def test_s10_sigmoid_gives_the_recorded_values():
    scores = by_id(fuse_scores([SINGLE, DOUBLE], normalization="sigmoid"))
    assert (scores[1], scores[2]) == (0.8059278283039436, 0.9314054340078954)


def test_s11_sigmoid_inside_and_outside_is_applied_twice():
    inner = RankedList("single", NUMBERS, [fusion.sigmoid(float(i)) for i in NUMBERS])
    assert by_id(fuse_scores([inner], normalization="sigmoid")) == {i: sigma(sigma(i)) for i in NUMBERS}


def test_s12_min_max_spans_zero_to_one():
    assert by_id(fuse_scores([SINGLE], normalization="minMaxScaler")) == {i: (i - 1) / 9 for i in NUMBERS}


def test_s13_min_max_undoes_weights():
    weighted = fuse_scores([SINGLE, DOUBLE], {"single": 5, "double": 0.1}, normalization="minMaxScaler")
    plain = fuse_scores([SINGLE, DOUBLE], normalization="minMaxScaler")
    assert by_id(weighted) == pytest.approx(by_id(plain), rel=1e-15)


def test_s17_the_mean_of_two_scored_searches():
    a = RankedList("a", [6], [0.4 * sigma(5.1 * 6)])
    b = RankedList("b", [6, 1, 15], [0.5 * value for value in fusion.min_max([5.0 * i for i in (6, 1, 15)])])
    top = fuse_scores([a, b])[0]
    assert [entry.value for entry in top.contributions] == [0.3999999999999795, 0.17857142857142858]
    assert top.score == (0.3999999999999795 + 0.17857142857142858) / 2


def test_a_weight_multiplies_after_sigmoid_and_absent_counts_as_zero():
    fused = fuse_scores(
        [RankedList("a", [1], [2.0]), RankedList("b", [2], [2.0])], {"a": 0.5}, normalization="sigmoid"
    )
    assert by_id(fused) == {1: 0.5 * sigma(2.0) / 2, 2: sigma(2.0) / 2}


def test_equal_scores_scale_to_zero():
    assert by_id(fuse_scores([RankedList("a", [1, 2], [7.0, 7.0])], normalization="minMaxScaler")) == {
        1: 0.0,
        2: 0.0,
    }


def test_a_negative_score_counts_only_where_no_other_pipeline_found_the_document():
    fused = fuse_scores([RankedList("a", [1, 2], [-4.0, -4.0]), RankedList("b", [1], [1.0])])
    assert by_id(fused) == {1: 0.5, 2: -2.0}


def test_fusing_scores_without_scores_is_refused():
    with pytest.raises(CallError) as caught:
        fuse_scores([VECTOR])
    assert caught.value.code is Code.INVALID_PIPELINE


def test_sigmoid_does_not_overflow():
    assert (fusion.sigmoid(-1e4), fusion.sigmoid(1e4)) == (0.0, 1.0)


@given(st.integers(1, 200), st.floats(0.01, 10))
def test_above_the_gate_ratio_the_lighter_pipeline_never_enters_the_first_places(places, other):
    weight = other * fusion.gate_ratio(places) * (1 + 1e-9)
    assert fusion.shuts_out(weight, other, places)
    fused = fuse_ranks([RankedList("a", range(places)), RankedList("b", [10_000])], {"a": weight, "b": other})
    assert ids(fused) == [*range(places), 10_000]


def test_the_gate_for_ten_places_is_a_share_of_534_thousandths():
    ratio = fusion.gate_ratio(10)
    assert round(ratio / (1 + ratio), 3) == 0.534


def by_definition(lists, limit):
    """The best by a full sort: what is not a number last, ties by `_id`."""
    totals = {}
    for ranked in lists:
        for identifier, score in zip(ranked.ids, ranked.scores, strict=True):
            totals[identifier] = totals.get(identifier, 0.0) + score
    return sorted(totals, key=lambda one: (math.isnan(totals[one]), -totals[one], one))[:limit]


FEW_SCORES = st.sampled_from([0.0, 0.25, 0.5, 1.0, math.inf])


@given(
    st.lists(st.dictionaries(st.integers(0, 12), FEW_SCORES, min_size=1), min_size=1, max_size=3),
    st.one_of(st.none(), st.integers(0, 15)),
)
def test_a_limit_cuts_the_full_order_whatever_ties_there_are(found, limit):
    lists = [RankedList(f"p{at}", list(one), list(one.values())) for at, one in enumerate(found)]
    fused = fuse_scores(lists, normalization="none", limit=limit)
    assert ids(fused) == by_definition(lists, limit)


@pytest.mark.parametrize(("limit", "expected"), [(None, [5, 1, 4, 2, 3]), (2, [5, 1])])
def test_what_is_not_a_number_comes_last(limit, expected):
    ranked = RankedList("a", [1, 2, 3, 4, 5], [0.5, math.nan, math.nan, 0.5, math.inf])
    assert ids(fuse_scores([ranked], combine=lambda _, scores: scores["a"], limit=limit)) == expected
