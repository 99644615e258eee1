"""`$redact`: keeps, prunes or looks into documents, level by level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.scope import Evaluate
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.values import MISSING, Document
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.shown import shown

_ANSWERS = {"KEEP": "keep", "PRUNE": "prune", "DESCEND": "descend"}


@stage("$redact")
def redact(argument: Any, build: Build) -> Run:
    """Asks an expression about each document and, where it says `$$DESCEND`, about those inside it."""
    # Field paths mean the level that is looked at, which is what CURRENT stands for.
    scope = build.scope.with_variables(*_ANSWERS, "CURRENT")
    expression = compile_expression(argument, scope)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        own = {**variables, **_ANSWERS}
        for row in rows:
            document = _redacted(row.doc, row, expression, own)
            if document is not MISSING:
                yield Row(document, row.meta)

    return run


def _redacted(level: Document, row: Row, expression: Evaluate, variables: dict[str, Any]) -> Any:
    answer = expression(row, {**variables, "CURRENT": level})
    if answer == "keep":
        return level
    if answer == "prune":
        return MISSING
    if answer != "descend":
        allowed = "should not return anything aside from the variables $$KEEP, $$DESCEND, and $$PRUNE"
        raise CommandError(17053, f"$redact's expression {allowed}, but returned {shown(answer)}")
    inside = ((name, _inside(value, row, expression, variables)) for name, value in level.items())
    return {name: value for name, value in inside if value is not MISSING}


def _inside(value: Any, row: Row, expression: Evaluate, variables: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return _redacted(value, row, expression, variables)
    if isinstance(value, list):
        items = (_inside(item, row, expression, variables) for item in value)
        return [item for item in items if item is not MISSING]
    return value
