"""Accumulators used as expressions: over the operands, or over the elements of a single array."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import compile_in_order, require
from atlas_rag.inprocess.mql.expressions.define import (
    associative_call,
    call,
    compile_operands,
    flattened_operands,
    lazy_call,
    special,
)
from atlas_rag.inprocess.mql.expressions.folding import parsing_only
from atlas_rag.inprocess.mql.expressions.operands import nullish, to_long
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Scope
from atlas_rag.inprocess.mql.values import MISSING, sort_key
from atlas_rag.inprocess.mql.values.numbers import DECIMAL, from_decimal, to_float, whole
from atlas_rag.inprocess.mql.values.shown import shown
from atlas_rag.inprocess.mql.values.sums import Total
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.rendering import render_field


def sum_of(values: Iterable[Any]) -> Any:
    """Returns the sum of the numbers among the values."""
    total = Total()
    for value in values:
        if is_number(value):
            total.add(value)
    return total.result()


def average_of(values: Iterable[Any]) -> Any:
    """Returns the mean of the numbers among the values, null for none."""
    total, count = Total(), 0
    for value in values:
        if is_number(value):
            total.add(value)
            count += 1
    if not count:
        return None
    if total.decimals is not None:
        return from_decimal(DECIMAL.divide(total.decimal(), count))
    return total.double() / count


def least_of(values: Iterable[Any]) -> Any:
    """Returns the least value that is neither null nor missing, else null."""
    return min((value for value in values if not nullish(value)), key=sort_key, default=None)


def greatest_of(values: Iterable[Any]) -> Any:
    """Returns the greatest value that is neither null nor missing, else null."""
    return max((value for value in values if not nullish(value)), key=sort_key, default=None)


def deviation_of(values: Iterable[Any], *, sample: bool) -> float | None:
    """Returns the standard deviation of the numbers among the values, in one pass (Welford)."""
    count, mean, squares = 0, 0.0, 0.0
    for value in values:
        if is_number(value):
            number = to_float(value)
            count += 1
            delta = number - mean
            mean += delta / count
            squares += delta * (number - mean)
    if count <= sample:
        return None
    if not math.isfinite(squares):
        return math.nan if sample or count > 1 or math.isnan(squares) else squares
    return math.sqrt(squares / (count - sample))


def population_deviation_of(values: Iterable[Any]) -> float | None:
    """Returns the deviation of a whole population."""
    return deviation_of(values, sample=False)


def sample_deviation_of(values: Iterable[Any]) -> float | None:
    """Returns the deviation estimated from a sample; null for fewer than two numbers."""
    return deviation_of(values, sample=True)


def _over_operands(name: str, function: Callable[[Iterable[Any]], Any], *, rearranged: bool = False) -> None:
    """Registers an accumulator as an operator; `rearranged` as `associative` says, for several operands."""

    @special(name)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        if isinstance(argument, list) and len(argument) != 1:
            if rearranged:
                operands = flattened_operands(name, argument, scope)
                return associative_call(name, function, operands, commutative=True)
            return lazy_call(function, compile_operands(argument, scope))
        operands = compile_operands(argument, scope)
        return call(lambda value: function(value if isinstance(value, list) else [value]), operands)


_over_operands("$sum", sum_of, rearranged=True)
_over_operands("$avg", average_of)
_over_operands("$min", least_of, rearranged=True)
_over_operands("$max", greatest_of, rearranged=True)
_over_operands("$stdDevPop", population_deviation_of)
_over_operands("$stdDevSamp", sample_deviation_of)


def checked_count(value: Any) -> int:
    """Returns the `n` of `$firstN` and its like. Raises 5787902, 5787903, 5787908."""
    if not is_number(value):
        raise CommandError(5787902, f"Value for 'n' must be of integral type, but found {shown(value)}")
    number = to_long(value)
    if whole(value) != number:
        raise CommandError(5787903, f"Value for 'n' must be of integral type, but found {shown(value)}")
    if number <= 0:
        raise CommandError(5787908, f"'n' must be greater than 0, found {number}")
    return number


def n_arguments(name: str, argument: Any, scope: Scope) -> dict[str, Evaluate]:
    """Returns `{input, n}` of `$firstN` and its like, compiled. Raises 5787801/900, 5787901, 5787906/7."""
    if not isinstance(argument, Mapping):
        code = 5787900 if name in ("$minN", "$maxN") else 5787801
        raise CommandError(code, f"specification must be an object; found {render_field(name, argument)}")
    codes = {"n": 5787906, "input": 5787907}
    compiled = compile_in_order(argument, codes, (5787901, "Unknown argument for 'n' operator: {}"), scope)
    require(argument, "Missing value for '{}'", codes)
    return compiled


def first_n(items: Sequence[Any], count: int) -> list[Any]:
    """Returns the first values; missing ones as null."""
    return [None if item is MISSING else item for item in items[:count]]


def last_n(items: Sequence[Any], count: int) -> list[Any]:
    """Returns the last values; missing ones as null."""
    return [None if item is MISSING else item for item in items[-count:]]


def least_n(items: Sequence[Any], count: int) -> list[Any]:
    """Returns the least values in order, without null and missing ones."""
    return sorted((item for item in items if not nullish(item)), key=sort_key)[:count]


def greatest_n(items: Sequence[Any], count: int) -> list[Any]:
    """Returns the greatest values in falling order, without null and missing ones.

    Of equal values the first ones are chosen, and the last one stands first.
    """
    rising: list[Any] = []
    for item in items:
        if nullish(item):
            continue
        if len(rising) == count:
            if not sort_key(rising[0]) < sort_key(item):
                continue
            del rising[0]
        insort(rising, item, key=sort_key)
    return rising[::-1]


N_FUNCTIONS: dict[str, Callable[[Sequence[Any], int], list[Any]]] = {
    "$firstN": first_n,
    "$lastN": last_n,
    "$minN": least_n,
    "$maxN": greatest_n,
}


def _n_operator(name: str, function: Callable[[Sequence[Any], int], list[Any]]) -> None:
    def apply(values: Iterator[Any]) -> list[Any]:
        number = checked_count(next(values))
        items = next(values)
        if not isinstance(items, list):
            raise CommandError(5788200, "Input must be an array")
        return function(items, number)

    @special(name)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        with parsing_only():
            compiled = n_arguments(name, argument, scope)
        operands = [compiled["n"], compiled["input"]]
        return lambda row, variables: apply(operand(row, variables) for operand in operands)


for _name, _function in N_FUNCTIONS.items():
    _n_operator(_name, _function)
