"""How operators are defined: a plain function of values, and how many operands it takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import FLOORS, OPERATORS, compile_expression
from atlas_rag.inprocess.mql.expressions.folding import computes_ahead, fold, parsing_constant, parsing_only
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope, Variables
from atlas_rag.inprocess.mql.values.row import Row

Function = Callable[..., Any]


def operator(
    name: str,
    least: int = 1,
    most: int | None = None,
    *,
    release: tuple[int, int] = (0, 0),
    lazy: bool = False,
) -> Callable[[Function], Function]:
    """Registers a function of values as the operator `name`.

    Args:
        least: the fewest operands; also the most, unless `most` says otherwise.
        most: the most operands; -1 for any number.
        release: the first server release that has the operator.
        lazy: the function takes an iterator of values, see `lazy_call`.
    """
    highest = least if most is None else most

    def register(function: Function) -> Function:
        def compile_call(argument: Any, scope: Scope) -> Evaluate:
            operands = compile_operands(argument, scope)
            check_count(name, len(operands), least, highest)
            return lazy_call(function, operands) if lazy else call(function, operands)

        OPERATORS[name] = compile_call
        FLOORS[name] = release
        return function

    return register


class AssociativeCall:
    """The call of a function of an iterator of values, whose operands another call may take over."""

    __slots__ = ("function", "name", "operands")

    def __init__(self, name: str, function: Function, operands: list[Evaluate]) -> None:
        self.name, self.function, self.operands = name, function, operands

    def __call__(self, row: Row, variables: Variables) -> Any:
        return self.function(operand(row, variables) for operand in self.operands)


def associative(name: str, *, commutative: bool) -> Callable[[Function], Function]:
    """Registers a function of an iterator of values, whose operands the server rearranges before it runs.

    Nested calls of the same operator become one; constants are folded together, those of a commutative
    operator all of them and behind the rest. This decides how sums round and which operand is met first.
    """

    def register(function: Function) -> Function:
        def compile_call(argument: Any, scope: Scope) -> Evaluate:
            operands = flattened_operands(name, argument, scope)
            return associative_call(name, function, operands, commutative=commutative)

        OPERATORS[name] = compile_call
        return function

    return register


def associative_call(
    name: str, function: Function, operands: list[Evaluate], *, commutative: bool
) -> Evaluate:
    """Returns the call of an operator that `associative` describes, on operands already flattened."""
    values = constant_values(operands)
    if values is not None:
        return fold(lambda: function(iter(values)))
    if computes_ahead():
        operands = _with_constants_folded(function, operands, commutative)
    return AssociativeCall(name, function, operands)


def flattened_operands(name: str, argument: Any, scope: Scope) -> list[Evaluate]:
    """Compiles the operands, those of nested calls of the same operator in their place."""
    flattened: list[Evaluate] = []
    for operand in compile_operands(argument, scope):
        if isinstance(operand, AssociativeCall) and operand.name == name:
            flattened += operand.operands
        else:
            flattened.append(operand)
    return flattened


def _with_constants_folded(function: Function, operands: list[Evaluate], commutative: bool) -> list[Evaluate]:
    folded: list[Evaluate] = []
    constants: list[Evaluate] = []
    for operand in operands:
        if isinstance(operand, Constant):
            constants.append(operand)
            continue
        if not commutative:
            folded += _one_constant(function, constants)
            constants = []
        folded.append(operand)
    return folded + _one_constant(function, constants)


def _one_constant(function: Function, constants: list[Evaluate]) -> list[Evaluate]:
    return [lazy_call(function, constants)] if len(constants) > 1 else constants


def special(
    *names: str, release: tuple[int, int] = (0, 0)
) -> Callable[[Callable[[Any, Scope], Evaluate]], Callable[[Any, Scope], Evaluate]]:
    """Registers a function that compiles the operator's whole argument itself."""

    def register(compile_call: Callable[[Any, Scope], Evaluate]) -> Callable[[Any, Scope], Evaluate]:
        for name in names:
            OPERATORS[name] = compile_call
            FLOORS[name] = release
        return compile_call

    return register


def compile_operands(argument: Any, scope: Scope) -> list[Evaluate]:
    """Compiles the operands: the elements of an array, or the one argument that is not an array."""
    operands = argument if isinstance(argument, list) else [argument]
    return [compile_expression(operand, scope) for operand in operands]


def compile_unfolded(expression: Any, scope: Scope) -> Evaluate:
    """Compiles an operand in which the server computes no constants ahead: they fail when evaluated."""
    with parsing_only():
        return compile_expression(expression, scope)


def constant_value(expression: Any, scope: Scope, code: int, text: str) -> Any:
    """Returns the value of what must be constant, computed while parsing; refused so if it is not."""
    with parsing_constant():
        compiled = compile_expression(expression, scope)
    if not isinstance(compiled, Constant):
        raise CommandError(code, text)
    return compiled.value


def check_count(name: str, count: int, least: int, most: int) -> None:
    """Checks a number of operands; `most` -1 is any. Raises 16020, 28667."""
    if least == most:
        if count != least:
            text = f"Expression {name} takes exactly {least} arguments. {count} were passed in."
            raise CommandError(16020, text)
    elif count < least or (most >= 0 and count > most):
        bounds = f"at least {least} arguments, and at most {most}, but {count} were passed in."
        raise CommandError(28667, f"Expression {name} takes {bounds}")


def constant_values(operands: list[Evaluate]) -> list[Any] | None:
    """Returns the values of operands that are all constants, else None."""
    constants = [operand for operand in operands if isinstance(operand, Constant)]
    return [constant.value for constant in constants] if len(constants) == len(operands) else None


def call(function: Function, operands: list[Evaluate]) -> Evaluate:
    """Returns the call of a function on operands, computed now if all of them are constants."""
    values = constant_values(operands)
    return unfolded_call(function, operands) if values is None else fold(lambda: function(*values))


def unfolded_call(function: Function, operands: list[Evaluate]) -> Evaluate:
    """Returns the call of a function on operands, computed for each document even if all are constants."""
    if len(operands) == 1:
        (only,) = operands
        return lambda row, variables: function(only(row, variables))
    if len(operands) == 2:
        first, second = operands
        return lambda row, variables: function(first(row, variables), second(row, variables))
    return lambda row, variables: function(*[operand(row, variables) for operand in operands])


def call_with_fallbacks(function: Function, operands: list[Evaluate], count: int) -> Evaluate:
    """Returns the call of a function whose last operands are for emergencies.

    It gets them as functions: an answer to null or to an error is evaluated only where it is needed.
    """
    first, last = operands[:-count], operands[-count:]

    def evaluate(row: Any, variables: Any) -> Any:
        later = [partial(operand, row, variables) for operand in last]
        return function(*[operand(row, variables) for operand in first], *later)

    return evaluate if constant_values(operands) is None else fold(lambda: evaluate(None, {}))


def lazy_call(function: Function, operands: list[Evaluate]) -> Evaluate:
    """Returns the call of a function that takes its operands from an iterator, and may stop before the last.

    What is not taken is not evaluated, and so cannot fail.
    """
    values = constant_values(operands)
    if values is not None:
        return fold(lambda: function(iter(values)))
    return lambda row, variables: function(operand(row, variables) for operand in operands)
