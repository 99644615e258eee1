"""The deprecated `span` operator: terms of one field, and how they stand to one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list
from atlas_rag.inprocess.search.search_index.operators.field_query import require_positions
from atlas_rag.inprocess.search.search_index.operators.legacy import term_query
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.fuzzy import Fuzzy
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing, Term
from atlas_rag.inprocess.search.search_index.queries.spans import (
    ApartFrom,
    Containing,
    Either,
    EndingBy,
    Near,
    SpanNode,
    Spans,
    TermSpans,
)
from atlas_rag.inprocess.search.search_index.queries.termsets import Pattern
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost

DEFAULT_END = 3


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `span` document; boosts within it have no effect, as in Lucene."""
    reader = _Reader(context)
    root = reader.node(spec)
    field = reader.field
    query: Query = MatchNothing("no fields") if field is None else Spans(field, root)
    (body,) = (body for body in spec.values() if body is not None)
    score = body.get("score")
    if score is None:
        return query
    factor = (score.get("boost") or {}).get("value")
    if factor is None:
        raise EngineRefusal("Only 'boost' score is allowed for a span query")
    return Boost(query, float(factor))


class _Reader:
    """Turns span documents into nodes, all of one field."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.field: str | None = None

    def node(self, spec: Mapping[str, Any]) -> SpanNode:
        match {name: body for name, body in spec.items() if body is not None}:
            case {"near": near}:
                parts = self._all(near["clauses"])
                if len(parts) < 2:
                    raise EngineRefusal(f"Less than 2 subSpans.size():{len(parts)}")
                return Near(parts, int(near.get("slop") or 0), bool(near.get("inOrder")))
            case {"or": alternatives}:
                return Either(self._all(alternatives["clauses"]))
            case {"first": first}:
                return EndingBy(self.node(first["operator"]), int(first.get("endPositionLte") or DEFAULT_END))
            case {"subtract": parts}:
                return ApartFrom(self.node(parts["include"]), self.node(parts["exclude"]))
            case {"contains": parts}:
                both = self.node(parts["big"]), self.node(parts["little"])
                return Containing(both, parts["spanToReturn"] == "outer")
        return self._term(spec["term"])

    def _all(self, clauses: list[Mapping[str, Any]]) -> tuple[SpanNode, ...]:
        return tuple(self.node(clause) for clause in clauses)

    def _term(self, spec: Mapping[str, Any]) -> SpanNode:
        found: list[str] = []
        for text in as_list(spec["query"]):
            for field in self._context.strings(spec["path"]):
                require_positions(field)
                if self.field not in (None, field.name):
                    raise EngineRefusal("Clauses must have same field.")
                self.field = field.name
                found += self._terms(term_query(spec, field, field.search_analyzer.normalize(text)))
        nodes = tuple(TermSpans(self.field or "", term) for term in found)
        return nodes[0] if len(nodes) == 1 else Either(nodes)

    def _terms(self, query: Term | Pattern | Fuzzy) -> list[str]:
        """The indexed terms that a term query stands for."""
        if isinstance(query, Term):
            return [query.term]
        view = self._context.partition.view(query.field)
        if view is None:
            return []
        return query.expansion(view) if isinstance(query, Fuzzy) else list(query.chosen(view))
