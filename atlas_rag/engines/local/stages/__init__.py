"""Aggregation stages and the executor that runs them. Importing this package registers every stage."""

from atlas_rag.engines.local.expressions import operators
from atlas_rag.engines.local.stages import (
    bucket_auto,
    flow,
    geo_near,
    graph_lookup,
    group,
    joins,
    redact,
    search,
    shapes,
    sources,
    unsupported,
    unwind,
    window,
    writing,
)
from atlas_rag.engines.local.stages.executor import Collection, Context, Database, Row, Target, run, run_rows
from atlas_rag.engines.local.stages.update_pipeline import compile_update

__all__ = [
    "Collection",
    "Context",
    "Database",
    "Row",
    "Target",
    "bucket_auto",
    "compile_update",
    "flow",
    "geo_near",
    "graph_lookup",
    "group",
    "joins",
    "operators",
    "redact",
    "run",
    "run_rows",
    "search",
    "shapes",
    "sources",
    "unsupported",
    "unwind",
    "window",
    "writing",
]
