"""Prefilters of vector search: indexed values, and the filter language over them."""

from __future__ import annotations

from atlas_rag.engines.local.vector.filters.columns import FilterColumn
from atlas_rag.engines.local.vector.filters.language import Columns, matching

__all__ = ["Columns", "FilterColumn", "matching"]
