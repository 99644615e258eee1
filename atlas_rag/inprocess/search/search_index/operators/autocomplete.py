"""The `autocomplete` operator: grams that must match, and whole terms that add to the score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.fields.autocomplete import AutocompleteField
from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list
from atlas_rag.inprocess.search.search_index.operators.phrase import phrase
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.operators.text import joined, terms
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import MUST, SHOULD, boolean, should
from atlas_rag.inprocess.search.search_index.queries.leaves import Term
from atlas_rag.inprocess.search.search_index.queries.termsets import WithinEdits


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of an `autocomplete` document."""
    path = spec["path"]
    node = context.node(path)
    field = None if node is None else node.autocomplete
    if node is None or field is None:
        raise EngineRefusal(f"autocomplete index field definition not present at path {path}")
    _check_prefix(spec.get("fuzzy"), field)
    sequential = spec.get("tokenOrder") == "sequential"
    grams = [_grams(text, field, spec, sequential) for text in as_list(spec["query"])]
    clauses: list[tuple[Any, Query]] = [(MUST, should([query for query in grams if query is not None]))]
    if node.string is not None:
        exact = [
            phrase(node.string, text, 0) if sequential else terms(node.string, text)
            for text in as_list(spec["query"])
        ]
        whole = joined([query for query in exact if query is not None], SHOULD)
        if whole is not None:
            clauses.append((SHOULD, whole))
    return scored(boolean(clauses) if len(clauses) > 1 else clauses[0][1], spec, context)


def _check_prefix(fuzzy: Mapping[str, Any] | None, field: AutocompleteField) -> None:
    """Refuses a prefix that no gram is longer than: nothing would be left to differ in."""
    if fuzzy is not None and int(fuzzy.get("prefixLength") or 0) > field.longest:
        raise EngineRefusal("minimum fuzzy prefix length must be less than the maximum indexed token length")


def _grams(text: str, field: AutocompleteField, spec: Mapping[str, Any], sequential: bool) -> Query | None:
    words = [] if sequential else field.analyzer.terms(text)[0]
    searched = list(dict.fromkeys(field.search_term(word) for word in [*words, text]))
    fuzzy = spec.get("fuzzy")
    return joined([_gram(term, field, fuzzy) for term in searched], SHOULD)


def _gram(term: str, field: AutocompleteField, fuzzy: Mapping[str, Any] | None) -> Query:
    if fuzzy is None:
        return Term(field.name, term)
    edits, prefix = fuzzy.get("maxEdits"), int(fuzzy.get("prefixLength") or 0)
    if len(term) <= prefix:
        return Term(field.name, term)
    return WithinEdits(field.name, term, 2 if edits is None else int(edits), prefix)
