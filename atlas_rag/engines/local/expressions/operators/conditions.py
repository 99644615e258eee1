"""Comparison, logic and choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.engines.local.expressions.compiler import compile_expression
from atlas_rag.engines.local.expressions.define import (
    AssociativeCall,
    compile_operands,
    constant_values,
    flattened_operands,
    fold,
    operator,
    special,
)
from atlas_rag.engines.local.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.values import MISSING, compare, is_truthy, sort_key, type_name

operator("$cmp", 2)(compare)
operator("$eq", 2)(lambda left, right: sort_key(left) == sort_key(right))
operator("$ne", 2)(lambda left, right: sort_key(left) != sort_key(right))
operator("$gt", 2)(lambda left, right: sort_key(left) > sort_key(right))
operator("$gte", 2)(lambda left, right: not sort_key(left) < sort_key(right))
operator("$lt", 2)(lambda left, right: sort_key(left) < sort_key(right))
operator("$lte", 2)(lambda left, right: not sort_key(left) > sort_key(right))
operator("$not")(lambda value: not is_truthy(value))


def _connective(name: str, combine: Callable[[Any], bool], decisive: bool) -> None:
    """Registers `$and` or `$or`. One decisive constant is the result; operands are evaluated until one is."""

    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        operands = flattened_operands(name, argument, scope)
        constants = [is_truthy(operand.value) for operand in operands if isinstance(operand, Constant)]
        rest = [operand for operand in operands if not isinstance(operand, Constant)]
        if decisive in constants or not rest:
            return Constant(combine(constants))

        return AssociativeCall(name, lambda values: combine(map(is_truthy, values)), rest)

    special(name)(compile_call)


_connective("$and", all, decisive=False)
_connective("$or", any, decisive=True)


@special("$cond")
def conditional(argument: Any, scope: Scope) -> Evaluate:
    """`{$cond: {if, then, else}}` or `{$cond: [if, then, else]}`."""
    parts = _cond_parts(argument)
    test, then, otherwise = (compile_expression(part, scope) for part in parts)
    if isinstance(test, Constant):
        return then if is_truthy(test.value) else otherwise
    return lambda row, variables: (then if is_truthy(test(row, variables)) else otherwise)(row, variables)


def _cond_parts(argument: Any) -> list[Any]:
    if not isinstance(argument, Mapping):
        parts = argument if isinstance(argument, list) else [argument]
        if len(parts) != 3:
            text = f"Expression $cond takes exactly 3 arguments. {len(parts)} were passed in."
            raise CommandError(16020, text)
        return parts
    for name in argument:
        if name not in ("if", "then", "else"):
            raise CommandError(17083, f"Unrecognized parameter to $cond: {name}")
    for name, code in (("if", 17080), ("then", 17081), ("else", 17082)):
        if name not in argument:
            raise CommandError(code, f"Missing '{name}' parameter to $cond")
    return [argument["if"], argument["then"], argument["else"]]


@special("$ifNull")
def if_null(argument: Any, scope: Scope) -> Evaluate:
    """The first operand that is neither null nor missing, else the last one as it is."""
    operands = compile_operands(argument, scope)
    if len(operands) < 2:
        raise CommandError(1257300, f"$ifNull needs at least two arguments, had: {len(operands)}")
    operands = _decisive(operands)
    if len(operands) == 1:
        return operands[0]

    def evaluate(row: Any, variables: Any) -> Any:
        value: Any = MISSING
        for operand in operands:
            value = operand(row, variables)
            if value is not None and value is not MISSING:
                break
        return value

    return evaluate


def _decisive(operands: list[Evaluate]) -> list[Evaluate]:
    """Leaves out constant nulls before the last operand, and all behind a constant that is not null."""
    kept: list[Evaluate] = []
    for position, operand in enumerate(operands):
        if not isinstance(operand, Constant):
            kept.append(operand)
        elif operand.value is not None and operand.value is not MISSING:
            return [*kept, operand]
        elif position == len(operands) - 1:
            kept.append(operand)
    return kept


@special("$switch")
def switch(argument: Any, scope: Scope) -> Evaluate:
    """The value of the first branch whose case is true, else the default."""
    branches, default = _switch_parts(argument)
    compiled = [
        (compile_expression(branch["case"], scope), compile_expression(branch["then"], scope))
        for branch in branches
    ]
    otherwise = compile_expression(default, scope) if default is not MISSING else None

    def evaluate(row: Any, variables: Any) -> Any:
        for case, then in compiled:
            if is_truthy(case(row, variables)):
                return then(row, variables)
        if otherwise is None:
            text = "$switch could not find a matching branch for an input, and no default was specified."
            raise CommandError(40066, text)
        return otherwise(row, variables)

    parts = [part for branch in compiled for part in branch] + ([otherwise] if otherwise else [])
    return evaluate if constant_values(parts) is None else fold(lambda: evaluate(None, {}))


def _switch_parts(argument: Any) -> tuple[list[Any], Any]:
    if not isinstance(argument, Mapping):
        text = f"$switch requires an object as an argument, found: {type_name(argument)}"
        raise CommandError(40060, text)
    for name in argument:
        if name not in ("branches", "default"):
            raise CommandError(40067, f"$switch found an unknown argument: {name}")
    branches = argument.get("branches", [])
    if not isinstance(branches, list):
        text = f"$switch expected an array for 'branches', found: {type_name(branches)}"
        raise CommandError(40061, text)
    for branch in branches:
        _check_branch(branch)
    if not branches:
        raise CommandError(40068, "$switch requires at least one branch")
    return branches, argument.get("default", MISSING)


def _check_branch(branch: Any) -> None:
    if not isinstance(branch, Mapping):
        text = f"$switch expected each branch to be an object, found: {type_name(branch)}"
        raise CommandError(40062, text)
    for name in branch:
        if name not in ("case", "then"):
            raise CommandError(40063, f"$switch found an unknown argument to a branch: {name}")
    if "case" not in branch:
        raise CommandError(40064, "$switch requires each branch have a 'case' expression")
    if "then" not in branch:
        raise CommandError(40065, "$switch requires each branch have a 'then' expression.")
