"""How operators are defined: a plain function of values, and how many operands it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.engines.local.expressions.compiler import FLOORS, OPERATORS, compile_expression
from atlas_rag.engines.local.expressions.scope import Constant, Evaluate, FoldingError, Scope
from atlas_rag.engines.local.refusals import CommandError

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


def associative(name: str, *, commutative: bool) -> Callable[[Function], Function]:
    """Registers a function of an iterator of values, whose operands the server rearranges before it runs.

    Nested calls of the same operator become one; constants are folded together, those of a commutative
    operator all of them and behind the rest. This decides how sums round and which operand is met first.
    """

    def register(function: Function) -> Function:
        def compile_call(argument: Any, scope: Scope) -> Evaluate:
            operands = flattened_operands(name, argument, scope)
            if all(isinstance(operand, Constant) for operand in operands):
                return lazy_call(function, operands)
            return lazy_call(function, _with_constants_folded(function, operands, commutative))

        OPERATORS[name] = compile_call
        return function

    return register


def flattened_operands(name: str, argument: Any, scope: Scope) -> list[Evaluate]:
    """Compiles the operands, those of nested calls of the same operator in their place."""
    operands: list[Evaluate] = []
    for operand in argument if isinstance(argument, list) else [argument]:
        compiled = compile_expression(operand, scope)
        nested = isinstance(operand, Mapping) and name in operand
        if nested and not isinstance(compiled, Constant):
            operands += flattened_operands(name, operand[name], scope)
        else:
            operands.append(compiled)
    return operands


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


def check_count(name: str, count: int, least: int, most: int) -> None:
    """Checks a number of operands; `most` -1 is any. Raises 16020, 28667."""
    if least == most:
        if count != least:
            text = f"Expression {name} takes exactly {least} arguments. {count} were passed in."
            raise CommandError(16020, text)
    elif count < least or (most >= 0 and count > most):
        bounds = f"at least {least} arguments, and at most {most}, but {count} were passed in."
        raise CommandError(28667, f"Expression {name} takes {bounds}")


def call(function: Function, operands: list[Evaluate]) -> Evaluate:
    """Returns the call of a function on operands, computed now if all of them are constants."""
    if all(isinstance(operand, Constant) for operand in operands):
        return fold(lambda: function(*(operand.value for operand in operands)))  # type: ignore[attr-defined]
    if len(operands) == 1:
        (only,) = operands
        return lambda row, variables: function(only(row, variables))
    if len(operands) == 2:
        first, second = operands
        return lambda row, variables: function(first(row, variables), second(row, variables))
    return lambda row, variables: function(*[operand(row, variables) for operand in operands])


def lazy_call(function: Function, operands: list[Evaluate]) -> Evaluate:
    """Returns the call of a function that takes its operands from an iterator, and may stop before the last.

    What is not taken is not evaluated, and so cannot fail.
    """
    if all(isinstance(operand, Constant) for operand in operands):
        return fold(lambda: function(iter([operand.value for operand in operands])))  # type: ignore[attr-defined]
    return lambda row, variables: function(operand(row, variables) for operand in operands)


def fold(compute: Callable[[], Any]) -> Constant:
    """Returns a constant; its failure is one of the pipeline, not of a document."""
    try:
        return Constant(compute())
    except FoldingError:
        raise
    except CommandError as error:
        raise FoldingError(error.code, error.message, error.code_name) from None


class Options:
    """The named arguments of an operator that takes a document.

    Args:
        name: the operator, for messages.
        argument: what was sent.
        known: the names it may have, required ones first.
        codes: the server's codes for "not an object", "unknown argument" and "missing argument".
    """

    def __init__(
        self,
        name: str,
        argument: Any,
        known: tuple[str, ...],
        required: int,
        errors: Mapping[str, tuple[int, str]],
    ) -> None:
        self.name, self.errors = name, errors
        if not isinstance(argument, Mapping):
            raise self._error("shape", "")
        for key in argument:
            if key not in known:
                raise self._error("unknown", key)
        for key in known[:required]:
            if key not in argument:
                raise self._error("missing", key)
        self.given = argument

    def _error(self, kind: str, key: str) -> CommandError:
        code, text = self.errors[f"{kind} {key}"] if f"{kind} {key}" in self.errors else self.errors[kind]
        return CommandError(code, text.format(key))

    def compile(self, key: str, scope: Scope, default: Any = None) -> Evaluate:
        """Compiles one argument, or gives the default as a constant."""
        return compile_expression(self.given[key], scope) if key in self.given else Constant(default)
