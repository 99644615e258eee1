"""Arrays: elements, slices, positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import watched
from atlas_rag.inprocess.mql.expressions.define import (
    associative,
    check_count,
    compile_operands,
    constant_values,
    lazy_call,
    operator,
    special,
)
from atlas_rag.inprocess.mql.expressions.folding import fold
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.expressions.operators.strings import index_bound
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import MISSING, equal, sort_key, type_name
from atlas_rag.inprocess.mql.values.numbers import is_int32, to_decimal, to_float
from atlas_rag.inprocess.mql.values.shown import shown, shown_double
from atlas_rag.inprocess.mql.values.types import is_number

_NOT_GIVEN = object()

operator("$isArray")(lambda value: isinstance(value, list))


@operator("$arrayElemAt", 2)
def element_at(items: Any, position: Any) -> Any:
    """The element at a position, counted from the end if negative; missing beyond the array."""
    if nullish(items) or nullish(position):
        return None
    if not isinstance(items, list):
        text = f"$arrayElemAt's first argument must be an array, but is {type_name(items)}"
        raise CommandError(28689, text)
    if not is_number(position):
        text = f"$arrayElemAt's second argument must be a numeric value, but is {type_name(position)}"
        raise CommandError(28690, text)
    if not is_int32(position):
        text = f"must be representable as a 32-bit integer: {shown_double(to_float(position))}"
        raise CommandError(28691, f"$arrayElemAt's second argument {text}")
    return _at(items, int(to_decimal(position)))


def _at(items: list[Any], position: int) -> Any:
    return items[position] if -len(items) <= position < len(items) else MISSING


def _end(name: str, position: int) -> None:
    def apply(items: Any) -> Any:
        if nullish(items):
            return None
        if not isinstance(items, list):
            raise CommandError(28689, f"{name}'s argument must be an array, but is {type_name(items)}")
        return _at(items, position)

    operator(name)(apply)


_end("$first", 0)
_end("$last", -1)


@operator("$size")
def size(items: Any) -> int:
    """Number of elements."""
    if not isinstance(items, list):
        text = f"The argument to $size must be an array, but was of type: {type_name(items)}"
        raise CommandError(17124, text)
    return len(items)


@associative("$concatArrays", commutative=False)
def concatenate(arrays: Iterable[Any]) -> Any:
    """All elements in a row; null if an operand is."""
    joined: list[Any] = []
    for items in arrays:
        if nullish(items):
            return None
        if not isinstance(items, list):
            raise CommandError(28664, f"$concatArrays only supports arrays, not {type_name(items)}")
        joined.extend(items)
    return joined


@operator("$reverseArray")
def reverse(items: Any) -> Any:
    """The elements from last to first."""
    if nullish(items):
        return None
    if not isinstance(items, list):
        text = f"The argument to $reverseArray must be an array, but was of type: {type_name(items)}"
        raise CommandError(34435, text)
    return items[::-1]


@operator("$in", 2)
def contains(value: Any, items: Any) -> bool:
    """True if an element equals the value."""
    if not isinstance(items, list):
        raise CommandError(40081, f"$in requires an array as a second argument, found: {type_name(items)}")
    key = sort_key(value)
    return any(sort_key(item) == key for item in watched(items))


@special("$indexOfArray")
def index_of(argument: Any, scope: Scope) -> Evaluate:
    """Position of the first element that equals the value, -1 if none."""
    operands = compile_operands(argument, scope)
    check_count("$indexOfArray", len(operands), 2, 4)
    items = operands[0]
    if isinstance(items, Constant) and constant_values(operands) is None:
        fold(lambda: _check_prepared(items.value))
    return lazy_call(_index_of, operands)


def _check_prepared(items: Any) -> None:
    """A constant array is prepared ahead of the documents, by code that has its own number."""
    if not (nullish(items) or isinstance(items, list)):
        kind = f"First argument is of type: {type_name(items)}"
        raise CommandError(50809, f"First operand of $indexOfArray must be an array. {kind}")


def _index_of(values: Iterator[Any]) -> Any:
    items = next(values)
    if nullish(items):
        return None
    if not isinstance(items, list):
        kind = f"found: {type_name(items)}"
        raise CommandError(40090, f"$indexOfArray requires an array as a first argument, {kind}")
    value = next(values)
    first = index_bound("$indexOfArray", "starting", next(values, 0))
    last = index_bound("$indexOfArray", "ending", next(values, len(items)))
    found = (at for at in watched(range(first, min(last, len(items)))) if equal(items[at], value))
    return next(found, -1)


@operator("$slice", 2, 3, lazy=True)
def slice_of(values: Iterator[Any]) -> Any:
    """The first (or, if negative, the last) elements, or `count` of them from a position on."""
    items, position = next(values), next(values)
    if nullish(items) or nullish(position):
        return None
    if not isinstance(items, list):
        text = f"First argument to $slice must be an array, but is of type: {type_name(items)}"
        raise CommandError(28724, text)
    first = _slice_bound("Second", "a numeric value", 28725, 28726, position)
    count = next(values, _NOT_GIVEN)
    if count is _NOT_GIVEN:
        return items[:first] if first >= 0 else items[first:]
    if nullish(count):
        return None
    length = _slice_bound("Third", "numeric", 28727, 28728, count)
    if length <= 0:
        raise CommandError(28729, f"Third argument to $slice must be positive: {shown(count)}")
    start = min(first, len(items)) if first >= 0 else max(first + len(items), 0)
    return items[start : start + length]


def _slice_bound(role: str, kind: str, not_numeric: int, not_integral: int, value: Any) -> int:
    if not is_number(value):
        text = f"{role} argument to $slice must be {kind}, but is of type: {type_name(value)}"
        raise CommandError(not_numeric, text)
    if not is_int32(value):
        text = f"can't be represented as a 32-bit integer: {shown_double(to_float(value))}"
        raise CommandError(not_integral, f"{role} argument to $slice {text}")
    return int(to_decimal(value))


@operator("$range", 2, 3, lazy=True)
def range_of(values: Iterator[Any]) -> list[int]:
    """The integers from start up to, not including, end."""
    start, end = next(values), next(values)
    first = _range_bound("starting value", "a starting value", 34443, 34444, start)
    last = _range_bound("ending value", "an ending value", 34445, 34446, end)
    width = _range_bound("step value", "a step value", 34447, 34448, next(values, 1))
    if width == 0:
        raise CommandError(34449, "$range requires a non-zero step value")
    return list(range(first, last, width))


def _range_bound(role: str, article: str, not_numeric: int, not_integral: int, value: Any) -> int:
    if not is_number(value):
        # The server's text lacks a space for the step alone.
        gap = "" if role == "step value" else " "
        raise CommandError(
            not_numeric, f"$range requires a numeric {role}, found value of type:{gap}{type_name(value)}"
        )
    if not is_int32(value):
        bounds = "that can be represented as a 32-bit integer, found value:"
        raise CommandError(not_integral, f"$range requires {article} {bounds} {shown(value)}")
    return int(to_decimal(value))
