"""`$percentile` and `$median`, since release 7.0: as expressions, and what their accumulators share.

A percentile is one of the values, the smallest that a share p of all does not exceed. Here it is exact; a
server approximates it (by a t-digest) in groups of many documents.
Source: the documentation's examples, equal for its data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.define import call, special
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import to_float
from atlas_rag.inprocess.mql.values.types import is_number

RELEASE = (7, 0)


class Percentiles(NamedTuple):
    """What one call asks for: the input, and how its numbers become the result."""

    input: Evaluate
    result: Callable[[Sequence[float]], Any]


def compile_percentiles(name: str, argument: Any, scope: Scope) -> Percentiles:
    """Returns a compiled `$percentile` or `$median`.

    Raises:
        CommandError: code 40414, 40415 (fields), 2 (method), 7750301 to 7750303 (`p`).
    """
    required = ("input", "method") if name == "$median" else ("input", "p", "method")
    if not isinstance(argument, Mapping):
        raise CommandError(7436100, f"specification must be an object; found {name}: {type_name(argument)}")
    for key in argument:
        if key not in required:
            raise CommandError(40415, f"BSON field '{name}.{key}' is an unknown field.")
    for key in required:
        if key not in argument:
            raise CommandError(40414, f"BSON field '{name}.{key}' is missing but a required field")
    if argument["method"] != "approximate":
        raise CommandError(2, "Currently only 'approximate' can be used as percentile 'method'.")
    expression = compile_expression(argument["input"], scope)
    if name == "$median":
        return Percentiles(expression, lambda values: percentile(values, 0.5))
    shares = _shares(compile_expression(argument["p"], scope))
    return Percentiles(expression, lambda values: [percentile(values, share) for share in shares])


def _shares(expression: Evaluate) -> list[float]:
    shares = expression.value if isinstance(expression, Constant) else None
    if not isinstance(shares, list) or not shares:
        raise CommandError(7750301, "'p' must be a non-empty array of constants")
    for share in shares:
        if not is_number(share):
            text = f"'p' must be an array of numeric values, but found value of type {type_name(share)}"
            raise CommandError(7750302, text)
        if not 0 <= to_float(share) <= 1:
            raise CommandError(7750303, f"'p' must be an array of values in [0.0, 1.0], but found {share}")
    return [to_float(share) for share in shares]


def numbers_of(values: Iterable[Any]) -> list[float]:
    """Returns the numbers among the values, as doubles."""
    return [to_float(value) for value in values if is_number(value)]


def percentile(values: Sequence[float], share: float) -> float | None:
    """Returns the value at rank ⌈share · count⌉ from below, the least for rank 0; null for no values."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _expression(name: str) -> None:
    @special(name, release=RELEASE)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        asked = compile_percentiles(name, argument, scope)

        def apply(value: Any) -> Any:
            return asked.result(numbers_of(value if isinstance(value, list) else [value]))

        return call(apply, [asked.input])


_expression("$percentile")
_expression("$median")
