"""What the stage `$vectorSearch` and the operator `vectorSearch` have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import (
    POSITIVE,
    Anything,
    Boolean,
    Document,
    Int32,
    ListOf,
    Rule,
    Text,
    field,
    is_document,
    is_string,
    required,
    type_name,
    within,
)
from atlas_rag.grammar.kit.documents import Entry, Field
from atlas_rag.grammar.problem import At, Found, bare_problem, problem
from atlas_rag.grammar.vectors import QUERY_VECTOR, check_finite

NUM_CANDIDATES: Final = within(1, 10000)


class _EmbeddedQuery:
    """A text for automated embedding: a string or `{text}`; its problems are worded as at the root."""

    _document = Document(field("text", Text()))

    def check(self, value: Any, at: At, found: Found) -> None:
        if is_document(value):
            self._document.check(value, None, found)
        elif not is_string(value):
            text = f"query must be a string or document, but got {type_name(value)}"
            found.append(bare_problem(at, text, "type"))


class _ScoreMode:
    """How scores of nested vectors become one."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_string(value):
            found.append(problem(at, "must be a string", "type"))
        elif value not in ("max", "avg"):
            text = f'scoreMode: "{value}" is not supported. Accepted values are "max" or "avg"'
            found.append(bare_problem(at, text, "enum"))


def _one_query(query: Mapping[str, Any], at: At, found: Found) -> None:
    text, vector = query.get("query"), query.get("queryVector")
    if query.get("model") is not None and text is None:
        message = "model can only be specified when using 'query' for auto-embedding, not with 'queryVector'"
        found.append(problem(at, message, "exclusive"))
    elif (text is None) == (vector is None):
        message = "Exactly one and only one of query and queryVector can be present"
        found.append(problem(at, message, "one-of"))


def _finite_vector(query: Mapping[str, Any], at: At, found: Found) -> None:
    if query.get("queryVector") is not None:
        check_finite(query["queryVector"], at, found)


def _enough_candidates(query: Mapping[str, Any], at: At, found: Found) -> None:
    candidates = query.get("numCandidates")
    if candidates is None:
        found.append(problem(at, "numCandidates is required for approximate vector search", "required"))
    elif query["limit"] > candidates:
        found.append(problem(at, "limit should be less than or equal to numCandidates", "bounds"))


def _no_candidates(query: Mapping[str, Any], at: At, found: Found) -> None:
    if query.get("numCandidates") is not None:
        found.append(problem(at, '"numCandidates" must be omitted when "exact" is set to true', "exclusive"))


_FINITE: Final = Rule(_finite_vector, "queryVector")

_TRACE: Final = field(
    "explainOptions",
    Document(field("traceDocumentIds", ListOf(Anything(), empty=False))),
)


class VectorDocument:
    """A vector query: exact or approximate, which differ in what they need and take."""

    __slots__ = ("_approximate", "_exact", "names")

    def __init__(self, exact: Document, approximate: Document) -> None:
        self._exact, self._approximate = exact, approximate
        self.names = exact.names | approximate.names

    def check(self, value: Any, at: At, found: Found) -> None:
        exact = is_document(value) and value.get("exact") is True
        (self._exact if exact else self._approximate).check(value, at, found)


def vector_document(
    *first: Entry, filters: tuple[Field, ...], last: tuple[Field, ...] = ()
) -> VectorDocument:
    """A vector query.

    Args:
        first: what is read before the vector.
        filters: `filter` and `parentFilter` in their own language.
        last: what is read after everything else.
    """
    shared: tuple[Entry, ...] = (
        *first,
        field("query", _EmbeddedQuery()),
        field("queryVector", QUERY_VECTOR),
        field("model", Text(empty=False)),
        Rule(_one_query, "query", "queryVector", "model"),
        *filters,
        required("limit", Int32(POSITIVE)),
        field("numCandidates", Int32(NUM_CANDIDATES)),
        field("exact", Boolean()),
        field("returnStoredSource", Boolean()),
        field("nestedOptions", Document(field("scoreMode", _ScoreMode()))),
        *last,
    )
    return VectorDocument(
        Document(*shared, Rule(_no_candidates, "numCandidates"), _FINITE),
        Document(*shared, _TRACE, Rule(_enough_candidates, "limit", "numCandidates"), _FINITE),
    )
