"""Building filters: what is accepted, what is refused, and what stays equal."""

from __future__ import annotations

import datetime as dt
import pickle
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from bson import Decimal128, ObjectId
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atlas_rag import CallError, Code, Filter, field
from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Not, combine

NOW = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
LITERALS = (True, 3, 2.5, "x", NOW, ObjectId("0" * 24), UUID(int=7), None)


def test_the_chain_is_an_and_in_order() -> None:
    built = Filter.where("category", "refund").where_in("region", ["eu", "uk"])
    assert built == AllOf((Comparison("category", "eq", "refund"), Comparison("region", "in", ("eu", "uk"))))


def test_or_takes_others_and_operators_say_the_same() -> None:
    left, right = Filter.where("a", 1), Filter.where("b", 2)
    assert left.or_(right) == left | right == AnyOf((left, right))
    assert (field("a") == 1) & (field("b") == 2) == left & right
    assert ~~left == left


@pytest.mark.parametrize(
    ("built", "operator"),
    [
        (field("p") == 1, "eq"),
        (field("p") != 1, "ne"),
        (field("p") > 1, "gt"),
        (field("p") >= 1, "gte"),
        (field("p") < 1, "lt"),
        (field("p") <= 1, "lte"),
        (field("p").in_([1]), "in"),
        (field("p").not_in([1]), "not_in"),
        (field("p").like("a%"), "like"),
        (field("p").exists(), "exists"),
        (field("p").missing(), "not_exists"),
    ],
)
def test_each_of_the_eleven_operators_has_a_spelling(built: Filter, operator: str) -> None:
    assert isinstance(built, Comparison)
    assert built.operator == operator
    assert Filter.from_dict(built.to_dict()) == built


@pytest.mark.parametrize("value", LITERALS, ids=lambda value: type(value).__name__)
def test_literals_keep_their_type_through_the_dict_form(value: Any) -> None:
    condition = Filter.where("p", value)
    assert Filter.from_dict(condition.to_dict()) == condition
    assert hash(Filter.from_dict(condition.to_dict())) == hash(condition)


def test_true_is_not_one() -> None:
    assert Filter.where("p", True) != Filter.where("p", 1)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"$ne": ""}, Code.VALUE_NOT_LITERAL),
        ({"a": 1}, Code.INVALID_FILTER),
        ([1], Code.INVALID_FILTER),
        (float("nan"), Code.INVALID_FILTER),
        (2**70, Code.INVALID_FILTER),
        (dt.date(2026, 1, 1), Code.INVALID_FILTER),
        (Decimal128(Decimal(1)), Code.INVALID_FILTER),
        (b"x", Code.INVALID_FILTER),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_literal_is_refused(value: Any, code: Code) -> None:
    with pytest.raises(CallError) as caught:
        Filter.where("p", value)
    assert caught.value.code is code
    assert "'p'" in str(caught.value)


def test_an_operator_smuggled_in_as_a_value_is_refused_in_a_list_too() -> None:
    with pytest.raises(CallError) as caught:
        Filter.where_in("tenant", [{"$gt": ""}])
    assert caught.value.code is Code.VALUE_NOT_LITERAL


@pytest.mark.parametrize("path", ["", "$where", "a..b", "a.$b", ".a", "a\0b", 3])
def test_paths_are_plain(path: Any) -> None:
    with pytest.raises(CallError, match="path"):
        Filter.where(path, 1)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"$or": []},
        {"$and": {}},
        {"$where": "1"},
        {"$expr": {}},
        {"a": {"$regex": "x"}},
        {"a": {"$gt": None}},
        {"a": {"$gt": True}},
        {"a": {"$in": "abc"}},
        {"a": {"$exists": 1}},
        {"a": {"$not": 3}},
        {"a": {}},
        {"a": {"$eq": {"$ne": 1}}},
        {"$and": [{"a": 1}], "b": {"$foo": 1}},
    ],
    ids=str,
)
def test_the_dict_form_refuses_what_it_does_not_know(document: dict[str, Any]) -> None:
    with pytest.raises(CallError):
        Filter.from_dict(document)


def test_siblings_of_a_group_are_read_too() -> None:
    read = Filter.from_dict({"$or": [{"a": 1}, {"b": 2}], "tenant": "x"})
    assert read == (Filter.where("a", 1) | Filter.where("b", 2)) & Filter.where("tenant", "x")


def test_empty_groups_are_refused_and_an_empty_in_is_not() -> None:
    with pytest.raises(CallError, match="no condition"):
        Filter.where("a", 1).or_()
    assert Filter.where_in("a", []) == Comparison("a", "in", ())


def test_the_store_filter_comes_first_and_neither_is_changed() -> None:
    store, query = Filter.where("tenant", "a"), Filter.where("tenant", "b") | Filter.where("x", 1)
    both = combine(store, query)
    assert both == AllOf((store, query))
    assert combine(store, None) is store
    assert combine(None, query) is query


def test_filters_are_frozen_and_can_be_pickled() -> None:
    condition = Filter.where("a", 1) & ~Filter.where("b", NOW)
    assert pickle.loads(pickle.dumps(condition)) == condition
    with pytest.raises(AttributeError):
        condition.parts = ()  # type: ignore[attr-defined]


@pytest.mark.parametrize("operator", ["gt", "gte", "lt", "lte"])
def test_orders_start_a_filter_and_narrow_one(operator: str) -> None:
    condition = Comparison("year", operator, 2020)
    assert getattr(Filter, f"where_{operator}")("year", 2020) == condition
    assert (
        getattr(Filter.where("a", 1), f"where_{operator}")("year", 2020) == Filter.where("a", 1) & condition
    )


TENANT, LEFT, RIGHT = Filter.where("tenant", "acme"), Filter.where("a", 1), Filter.where("b", 2)


@pytest.mark.parametrize(
    ("built", "plain"),
    [
        (Filter.within(TENANT).or_(LEFT, RIGHT), TENANT & (LEFT | RIGHT)),
        (Filter.within(TENANT).or_(LEFT), TENANT & LEFT),
        (
            Filter.within(TENANT).where("c", 3).or_(LEFT, RIGHT),
            TENANT & Filter.where("c", 3) & (LEFT | RIGHT),
        ),
        (
            Filter.within(TENANT).or_(LEFT, RIGHT).where("c", 3),
            TENANT & (LEFT | RIGHT) & Filter.where("c", 3),
        ),
        (Filter.within(TENANT, LEFT).where_gt("n", 1), TENANT & LEFT & Filter.where_gt("n", 1)),
        (Filter.within(TENANT) & ~LEFT, TENANT & ~LEFT),
        ((LEFT & Filter.within(TENANT)).or_(RIGHT), LEFT & TENANT & RIGHT),
        (Filter.where("a", 1).within(TENANT).or_(RIGHT), LEFT & TENANT & RIGHT),
        (Filter.within(TENANT | LEFT).or_(RIGHT), (TENANT | LEFT) & RIGHT),
        (combine(Filter.within(TENANT), LEFT | RIGHT), TENANT & (LEFT | RIGHT)),
    ],
    ids=str,
)
def test_what_follows_a_boundary_narrows(built: Filter, plain: Filter) -> None:
    assert built == plain
    assert hash(built) == hash(plain)
    assert Filter.from_dict(built.to_dict()) == plain


@pytest.mark.parametrize(
    "widen",
    [
        lambda inside: inside | LEFT,
        lambda inside: LEFT | inside,
        lambda inside: LEFT.or_(inside),
        lambda inside: ~inside,
        lambda inside: Not(inside),
        lambda inside: AnyOf((LEFT, inside)),
        lambda inside: inside.or_(),
        lambda inside: inside.or_(inside, LEFT),
    ],
)
@pytest.mark.parametrize(
    "inside",
    [
        Filter.within(TENANT),
        Filter.within(TENANT).where("c", 3),
        Filter.within(TENANT).or_(LEFT, RIGHT),
        LEFT & Filter.within(TENANT),
        combine(Filter.within(TENANT), LEFT),
    ],
    ids=str,
)
def test_nothing_widens_a_boundary(inside: Any, widen: Any) -> None:
    with pytest.raises(CallError) as caught:
        widen(inside)
    assert caught.value.code is Code.INVALID_FILTER


@pytest.mark.parametrize(
    ("document", "meant"),
    [
        ({"a": {"$gtee": 1}}, "$gte"),
        ({"a": {"$Gte": 1}}, "$gte"),
        ({"a": {"gte": 1}}, "$gte"),
        ({"a": {"$exist": True}}, "$exists"),
        ({"a": {"$not": {"$inn": [1]}}}, "$in"),
        ({"$orr": [{"a": 1}]}, "$or"),
    ],
    ids=str,
)
def test_a_misspelled_operator_is_answered_with_the_one_meant(document: dict[str, Any], meant: str) -> None:
    with pytest.raises(CallError, match="did you mean") as caught:
        Filter.from_dict(document)
    assert f"did you mean {meant!r}" in str(caught.value)


def test_an_operator_like_none_is_answered_with_the_list_alone() -> None:
    with pytest.raises(CallError) as caught:
        Filter.from_dict({"a": {"$regex": "x"}})
    assert "did you mean" not in str(caught.value)
    assert "$like" in str(caught.value)


literals = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
)
paths = st.sampled_from(["a", "b.c", "with space", "ünï"])
comparisons = st.one_of(
    st.builds(Comparison, paths, st.sampled_from(["eq", "ne"]), st.one_of(literals, st.none())),
    st.builds(Comparison, paths, st.sampled_from(["gt", "gte", "lt", "lte"]), st.integers(-9, 9) | st.text()),
    st.builds(Comparison, paths, st.sampled_from(["in", "not_in"]), st.lists(literals).map(tuple)),
    st.builds(Comparison, paths, st.just("like"), st.text()),
    st.builds(Comparison, paths, st.sampled_from(["exists", "not_exists"])),
)
filters = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: AllOf(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: AnyOf(tuple(parts))),
        inner.filter(lambda one: not isinstance(one, Not)).map(Not),
    ),
    max_leaves=6,
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(filters)
def test_the_dict_form_reads_back_to_the_same_meaning(condition: Filter) -> None:
    again = Filter.from_dict(condition.to_dict())
    assert Filter.from_dict(again.to_dict()) == again
    assert again.paths() == condition.paths()


def test_groups_that_are_written_out_are_laid_flat() -> None:
    a, b, c = (Comparison(path, "eq", 1) for path in "abc")
    assert AllOf((a, AllOf((b, c)))).conjuncts() == (a, b, c)
    assert AnyOf((a, AnyOf((b, c)))).parts == (a, b, c)


@pytest.mark.parametrize("group", [AllOf, AnyOf])
def test_a_group_that_is_written_out_keeps_the_rules_of_groups(group: type[AllOf] | type[AnyOf]) -> None:
    boundary = Filter.within(Filter.where("tenant", "a"))
    for parts in ((), ("a",), (boundary, Filter.where("b", 1))):
        with pytest.raises(CallError):
            group(parts)  # type: ignore[arg-type]
