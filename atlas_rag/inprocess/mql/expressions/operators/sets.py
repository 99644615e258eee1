"""Arrays as sets: duplicates and order do not count. Results are in BSON order, as the server builds them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import watched, watched_rows
from atlas_rag.inprocess.mql.expressions.define import (
    associative,
    call,
    check_count,
    compile_operands,
    lazy_call,
    operator,
    special,
)
from atlas_rag.inprocess.mql.expressions.folding import fold
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import is_truthy, sort_key, type_name
from atlas_rag.inprocess.mql.values.order import Key
from atlas_rag.inprocess.mql.values.sorting import sorted_in_runs


def _keyed(items: Iterable[Any]) -> dict[Key, Any]:
    """Returns the distinct values under their keys; of equal ones the first stays."""
    distinct: dict[Key, Any] = {}
    for item in watched_rows(items):
        distinct.setdefault(sort_key(item), item)
    return distinct


def _in_order(distinct: dict[Key, Any]) -> list[Any]:
    return [distinct[key] for key in sorted_in_runs(list(distinct), lambda key: key)]


def _array(name: str, code: int, value: Any) -> list[Any]:
    if not isinstance(value, list):
        text = f"All operands of {name} must be arrays. One argument is of type: {type_name(value)}"
        raise CommandError(code, text)
    return value


@associative("$setUnion", commutative=True)
def union(sets: Iterable[Any]) -> Any:
    """All values of all sets."""
    distinct: dict[Key, Any] = {}
    for items in sets:
        if nullish(items):
            return None
        for key, item in _keyed(_array("$setUnion", 17043, items)).items():
            distinct.setdefault(key, item)
    return _in_order(distinct)


@associative("$setIntersection", commutative=True)
def intersection(sets: Iterable[Any]) -> Any:
    """The values that every set has."""
    common: dict[Key, Any] | None = None
    for items in sets:
        if nullish(items):
            return None
        distinct = _keyed(_array("$setIntersection", 17047, items))
        if common is None:
            common = distinct
        else:
            common = {key: item for key, item in common.items() if key in distinct}
    return _in_order(common or {})


def _both_arrays(name: str, first_code: int, second_code: int, left: Any, right: Any) -> None:
    for code, role, value in ((first_code, "First", left), (second_code, "Second", right)):
        if not isinstance(value, list):
            text = f"both operands of {name} must be arrays. {role} argument is of type: {type_name(value)}"
            raise CommandError(code, text)


@operator("$setDifference", 2)
def difference(left: Any, right: Any) -> Any:
    """What the first set has and the second has not, in the first one's order."""
    if nullish(left) or nullish(right):
        return None
    _both_arrays("$setDifference", 17048, 17049, left, right)
    excluded = {sort_key(item) for item in watched(right)}
    return [item for key, item in _keyed(left).items() if key not in excluded]


@special("$setIsSubset")
def is_subset(argument: Any, scope: Scope) -> Evaluate:
    """True if the second set has all values of the first."""
    operands = compile_operands(argument, scope)
    check_count("$setIsSubset", len(operands), 2, 2)
    left, right = operands
    if isinstance(right, Constant) and not isinstance(left, Constant):
        # A constant second set is prepared ahead, by code that has its own numbers.
        fold(lambda: _both_arrays("$setIsSubset", 17310, 17311, [], right.value))
        return call(partial(_is_subset, 17310, 17311), operands)
    return call(partial(_is_subset, 17046, 17042), operands)


def _is_subset(first_code: int, second_code: int, left: Any, right: Any) -> bool:
    _both_arrays("$setIsSubset", first_code, second_code, left, right)
    return {sort_key(item) for item in watched(left)} <= {sort_key(item) for item in watched(right)}


@special("$setEquals")
def set_equals(argument: Any, scope: Scope) -> Evaluate:
    """True if all sets have the same values."""
    operands = compile_operands(argument, scope)
    if len(operands) < 2:
        raise CommandError(17045, f"$setEquals needs at least two arguments had: {len(operands)}")
    for position, operand in enumerate(operands, 1):
        if isinstance(operand, Constant):
            fold(partial(_set, 5887502, position, operand.value))
    # A constant set is what the others are compared with, so the first one is taken before them.
    order = list(range(len(operands)))
    first = next((at for at in order if isinstance(operands[at], Constant)), 0)
    order.insert(0, order.pop(first))
    return lazy_call(partial(_all_equal, order), [operands[at] for at in order])


def _set(code: int, position: int, value: Any) -> list[Any]:
    if not isinstance(value, list):
        text = f"{position}-th argument is of type: {type_name(value)}"
        raise CommandError(code, f"All operands of $setEquals must be arrays. {text}")
    return value


def _all_equal(order: list[int], sets: Iterable[Any]) -> bool:
    first: set[Key] | None = None
    for at, items in zip(order, sets, strict=True):
        keys = {sort_key(item) for item in _set(17044, at + 1, items)}
        if first is None:
            first = keys
        elif keys != first:
            return False
    return True


@operator("$allElementsTrue")
def all_true(items: Any) -> bool:
    """True if no element is false, zero or null."""
    if not isinstance(items, list):
        text = f"$allElementsTrue's argument must be an array, but is {type_name(items)}"
        raise CommandError(17040, text)
    return all(map(is_truthy, items))


@operator("$anyElementTrue")
def any_true(items: Any) -> bool:
    """True if an element is neither false nor zero nor null."""
    if not isinstance(items, list):
        text = f"$anyElementTrue's argument must be an array, but is {type_name(items)}"
        raise CommandError(17041, text)
    return any(map(is_truthy, items))
