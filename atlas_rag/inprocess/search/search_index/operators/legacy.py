"""The legacy `term` and `search` operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.search.algorithms.patterns.regexp import compile_regexp
from atlas_rag.inprocess.search.algorithms.patterns.wildcard import compile_wildcard
from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list
from atlas_rag.inprocess.search.search_index.operators.field_query import require_positions
from atlas_rag.inprocess.search.search_index.operators.query_string import bool_true
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.operators.text import terms
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.fuzzy import Fuzzy
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing, Term
from atlas_rag.inprocess.search.search_index.queries.phrase import Phrase
from atlas_rag.inprocess.search.search_index.queries.termsets import Pattern

_FUZZY_EXPANSIONS = 256
_PHRASE_EXPANSIONS = 50


def build_term(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `term` document: each query normalised to one term of each path."""
    parts: list[Query] = [
        term_query(spec, field, field.search_analyzer.normalize(text))
        for text in as_list(spec["query"])
        for field in context.strings(spec["path"])
    ]
    return scored(should(parts) if parts else MatchNothing("no fields"), spec, context)


def term_query(spec: Mapping[str, Any], field: StringField, term: str) -> Term | Pattern | Fuzzy:
    """Builds the query of one normalised term: itself, or all that a prefix, pattern or fuzziness allows."""
    if spec.get("prefix"):
        return Pattern(field.name, f"{term}*", term, bool_true)
    if spec.get("wildcard"):
        compiled = compile_wildcard(term)
        return Pattern(field.name, term, compiled.prefix, compiled.accepts)
    if spec.get("regex"):
        compiled = compile_regexp(term)
        return Pattern(field.name, f"/{term}/", compiled.prefix, compiled.accepts)
    fuzzy = spec.get("fuzzy")
    if fuzzy is None:
        return Term(field.name, term)
    edits, expansions = fuzzy.get("maxEdits"), fuzzy.get("maxExpansions")
    return Fuzzy(
        field.name,
        term,
        2 if edits is None else int(edits),
        int(fuzzy.get("prefixLength") or 0),
        _FUZZY_EXPANSIONS if expansions is None else int(expansions),
    )


def build_search(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `search` document: analysed terms, or a phrase that may end in a prefix."""
    options = spec.get("phrase")
    parts = []
    for text in as_list(spec["query"]):
        for field in context.strings(spec["path"]):
            part = terms(field, text) if options is None else _phrase(field, text, options, context)
            if part is not None:
                parts.append(part)
    return scored(should(parts) if parts else MatchNothing("empty"), spec, context)


def _phrase(field: StringField, text: str, options: Mapping[str, Any], context: Context) -> Query | None:
    words, positions = field.search_analyzer.terms(text)
    if not words:
        return None
    places: list[tuple[str, ...]] = [(word,) for word in words]
    if options.get("prefix"):
        limit = options.get("maxExpansions")
        limit = _PHRASE_EXPANSIONS if limit is None else int(limit)
        places[-1] = _with_prefix(field.name, words[-1], limit, context)
        if not places[-1]:
            return MatchNothing("no terms")
    if len(places) > 1:
        require_positions(field)
    return Phrase(field.name, tuple(places), tuple(positions), int(options.get("slop") or 0))


def _with_prefix(field: str, prefix: str, limit: int, context: Context) -> tuple[str, ...]:
    """Returns the first terms of a field that begin with a prefix, in code point order."""
    view = context.partition.view(field)
    if view is None:
        return ()
    return tuple(Pattern(field, f"{prefix}*", prefix, bool_true).chosen(view)[:limit])
