"""Pipelines as updates: one document in, one document out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.mql.expressions.scope import Scope
from atlas_rag.inprocess.mql.stages.context import Context
from atlas_rag.inprocess.mql.stages.pipeline import compile_pipeline
from atlas_rag.inprocess.mql.values import Document
from atlas_rag.inprocess.mql.values.row import Row

UpdateFunction = Callable[[Document, Mapping[str, Any]], Document]


def compile_update(pipeline: Sequence[Any], context: Context, variables: frozenset[str]) -> UpdateFunction:
    """Returns a function of a document and the values of the variables.

    Raises:
        CommandError: code 72 for a stage that an update may not have, else what the stages refuse.
    """
    scope = Scope(release=context.release, variables=variables | frozenset(context.variables))
    compiled = compile_pipeline(pipeline, context, None, scope=scope, within="update")

    def update(document: Document, values: Mapping[str, Any]) -> Document:
        given = {**context.system_variables(), **values}
        return next(compiled.run_on(iter((Row(document),)), given)).doc

    return update
