"""The `embeddedDocument`, `hasAncestor` and `hasRoot` operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.names import ROOT_SCOPE, Scope
from atlas_rag.inprocess.search.search_index.operators.context import Context
from atlas_rag.inprocess.search.search_index.operators.score import apply_score
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.block_join import Aggregate, ToChild, ToParent
from atlas_rag.inprocess.search.search_index.queries.boolean import MUST, boolean
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchAll
from atlas_rag.inprocess.search.search_index.queries.wrappers import Constant


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of an `embeddedDocument` document."""
    scope = embedded_scope(spec["path"], "embeddedDocument", context)
    inner = context.within(scope).build(spec["operator"])
    score = spec.get("score") or {}
    embedded = score.get("embedded") or {}
    aggregate = Aggregate(embedded.get("aggregate") or "sum")
    joined = ToParent(inner, scope.number, context.scope.number, aggregate)
    option = embedded.get("outerScore") if score.get("embedded") is not None else score
    return apply_score(joined, option, context) if option else joined


def embedded_scope(path: str, operator: str, context: Context) -> Scope:
    """Returns the scope of an embedded path; refuses a path that is not mapped as one."""
    scope = context.mapping.scopes.get(path)
    if scope is None or not path:
        raise EngineRefusal(f"{operator} requires path '{path}' to be indexed as 'embeddedDocuments'")
    return scope


def build_has_ancestor(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `hasAncestor` document."""
    return _joined(spec, embedded_scope(spec["ancestorPath"], "hasAncestor", context), context)


def build_has_root(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `hasRoot` document."""
    return _joined(spec, ROOT_SCOPE, context)


def _joined(spec: Mapping[str, Any], scope: Scope, context: Context) -> Query:
    """The score of the ancestor plus a constant 1, as the engine adds."""
    inner = context.within(scope).build(spec["operator"])
    query = boolean([(MUST, inner), (MUST, Constant(MatchAll()))])
    joined = ToChild(query, scope.number, context.scope.number)
    option = spec.get("score")
    if option is None:
        return joined
    if option.get("embedded") is not None:  # the parser takes it; there is one ancestor, nothing to aggregate
        raise EngineRefusal("'embedded' score is not allowed for this query type")
    return apply_score(joined, option, context)
