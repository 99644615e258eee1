"""Aggregation stages and the executor that runs them. Importing this package registers every stage."""

from atlas_rag.inprocess.mql.expressions import operators
from atlas_rag.inprocess.mql.stages import flow, search, unsupported, writing
from atlas_rag.inprocess.mql.stages.executor import Collection, Context, Database, Row, Target, run, run_rows
from atlas_rag.inprocess.mql.stages.gaps import densify, fill
from atlas_rag.inprocess.mql.stages.grouping import bucket, bucket_auto, group
from atlas_rag.inprocess.mql.stages.joining import facet, graph_lookup, lookup, union_with
from atlas_rag.inprocess.mql.stages.shaping import fields, redact, unwind
from atlas_rag.inprocess.mql.stages.sources import documents, geo_near, statistics
from atlas_rag.inprocess.mql.stages.update_pipeline import compile_update
from atlas_rag.inprocess.mql.stages.windows import stage as set_window_fields

__all__ = [
    "Collection",
    "Context",
    "Database",
    "Row",
    "Target",
    "bucket",
    "bucket_auto",
    "compile_update",
    "densify",
    "documents",
    "facet",
    "fields",
    "fill",
    "flow",
    "geo_near",
    "graph_lookup",
    "group",
    "lookup",
    "operators",
    "redact",
    "run",
    "run_rows",
    "search",
    "set_window_fields",
    "statistics",
    "union_with",
    "unsupported",
    "unwind",
    "writing",
]
