"""Prefilters of vector search: indexed values, and the filter language over them."""

from __future__ import annotations

from atlas_rag.inprocess.search.vector_index.filters.columns import FilterColumn
from atlas_rag.inprocess.search.vector_index.filters.language import Columns, matching

__all__ = ["Columns", "FilterColumn", "matching"]
