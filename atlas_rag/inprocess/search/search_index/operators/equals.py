"""The `equals` and `in` operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list, plain_paths
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.operators.values import value_query, values_query
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.wrappers import Constant


def build_equals(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of an `equals` document."""
    return scored(value_query(spec["path"], spec["value"], context), spec, context)


def build_in(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of an `in` document: one constant score over all paths and values."""
    values = as_list(spec["value"])
    parts = [values_query(path, values, context) for path in plain_paths(spec["path"])]
    return scored(Constant(should(parts)), spec, context)
