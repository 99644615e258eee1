"""`compound`: clauses that must, must not, should match, or only filter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import NOT_NEGATIVE, Document, Int32, Rule, at_least_one, field, is_array
from atlas_rag.grammar.operators.common import DOES_NOT_AFFECT
from atlas_rag.grammar.operators.nesting import CLAUSES
from atlas_rag.grammar.problem import At, Found, problem
from atlas_rag.grammar.scores import COMPOUND_SCORE

CLAUSE_NAMES: Final = ("filter", "must", "mustNot", "should")


def clauses(compound: Mapping[str, Any], name: str) -> list[Any] | None:
    """The clauses of one kind, or None where the kind is not given."""
    value = compound.get(name)
    return value if value is None or is_array(value) else [value]


def _minimum_should_match(compound: Mapping[str, Any], at: At, found: Found) -> None:
    minimum, should = compound.get("minimumShouldMatch"), clauses(compound, "should")
    if minimum is None:
        return
    if should is None:
        text = "should clause must not be empty when using minimumShouldMatch"
        found.append(problem(at, text, "minimum-should-match"))
    elif minimum > len(should):
        text = "minimumShouldMatch cannot be greater than number of should clauses"
        found.append(problem(at, text, "minimum-should-match"))


def _dismax(compound: Mapping[str, Any], at: At, found: Found) -> None:
    if (compound.get("score") or {}).get("dismax") is None:
        return
    if compound.get("should") is None:
        found.append(problem(at, "should clause must not be empty when using dismax score", "dismax"))
    elif any(compound.get(name) is not None for name in ("must", "mustNot", "filter")):
        found.append(problem(at, "cannot use dismax when must, mustNot, or filter is present", "dismax"))


def _some_clause(compound: Mapping[str, Any], at: At, found: Found) -> None:
    if not any(clauses(compound, name) for name in CLAUSE_NAMES):
        found.append(problem(at, "must have at least one clause", "empty-list"))


COMPOUND: Final = Document(
    at_least_one(*(field(name, CLAUSES) for name in CLAUSE_NAMES)),
    COMPOUND_SCORE,
    field("minimumShouldMatch", Int32(NOT_NEGATIVE)),
    DOES_NOT_AFFECT,
    Rule(_dismax, "score"),
    Rule(_minimum_should_match, "minimumShouldMatch", "should"),
    Rule(_some_clause, *CLAUSE_NAMES),
)
