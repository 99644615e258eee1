"""The `text` operator: analysed terms, each path and query string an alternative whose scores add up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.operators import field_query
from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.operators.synonyms import SynonymReader, automaton, with_exact
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import (
    MAX_CLAUSES,
    MUST,
    SHOULD,
    Boolean,
    Clause,
    Occur,
    TooManyClauses,
    should,
)
from atlas_rag.inprocess.search.search_index.queries.fuzzy import Fuzzy
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `text` document."""
    part_of = _reader(spec, context)
    parts = []
    for text in as_list(spec["query"]):
        for field in context.strings(spec["path"]):
            part = part_of(field, text)
            if part is not None:
                parts.append(part)
    return scored(should(parts) if parts else MatchNothing("empty"), spec, context)


def _reader(spec: Mapping[str, Any], context: Context) -> Callable[[StringField, str], Query | None]:
    """How a text of a field becomes a query: plainly, fuzzily, or in one of two ways with synonyms."""
    criteria, fuzzy, synonyms = spec.get("matchCriteria"), spec.get("fuzzy"), spec.get("synonyms")
    occur = MUST if criteria == "all" else SHOULD
    if fuzzy is not None:
        return lambda field, text: fuzzy_terms(field, text, fuzzy, occur)
    if synonyms is None:
        return lambda field, text: terms(field, text, occur)
    reader = SynonymReader(synonyms, context)
    if criteria is None and not context.new_synonyms:
        return lambda field, text: automaton(field, reader.segments(field, text))
    return lambda field, text: with_exact(
        field_query.terms(field, reader.steps(field, text), occur, best_way=True), terms(field, text, occur)
    )


def terms(field: StringField, text: str, occur: Occur = SHOULD) -> Query | None:
    """Builds the terms of a text in one field; None where the analyzer leaves nothing."""
    analyzer = field.search_analyzer
    if len(text) > LONG_TEXT:
        beginning = field_query.steps_of(analyzer, text[:LONG_TEXT])
        if sum(step.increment > 0 for step in beginning) > MAX_CLAUSES + 1:
            raise TooManyClauses
    return field_query.terms(field, field_query.steps_of(analyzer, text), occur)


LONG_TEXT = 300_000
"""Characters of a text whose beginning may already hold more terms than one query takes."""


def joined(queries: list[Query], occur: Occur) -> Query | None:
    """Joins queries as clauses of one kind; one stays bare, none is None."""
    if len(queries) < 2:
        return queries[0] if queries else None
    return Boolean(tuple(Clause(occur, query) for query in queries))


def fuzzy_terms(field: StringField, text: str, options: Mapping[str, Any], occur: Occur) -> Query | None:
    """Builds a fuzzy query for every analysed term of a text."""
    words, _ = field.search_analyzer.terms(text)
    return joined([fuzzy_term(field.name, word, options) for word in words], occur)


def fuzzy_term(field: str, word: str, options: Mapping[str, Any]) -> Fuzzy:
    """Builds the fuzzy query of one term, with the engine's defaults."""

    def number(name: str, default: int) -> int:
        value = options.get(name)
        return default if value is None else int(value)

    return Fuzzy(field, word, number("maxEdits", 2), number("prefixLength", 0), number("maxExpansions", 50))
