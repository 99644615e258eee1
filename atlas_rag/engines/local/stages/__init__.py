"""Aggregation stages and the executor that runs them. Importing this package registers every stage."""

from atlas_rag.engines.local.expressions import operators
from atlas_rag.engines.local.stages import flow, group, joins, search, shapes, sources, unwind
from atlas_rag.engines.local.stages.executor import Collection, Context, Database, Row, Target, run, run_rows

__all__ = [
    "Collection",
    "Context",
    "Database",
    "Row",
    "Target",
    "flow",
    "group",
    "joins",
    "operators",
    "run",
    "run_rows",
    "search",
    "shapes",
    "sources",
    "unwind",
]
