"""The `compound` operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import (
    FILTER,
    MAX_CLAUSES,
    MUST,
    MUST_NOT,
    SHOULD,
    Boolean,
    Clause,
    TooManyClauses,
    boolean,
)
from atlas_rag.inprocess.search.search_index.queries.dismax import DisjunctionMax
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchAll

_KINDS = (("filter", FILTER), ("must", MUST), ("mustNot", MUST_NOT), ("should", SHOULD))


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `compound` document."""
    clauses = [
        Clause(occur, context.build(operator))
        for name, occur in _KINDS
        if spec.get(name) is not None
        for operator in as_list(spec[name])
    ]
    if len(clauses) > MAX_CLAUSES:
        raise TooManyClauses
    minimum = int(spec.get("minimumShouldMatch") or 0)
    dismax = (spec.get("score") or {}).get("dismax")
    if dismax is not None:
        return _best_of(clauses, dismax.get("tieBreakerScore"), minimum)
    if all(clause.occur is MUST_NOT for clause in clauses):
        clauses.insert(0, Clause(FILTER, MatchAll()))
    return scored(Boolean(tuple(clauses), minimum), spec, context)


def _best_of(clauses: Sequence[Clause], tie: float | None, minimum: int) -> Query:
    """The best clause counts, of documents that match enough of them."""
    best = DisjunctionMax(tuple(clause.query for clause in clauses), 1.0 if tie is None else float(tie))
    if minimum < 2:  # to match one is to match at all
        return best
    return boolean([(MUST, best), (FILTER, Boolean(tuple(clauses), minimum))])
