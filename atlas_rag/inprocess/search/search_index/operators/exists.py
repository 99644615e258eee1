"""The `exists` operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.search.search_index.operators.context import Context
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.leaves import Term
from atlas_rag.inprocess.search.search_index.queries.wrappers import Constant


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of an `exists` document: the path is in the document's list of paths."""
    return scored(Constant(Term(context.scope.paths_field, spec["path"])), spec, context)
