"""Rounding: up, down, to a number of places."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from bson import Decimal128

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.define import operator
from atlas_rag.inprocess.mql.expressions.operands import nullish, number, to_long
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import (
    DECIMAL,
    fits_long,
    from_decimal,
    integer,
    is_int32,
    is_long,
)
from atlas_rag.inprocess.mql.values.shown import shown


def _to_whole(name: str, mode: str) -> Callable[[Any], Any]:
    def apply(value: Any) -> Any:
        if nullish(value):
            return None
        number(name, value)
        if isinstance(value, Decimal128):
            return from_decimal(value.to_decimal().to_integral_value(mode))
        if isinstance(value, float) and math.isfinite(value):
            return math.copysign(float(math.ceil(value) if name == "$ceil" else math.floor(value)), value)
        return value

    return operator(name)(apply)


_to_whole("$ceil", decimal.ROUND_CEILING)
_to_whole("$floor", decimal.ROUND_FLOOR)


def _to_place(name: str, mode: str) -> Callable[..., Any]:
    def apply(values: Iterator[Any]) -> Any:
        value = next(values)
        if nullish(value):
            return None
        number(name, value, 51081)
        places = next(values, 0)
        if nullish(places):
            return None
        digits = _precision(name, places)
        if isinstance(value, Decimal128):
            return from_decimal(_quantized(value.to_decimal(), digits, mode))
        if isinstance(value, float):
            return float(_quantized(Decimal(value), digits, mode)) if math.isfinite(value) else value
        return _rounded_integer(name, value, digits, mode)

    return operator(name, 1, 2, lazy=True)(apply)


def _precision(name: str, places: Any) -> int:
    if not isinstance(places, (int, float, Decimal128)) or isinstance(places, bool):
        raise CommandError(16004, f"can't convert from BSON type {type_name(places)} to long")
    digits = to_long(places)
    if not is_int32(places):
        raise CommandError(51082, f"precision argument to  {name} must be a integral value")
    if not -20 <= digits <= 100:
        bounds = f"{shown(places)} value must be in [-20, 100]"
        raise CommandError(51083, f"cannot apply {name} with precision value {bounds}")
    return digits


def _quantized(value: Decimal, digits: int, mode: str) -> Decimal:
    """Returns the value cut to a number of digits after the point; as it is where 34 do not reach."""
    if not value.is_finite() or value.adjusted() + digits >= DECIMAL.prec:
        return value
    return value.quantize(Decimal((0, (1,), -digits)), rounding=mode, context=DECIMAL)


def _rounded_integer(name: str, value: int, digits: int, mode: str) -> int:
    if digits >= 0:
        return value
    result = int(_quantized(Decimal(value), digits, mode))
    if not fits_long(result):
        text = f"invalid conversion from Decimal128 result in {name} resulting from arguments: "
        raise CommandError(51080, f"{text}[{shown(value)}, {digits}]")
    return integer(result, long=is_long(value))


_to_place("$round", decimal.ROUND_HALF_EVEN)
_to_place("$trunc", decimal.ROUND_DOWN)
