"""`term`, `search` and `span`: deprecated operators, read because old queries hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import (
    NOT_NEGATIVE,
    POSITIVE,
    Boolean,
    Document,
    Enum,
    Int32,
    Later,
    ListOf,
    Rule,
    exactly_one,
    field,
    required,
    within,
)
from atlas_rag.grammar.operators.common import QUERY, TEXTS
from atlas_rag.grammar.paths import has_wildcard
from atlas_rag.grammar.problem import At, Found, problem
from atlas_rag.grammar.scores import SCORE


def _no_wildcard(query: Mapping[str, Any], at: At, found: Found) -> None:
    if has_wildcard(query["path"]):
        text = "cannot have wildcards in path definition for this operator"
        found.append(problem(at, text, "path"))


def _one_way(query: Mapping[str, Any], at: At, found: Found) -> None:
    """A switch that is off counts as absent."""
    ways = [
        query.get("fuzzy") is not None,
        *(query.get(way) is True for way in ("prefix", "regex", "wildcard")),
    ]
    if sum(ways) > 1:
        found.append(problem(at, "only one of [fuzzy, prefix, regex, wildcard] may be present", "one-of"))


TERM: Final = Document(
    SCORE,
    TEXTS,
    QUERY,
    Rule(_no_wildcard, "path"),
    field(
        "fuzzy",
        Document(
            field("maxEdits", Int32(within(0, 2))),
            field("prefixLength", Int32(NOT_NEGATIVE)),
            field("maxExpansions", Int32(POSITIVE)),
        ),
    ),
    field("prefix", Boolean()),
    field("regex", Boolean()),
    field("wildcard", Boolean()),
    Rule(_one_way, "fuzzy", "prefix", "regex", "wildcard"),
)


def _expansions_need_prefix(phrase: Mapping[str, Any], at: At, found: Found) -> None:
    if phrase.get("maxExpansions") is not None and phrase.get("prefix") is not True:
        text = "maxExpansions can only be present with prefix: true"
        found.append(problem(at, text, "exclusive"))


SEARCH: Final = Document(
    SCORE,
    TEXTS,
    QUERY,
    Rule(_no_wildcard, "path"),
    field(
        "phrase",
        Document(
            field("slop", Int32(within(0, 100))),
            field("prefix", Boolean()),
            field("maxExpansions", Int32(within(0, 1000))),
            Rule(_expansions_need_prefix, "maxExpansions", "prefix"),
        ),
    ),
)

_SPAN: Final = Later()
_CLAUSES: Final = required("clauses", ListOf(_SPAN, empty=False))

SPAN: Final = Document(
    exactly_one(
        field(
            "contains",
            Document(
                SCORE,
                required("little", _SPAN),
                required("big", _SPAN),
                required("spanToReturn", Enum("inner", "outer")),
            ),
        ),
        field(
            "first",
            Document(SCORE, required("operator", _SPAN), field("endPositionLte", Int32(POSITIVE))),
        ),
        field(
            "near",
            Document(SCORE, _CLAUSES, field("slop", Int32(NOT_NEGATIVE)), field("inOrder", Boolean())),
        ),
        field("or", Document(SCORE, _CLAUSES)),
        field("subtract", Document(SCORE, required("include", _SPAN), required("exclude", _SPAN))),
        field("term", TERM),
    )
)
_SPAN.define(SPAN)
