"""The bodies of `$search` and `$searchMeta`: one operator or collector, and options around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.facets import FACET
from atlas_rag.grammar.kit import (
    NOT_NEGATIVE,
    POSITIVE,
    Boolean,
    Document,
    Enum,
    Int32,
    Rule,
    Text,
    at_most_one,
    field,
    required,
)
from atlas_rag.grammar.operators import OPERATORS
from atlas_rag.grammar.operators.nesting import given_operators, operator_list
from atlas_rag.grammar.paths import PLAIN_PATH, TEXT_PATHS
from atlas_rag.grammar.problem import At, Found, Problem, bare_problem, problem
from atlas_rag.grammar.scopes import Scope, check_scopes
from atlas_rag.grammar.sorting import Sort
from atlas_rag.grammar.tokens import Token
from atlas_rag.grammar.vector_search import SEARCH_NODE_PREFERENCE

COUNT: Final = Document(field("type", Enum("lowerBound", "total")), field("threshold", Int32(NOT_NEGATIVE)))

HIGHLIGHT: Final = Document(
    required("path", TEXT_PATHS),
    field("maxNumPassages", Int32(POSITIVE)),
    field("maxCharsToExamine", Int32(POSITIVE)),
)


class _Searched:
    """What is searched for: an operator at the top, or the collector `facet`; never both."""

    names = (*OPERATORS, "facet")

    def can_judge(self, at: At, earlier: list[Problem]) -> bool:
        return True

    def check(self, document: Mapping[str, Any], at: At, found: Found) -> None:
        names = given_operators(document)
        for name in names:
            OPERATORS[name].check(document[name], (at, name), found)
        if len(names) > 1:
            found.append(problem(at, f"at most one of {operator_list()} may be present", "one-of"))
        facet = document.get("facet")
        if facet is not None:
            FACET.check(facet, (at, "facet"), found)
        if facet is not None and names:
            text = "Top-level operator is not allowed to be used with collector"
            found.append(problem(at, text, "one-of"))
        elif facet is None and not names:
            text = f"Query should contain either an operator {operator_list()} or a collector [facet]"
            found.append(problem(at, text, "one-of", given=tuple(document), known=self.names))


_REFUSED_WITH_VECTORS: Final = (
    (("sort", "sortBetaV1"), "Sort option is not supported with the '{}' operator. Use $sort stage instead."),
    (
        ("searchAfter", "searchBefore"),
        "Pagination is not supported with the '{}' operator. Use $skip and $limit stages instead.",
    ),
    (("highlight",), "Highlighting is not supported with the '{}' operator."),
    (("tracking",), "Term tracking is not supported with the '{}' operator."),
)


def _vector_options(search: Mapping[str, Any], at: At, found: Found) -> None:
    """Vector operators bring their own order and no terms."""
    if search.get("knnBeta") is not None and search.get("sortBetaV1") is not None:
        text = "knnBeta is not allowed to be used with the sort option"
        found.append(bare_problem(at, text, "exclusive"))
    if search.get("vectorSearch") is not None:
        for options, text in _REFUSED_WITH_VECTORS:
            if any(search.get(option) is not None for option in options):
                found.append(bare_problem(at, text.format("vectorSearch"), "exclusive"))


def _stored_scope(search: Mapping[str, Any], at: At, found: Found) -> None:
    if search.get("returnScope") is not None and search.get("returnStoredSource") is not True:
        text = "Set returnStoredSource to true if returnScope is non-empty"
        found.append(bare_problem(at, text, "scope"))


def _scopes(search: Mapping[str, Any], at: At, found: Found) -> None:
    """Only a few queries join levels: the walk is spared where nothing can be wrong."""
    returned = search.get("returnScope")
    facet = search.get("facet")
    searched = search if facet is None else (facet.get("operator") or {})
    names = given_operators(searched)
    if names:
        scope = None if returned is None else Scope("returnScope.path", returned["path"])
        check_scopes(names[0], searched[names[0]], scope, at, found)


_OPTIONS: Final = (
    _Searched(),
    field("index", Text(empty=False)),
    field("count", COUNT),
    field("highlight", HIGHLIGHT),
    at_most_one(field("sortBetaV1", Sort(meta=False)), field("sort", Sort())),
    at_most_one(
        field("searchBefore", Token()),
        field("searchAfter", Token()),
        listed=("searchAfter", "searchBefore"),
    ),
    field("scoreDetails", Boolean()),
    field("returnStoredSource", Boolean()),
    field("concurrent", Boolean()),
    field("tracking", Document(required("searchTerms", Text()))),
    field("returnScope", Document(required("path", PLAIN_PATH))),
    SEARCH_NODE_PREFERENCE,
    Rule(_vector_options, *(option for options, _ in _REFUSED_WITH_VECTORS for option in options)),
)

_SCOPES: Final = Rule(_scopes, *OPERATORS, "facet", "returnScope")

SEARCH_STAGE: Final = Document(*_OPTIONS, Rule(_stored_scope, "returnScope", "returnStoredSource"), _SCOPES)
SEARCH_META_STAGE: Final = Document(*_OPTIONS, _SCOPES)
