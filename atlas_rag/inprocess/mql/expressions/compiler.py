"""Turns an expression, as sent, into a function of a row and its variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.fields import check_field_name, compile_path
from atlas_rag.inprocess.mql.expressions.folding import fold
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import MISSING, Document
from atlas_rag.inprocess.rendering import render

Compile = Callable[[Any, Scope], Evaluate]

OPERATORS: dict[str, Compile] = {}
# Operators that a later release brought, with that release.
FLOORS: dict[str, tuple[int, int]] = {}


def compile_expression(expression: Any, scope: Scope) -> Evaluate:
    """Returns the compiled expression; a `Constant` if its value does not depend on the row.

    Raises:
        CommandError: code 168 for an unknown operator, else what the operator's parser says.
        FoldingError: a constant part cannot be computed.
    """
    if isinstance(expression, str) and expression.startswith("$"):
        return compile_path(expression, scope)
    if isinstance(expression, Mapping):
        return _compile_document(expression, scope)
    if isinstance(expression, list):
        return _compile_array(expression, scope)
    return Constant(expression)


def is_known(name: str, scope: Scope) -> bool:
    """True if the release has an operator of this name (with its dollar)."""
    return name in OPERATORS and FLOORS.get(name, (0, 0)) <= scope.release


def _compile_document(expression: Document, scope: Scope) -> Evaluate:
    name = next(iter(expression), "")
    if name.startswith("$"):
        return compile_operator(expression, scope)
    return compile_object(expression, scope)


def compile_operator(expression: Document, scope: Scope) -> Evaluate:
    """Compiles `{$operator: argument}`."""
    name = next(iter(expression))
    if len(expression) != 1:
        text = f"An object representing an expression must have exactly one field: {render(dict(expression))}"
        raise CommandError(15983, text)
    if not is_known(name, scope):
        raise CommandError(168, f"Unrecognized expression '{name}'")
    return OPERATORS[name](expression[name], scope)


def compile_object(expression: Document, scope: Scope) -> Evaluate:
    """Compiles a document of expressions; what is missing leaves no field."""
    fields = []
    for name, value in expression.items():
        check_field_name(name)
        fields.append((name, compile_expression(value, scope)))

    def evaluate(row: Any, variables: Any) -> dict[str, Any]:
        computed = ((name, value(row, variables)) for name, value in fields)
        return {name: value for name, value in computed if value is not MISSING}

    if all(isinstance(value, Constant) for _, value in fields):
        return fold(lambda: evaluate(None, {}))
    return evaluate


def _compile_array(expression: list[Any], scope: Scope) -> Evaluate:
    items = [compile_expression(item, scope) for item in expression]

    def evaluate(row: Any, variables: Any) -> list[Any]:
        values = [item(row, variables) for item in items]
        return [None if value is MISSING else value for value in values]

    if all(isinstance(item, Constant) for item in items):
        return fold(lambda: evaluate(None, {}))
    return evaluate
