"""The `queryString` operator: Lucene's classic syntax over string paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.patterns.regexp import compile_regexp
from atlas_rag.inprocess.search.algorithms.patterns.wildcard import compile_wildcard
from atlas_rag.inprocess.search.algorithms.query_string import nodes
from atlas_rag.inprocess.search.algorithms.query_string.parser import parse
from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.operators.context import Context
from atlas_rag.inprocess.search.search_index.operators.phrase import phrase
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.operators.text import terms
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import (
    MUST,
    MUST_NOT,
    SHOULD,
    Boolean,
    Clause,
    Occur,
    TooManyClauses,
)
from atlas_rag.inprocess.search.search_index.queries.fuzzy import Fuzzy
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchAll, MatchNothing
from atlas_rag.inprocess.search.search_index.queries.phrase import Phrase
from atlas_rag.inprocess.search.search_index.queries.termsets import Pattern, TermRange
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost

_OCCURS: Mapping[str, Occur] = {"must": MUST, "should": SHOULD, "mustNot": MUST_NOT}
_MAX_EXPANSIONS = 50


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `queryString` document."""
    if not spec["defaultPath"]:
        raise EngineRefusal("defaultField cannot be empty")
    group = parse(spec["query"], spec["defaultPath"])
    try:
        query = _Builder(context, spec["query"]).group(group)
    except TooManyClauses:
        raise EngineRefusal(f"Cannot parse '{spec['query']}': too many boolean clauses") from None
    return scored(MatchNothing("empty") if query is None else query, spec, context)


class _Builder:
    """Makes queries of parsed nodes.

    Args:
        text: the whole query string, for messages.
    """

    def __init__(self, context: Context, text: str) -> None:
        self._context = context
        self._text = text

    def group(self, group: nodes.Group) -> Query | None:
        """Builds a parenthesised group; a single clause stays bare, none at all is None."""
        queries = [self._node(clause.node) for clause in group.clauses]
        clauses: list[Clause] = []
        for (occur, query), spread in zip(
            nodes.occurrences(group, queries), _spreads(group, queries), strict=True
        ):
            parts = _spread_terms(query) if spread else [query]
            clauses.extend(Clause(_OCCURS[occur], part) for part in parts)
        if not clauses:
            return None
        if len(clauses) == 1 and clauses[0].occur is SHOULD:
            return clauses[0].query
        return Boolean(tuple(clauses))

    def _node(self, node: nodes.Node) -> Query | None:
        if isinstance(node, nodes.Group):
            return self.group(node)
        if isinstance(node, nodes.Boosted):
            inner = self._node(node.node)
            return None if inner is None else Boost(inner, node.boost)
        if isinstance(node, nodes.Everything):
            return MatchAll()
        (field,) = self._context.strings(node.field) or (None,)
        if isinstance(node, nodes.Regexp):
            self._check_regexp(node.pattern)
        return MatchNothing("no such field") if field is None else _leaf(node, field)

    def _check_regexp(self, pattern: str) -> None:
        try:
            compile_regexp(pattern)
        except EngineRefusal:
            problem = f"'{pattern}' is not a valid regular expression"
            raise EngineRefusal(f"Cannot parse '{self._text}': {problem}") from None


def _leaf(node: nodes.Node, field: StringField) -> Query | None:
    analyzer = field.search_analyzer
    match node:
        case nodes.Words(text=text):
            return terms(field, text)
        case nodes.Phrase(text=text, slop=slop):
            found = phrase(field, text, 0)
            return replace(found, slop=slop) if isinstance(found, Phrase) else found
        case nodes.Prefix(text=text):
            normal = analyzer.normalize(text)
            return Pattern(field.name, f"{normal}*", normal, bool_true)
        case nodes.Wildcard(pattern=text):
            normal = analyzer.normalize(text)
            compiled = compile_wildcard(normal)
            return Pattern(field.name, normal, compiled.prefix, compiled.accepts)
        case nodes.Regexp(pattern=text):
            compiled = compile_regexp(text)
            return Pattern(field.name, f"/{text}/", compiled.prefix, compiled.accepts)
        case nodes.Fuzzy(text=text, similarity=similarity):
            normal = analyzer.normalize(text)
            edits = nodes.edits_of(similarity, len(normal))
            return Fuzzy(field.name, normal, edits, 0, _MAX_EXPANSIONS)
        case nodes.Range(low=low, high=high, include_low=include_low, include_high=include_high):
            first = None if low is None else analyzer.normalize(low)
            last = None if high is None else analyzer.normalize(high)
            return TermRange(field.name, first, last, include_low, include_high)
    raise TypeError(f"not a leaf: {node!r}")


def bool_true(term: str) -> bool:
    """Accepts every term: the prefix alone decides."""
    return True


def _spreads(group: nodes.Group, queries: list[Query | None]) -> list[bool]:
    pairs = zip(group.clauses, queries, strict=True)
    return [isinstance(clause.node, nodes.Words) and clause.node.spread for clause, query in pairs if query]


def _spread_terms(query: Query) -> list[Query]:
    """Bare words that analyse to several clauses join the enclosing group one by one."""
    return [clause.query for clause in query.clauses] if isinstance(query, Boolean) else [query]
