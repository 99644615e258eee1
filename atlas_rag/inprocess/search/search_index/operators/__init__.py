"""The `$search` operators, one module each: an operator's document becomes a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.inprocess.search.search_index.operators import (
    autocomplete,
    compound,
    embedded,
    equals,
    exists,
    geo,
    legacy,
    more_like_this,
    near,
    pattern,
    phrase,
    query_string,
    span,
    text,
    vector,
)
from atlas_rag.inprocess.search.search_index.operators import range as range_operator
from atlas_rag.inprocess.search.search_index.operators.context import Context
from atlas_rag.inprocess.search.search_index.queries.base import Query

OPERATORS: Mapping[str, Callable[[Mapping[str, Any], Context], Query]] = {
    "autocomplete": autocomplete.build,
    "compound": compound.build,
    "embeddedDocument": embedded.build,
    "equals": equals.build_equals,
    "exists": exists.build,
    "geoShape": geo.build_shape,
    "geoWithin": geo.build_within,
    "hasAncestor": embedded.build_has_ancestor,
    "hasRoot": embedded.build_has_root,
    "in": equals.build_in,
    "knnBeta": vector.build_knn_beta,
    "moreLikeThis": more_like_this.build,
    "near": near.build,
    "phrase": phrase.build,
    "queryString": query_string.build,
    "range": range_operator.build,
    "regex": pattern.build_regex,
    "search": legacy.build_search,
    "span": span.build,
    "term": legacy.build_term,
    "text": text.build,
    "vectorSearch": vector.build_vector_search,
    "wildcard": pattern.build_wildcard,
}
