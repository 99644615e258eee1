"""The two wings know the same operators of aggregation expressions."""

from __future__ import annotations

from atlas_rag.grammar.expressions import OPERATORS, unknown_operator
from atlas_rag.inprocess import client  # noqa: F401  brings every operator in
from atlas_rag.inprocess.mql.expressions.define import OPERATORS as COMPUTED


def test_what_the_engine_computes_is_known_and_nothing_else() -> None:
    assert frozenset(COMPUTED) == OPERATORS


def test_what_is_literal_is_not_looked_into() -> None:
    assert unknown_operator({"$literal": {"$nope": 1}}) is None
    assert unknown_operator({"$let": {"vars": {"a": {"$nope": 1}}, "in": "$$a"}}) == "$nope"
    assert unknown_operator([1, {"$add": ["$$vector", "$votes"]}]) is None
