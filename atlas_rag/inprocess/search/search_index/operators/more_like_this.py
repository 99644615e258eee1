"""The `moreLikeThis` operator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from atlas_rag.inprocess.search.algorithms.more_like_this import MAX_TOKENS, telling_terms
from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing, Term


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `moreLikeThis` document: the telling terms of all documents given together."""
    counts: dict[str, Counter[str]] = {}
    for document in as_list(spec["like"]):
        for path, text in _strings(document, ""):
            for field in _fields(path, context):
                terms, _ = field.analyzer.terms(text)
                counts.setdefault(field.name, Counter()).update(islice(terms, MAX_TOKENS))
    partition = context.partition

    def doc_freq(field: str, term: str) -> int:
        return len(partition.postings(field, term).docs)

    chosen = telling_terms(counts, doc_freq, len(partition.documents.arrays.live))
    parts: list[Query] = [Term(entry.field, entry.term) for entry in chosen]
    return scored(should(parts) if parts else MatchNothing("no terms"), spec, context)


def _fields(path: str, context: Context) -> list[StringField]:
    """The string field of a path and all its alternatives."""
    node = context.node(path)
    field = None if node is None else node.string
    return [] if field is None else [field, *field.multi.values()]


def _strings(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _strings(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner, path)
