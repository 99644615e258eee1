"""Comparison, logic and choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import compile_in_order, named, read_in_order, require
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.define import (
    AssociativeCall,
    check_count,
    compile_operands,
    flattened_operands,
    operator,
    special,
)
from atlas_rag.inprocess.mql.expressions.folding import fold
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import MISSING, compare, is_truthy, sort_key, type_name

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
    test, then, otherwise = _cond_parts(argument, scope)
    if isinstance(test, Constant):
        return then if is_truthy(test.value) else otherwise
    return lambda row, variables: (then if is_truthy(test(row, variables)) else otherwise)(row, variables)


def _cond_parts(argument: Any, scope: Scope) -> list[Evaluate]:
    if not isinstance(argument, Mapping):
        operands = compile_operands(argument, scope)
        check_count("$cond", len(operands), 3, 3)
        return operands
    codes = {"if": 17080, "then": 17081, "else": 17082}
    compiled = compile_in_order(argument, codes, (17083, "Unrecognized parameter to $cond: {}"), scope)
    require(argument, "Missing '{}' parameter to $cond", codes)
    return [compiled[name] for name in codes]


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
    branches, otherwise = _undecided(*_switch_parts(argument, scope))
    if not branches:
        return otherwise or fold(_never_matching)

    def evaluate(row: Any, variables: Any) -> Any:
        for case, then in branches:
            if is_truthy(case(row, variables)):
                return then(row, variables)
        if otherwise is None:
            text = "$switch could not find a matching branch for an input, and no default was specified."
            raise CommandError(40066, text)
        return otherwise(row, variables)

    return evaluate


_Branch = tuple[Evaluate, Evaluate]


def _undecided(branches: list[_Branch], otherwise: Evaluate | None) -> tuple[list[_Branch], Evaluate | None]:
    """Leaves out what constant cases never choose; the first that is always true is the default."""
    kept: list[_Branch] = []
    for case, then in branches:
        if not isinstance(case, Constant):
            kept.append((case, then))
        elif is_truthy(case.value):
            return kept, then
    return kept, otherwise


def _never_matching() -> Any:
    text = "Cannot execute a switch statement where all the cases evaluate to false without a default"
    raise CommandError(40069, text)


def _switch_parts(argument: Any, scope: Scope) -> tuple[list[_Branch], Evaluate | None]:
    readers: dict[str, Callable[[Any], Any]] = {
        "branches": lambda branches: _branches(branches, scope),
        "default": lambda default: compile_expression(default, scope),
    }
    given = named(argument, 40060, "$switch requires an object as an argument, found: {}")
    read = read_in_order(given, readers, (40067, "$switch found an unknown argument: {}"))
    if not read.get("branches"):
        raise CommandError(40068, "$switch requires at least one branch")
    return read["branches"], read.get("default")


def _branches(branches: Any, scope: Scope) -> list[_Branch]:
    if not isinstance(branches, list):
        text = f"$switch expected an array for 'branches', found: {type_name(branches)}"
        raise CommandError(40061, text)
    return [_branch(branch, scope) for branch in branches]


def _branch(branch: Any, scope: Scope) -> _Branch:
    given = named(branch, 40062, "$switch expected each branch to be an object, found: {}")
    unknown = (40063, "$switch found an unknown argument to a branch: {}")
    compiled = compile_in_order(given, ("case", "then"), unknown, scope)
    require(given, "$switch requires each branch have a '{}' expression", {"case": 40064})
    require(given, "$switch requires each branch have a '{}' expression.", {"then": 40065})
    return compiled["case"], compiled["then"]
