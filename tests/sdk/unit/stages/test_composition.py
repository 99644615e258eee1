"""`&`, `|` and `~` on operators, and `+` and `*` on score expressions: what they say, and how flat."""

from __future__ import annotations

import pytest

from atlas_rag import CallError
from atlas_rag.stages import (
    Add,
    Boost,
    Compound,
    Equals,
    Exists,
    Facet,
    FieldValue,
    Log1p,
    Multiply,
    Number,
    RawOperator,
    Relevance,
    StringFacet,
    VectorSearchOperator,
    as_vector,
)

A, B, C, D = (Exists(path=name) for name in "abcd")


def test_conjunctions_stay_flat() -> None:
    assert A & B & C == A & (B & C) == Compound(must=(A, B, C))
    assert Compound(must=(A, B, C, D)) == (A & B) & (C & D)


def test_disjunctions_stay_flat() -> None:
    assert A | B | C == A | (B | C) == Compound(should=(A, B, C))


def test_a_complement_in_a_conjunction_is_a_must_not() -> None:
    assert Compound(must=(A,), must_not=(B,)) == A & ~B
    assert Compound(must_not=(A, B)) == ~A & ~B


def test_a_complement_in_a_disjunction_is_a_clause_of_its_own() -> None:
    assert Compound(should=(A, Compound(must_not=(B,)))) == A | ~B


def test_complements() -> None:
    assert Compound(must_not=(A,)) == ~A
    assert ~~A == A
    assert Compound(must_not=(A, B)) == ~(A | B)
    assert ~~(A | B) == A | B
    assert Compound(must_not=(Compound(must=(A, B)),)) == ~(A & B)


def test_kinds_nest_once() -> None:
    assert Compound(must=(Compound(should=(A, B)), C)) == (A | B) & C
    assert Compound(should=(Compound(must=(A, B)), C)) == (A & B) | C


def test_filters_join_a_conjunction() -> None:
    filtered = Compound(must=A, filter=(B,))
    assert filtered & C == Compound(must=(A, C), filter=(B,))


@pytest.mark.parametrize(
    "compound",
    [
        Compound(must=(A,), score=Boost(value=2)),
        Compound(must=(A,), should=(B,)),
        Compound(should=(A, B), minimum_should_match=2),
        Compound(must=(A,), does_not_affect="f"),
    ],
)
def test_a_compound_that_says_more_is_not_opened(compound: Compound) -> None:
    assert compound & C == Compound(must=(compound, C))
    assert compound | C == Compound(should=(compound, C))
    assert ~compound == Compound(must_not=(compound,))


def test_raw_operators_combine() -> None:
    raw = RawOperator({"newest": {}})
    assert (raw & A).to_operator() == {"compound": {"must": [{"newest": {}}, {"exists": {"path": "a"}}]}}


@pytest.mark.parametrize(
    "operator",
    [
        Facet(facets={"f": StringFacet(path="t")}),
        VectorSearchOperator(path="e", query_vector=as_vector([1]), limit=1, exact=True),
    ],
    ids=lambda one: one.label,
)
def test_what_stands_at_the_top_only_does_not_combine(operator: VectorSearchOperator) -> None:
    for combine in (lambda: operator & A, lambda: A | operator, lambda: ~operator):
        with pytest.raises(CallError, match="at the top"):
            combine()
    with pytest.raises(CallError, match="an operator"):
        A & {"exists": {"path": "a"}}  # type: ignore[operator]


def test_expressions_chain_flat() -> None:
    likes = FieldValue(path="likes", undefined=1)
    assert Relevance() * likes * 2 == Multiply(of=(Relevance(), likes, Number(value=2)))
    assert 1 + Log1p(of=likes) + Relevance() == Add(of=(Log1p(of=likes), Number(value=1), Relevance()))
    assert (Relevance() + 1) * 2 == Multiply(of=(Add(of=(Relevance(), Number(value=1))), Number(value=2)))


def test_a_condition_may_hold_any_value() -> None:
    assert (Equals(path="a", value=1) & A).to_operator()["compound"]["must"][0] == {
        "equals": {"path": "a", "value": 1}
    }
