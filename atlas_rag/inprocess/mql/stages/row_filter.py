"""Filters whose `$expr` clauses see the whole row and the variables of the pipeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Scope
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.mql.values import Document, is_truthy
from atlas_rag.inprocess.mql.values.row import Row


class RowFilter:
    """A filter of a stage.

    Attributes:
        predicate: says whether a document matches, where the filter has no expressions.
        has_expressions: whether rows must be asked with `keeps`.
    """

    def __init__(self, query: Mapping[str, Any], scope: Scope) -> None:
        self._scope = scope
        self._row = Row({})
        self._variables: Mapping[str, Any] = {}
        self.has_expressions = False
        self.predicate = compile_filter(query, self._compile)

    def keeps(self, row: Row, variables: Mapping[str, Any]) -> bool:
        """Whether a row matches."""
        self._row, self._variables = row, variables
        return self.predicate(row.doc)

    def _compile(self, argument: Any) -> Callable[[Document], bool]:
        self.has_expressions = True
        expression: Evaluate = compile_expression(argument, self._scope)
        return lambda _: is_truthy(expression(self._row, self._variables))
