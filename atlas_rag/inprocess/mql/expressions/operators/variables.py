"""`$let`, `$literal`, `$meta`, `$rand`."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import check_names, named, require
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.define import special
from atlas_rag.inprocess.mql.expressions.fields import check_variable_name
from atlas_rag.inprocess.mql.expressions.metadata import compile_meta
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope

special("$meta")(compile_meta)


@special("$let")
def let(argument: Any, scope: Scope) -> Evaluate:
    """Gives names to values for the time of one expression; they do not see each other."""
    given = named(argument, 16874, "$let only supports an object as its argument")
    check_names(given, ("vars", "in"), (16875, "Unrecognized parameter to $let: {}"))
    require(given, "Missing '{}' parameter to $let", {"vars": 16876, "in": 16877})
    names = given["vars"]
    if isinstance(names, list):  # to the server a document with the names "0", "1", …
        names = {str(at): value for at, value in enumerate(names)}
    if not isinstance(names, Mapping):
        raise CommandError(10065, "invalid parameter: expected an object (vars)")
    bindings = [(name, compile_expression(value, scope)) for name, value in names.items()]
    for name in names:
        check_variable_name(name)
    body = compile_expression(given["in"], scope.with_variables(*names))
    if not bindings:
        return body

    def evaluate(row: Any, variables: Any) -> Any:
        bound = {name: value(row, variables) for name, value in bindings}
        return body(row, {**variables, **bound})

    return evaluate


@special("$literal", "$const")
def literal(argument: Any, scope: Scope) -> Evaluate:
    """The argument itself, dollars and all."""
    return Constant(argument)


@special("$rand")
def rand(argument: Any, scope: Scope) -> Evaluate:
    """A new number in [0, 1) for each document."""
    if not isinstance(argument, (Mapping, list)):
        raise CommandError(10065, "invalid parameter: expected an object ($rand)")
    if argument:
        raise CommandError(3040501, "$rand does not currently accept arguments")
    return lambda row, variables: random.random()  # noqa: S311 - a sample, not a secret
