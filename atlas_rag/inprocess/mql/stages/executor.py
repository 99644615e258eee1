"""Runs aggregation pipelines: the one entrance for everything that holds documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from atlas_rag.inprocess.copies import given
from atlas_rag.inprocess.errors import CommandError, EngineRefusal
from atlas_rag.inprocess.mql.expressions.folding import parsing_only
from atlas_rag.inprocess.mql.expressions.scope import FoldingError, MissingMetadata, Scope
from atlas_rag.inprocess.mql.stages.context import Collection, Context, Database, Target
from atlas_rag.inprocess.mql.stages.pipeline import Pipeline, compile_pipeline
from atlas_rag.inprocess.mql.values.row import Row

__all__ = ["Collection", "Context", "Database", "Row", "Target", "compile_aggregate", "run", "run_rows"]

_AT_EXECUTION = "PlanExecutor error during aggregation"
# An index that is missing is told by the planner, which puts nothing before it.
_UNPREFIXED_CODES = frozenset({27})


def run(pipeline: Sequence[Any], context: Context, collection: str | None) -> Iterator[dict[str, Any]]:
    """Yields the documents an aggregation returns, each the caller's own copy.

    Raises:
        CommandError: before the first document for a pipeline that is malformed, out of place or unknown to
            the release; while documents are read for one that fails on a document, with the server's prefix.
            A refusal by the search engine has code 8.
    """
    for row in run_rows(pipeline, context, collection):
        yield given(row.doc)


def run_rows(
    pipeline: Sequence[Any], context: Context, collection: str | None, *, rows: Iterator[Row] | None = None
) -> Iterator[Row]:
    """Yields rows, which share their documents with the store.

    Args:
        rows: those of the collection that the first stage could pass, where fewer than all are known to be.
    """
    compiled = compile_aggregate(pipeline, context, collection)
    return _guarded(compiled, context, rows)


def compile_aggregate(pipeline: Sequence[Any], context: Context, collection: str | None) -> Pipeline:
    """Compiles an aggregation without running it; raises as `run` does before its first document."""
    scope = Scope(release=context.release, variables=frozenset(context.variables))
    try:
        return _compiled(pipeline, context, collection, scope)
    except MissingMetadata:
        _compiled(pipeline, context, collection, scope._replace(checks_metadata=False))
        raise


def _compiled(pipeline: Sequence[Any], context: Context, collection: str | None, scope: Scope) -> Pipeline:
    try:
        return compile_pipeline(pipeline, context, collection, scope=scope)
    except FoldingError as error:
        # What cannot be parsed comes first, wherever it stands.
        with parsing_only():
            compile_pipeline(pipeline, context, collection, scope=scope._replace(checks_metadata=False))
        raise error.within("Failed to optimize pipeline") from None


def _guarded(compiled: Pipeline, context: Context, rows: Iterator[Row] | None) -> Iterator[Row]:
    variables = context.system_variables()
    try:
        yield from compiled.run(variables) if rows is None else compiled.run_on(rows, variables)
    except CommandError as error:
        if error.code in _UNPREFIXED_CODES:
            raise
        raise error.within(_AT_EXECUTION) from None
    except EngineRefusal as refusal:
        raise CommandError(8, f"{_AT_EXECUTION} :: caused by :: {refusal.text}") from refusal
