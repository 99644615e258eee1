"""Arithmetic: the four operations, remainder, powers and logarithms.

A null or missing operand makes the result null.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from datetime import datetime
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, Decimal, InvalidOperation
from typing import Any

from bson import Decimal128, Int64

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.dates.milliseconds import from_milliseconds
from atlas_rag.inprocess.mql.expressions.define import associative, operator
from atlas_rag.inprocess.mql.expressions.operands import is_date, nullish, number, to_long
from atlas_rag.inprocess.mql.values import decimal_functions, type_name
from atlas_rag.inprocess.mql.values.numbers import (
    DECIMAL,
    Number,
    fits_long,
    from_decimal,
    integer,
    is_int32,
    is_long,
    is_nan,
    to_decimal,
    to_float,
)
from atlas_rag.inprocess.mql.values.order import milliseconds
from atlas_rag.inprocess.mql.values.shown import shown
from atlas_rag.inprocess.mql.values.sums import Total
from atlas_rag.inprocess.mql.values.types import INT64_MIN, is_number


@associative("$add", commutative=True)
def add(values: Iterable[Any]) -> Any:
    """Sum of numbers; one of the operands may be a date, the others are then milliseconds."""
    total, date = Total(), None
    for value in values:
        if is_number(value):
            total.add(value)
        elif nullish(value):
            return None
        elif not is_date(value):
            text = f"$add only supports numeric or date types, not {type_name(value)}"
            raise CommandError(16554, text)
        elif date is not None:
            raise CommandError(16612, "only one date allowed in an $add expression")
        else:
            date = value
    return total.result() if date is None else _later(date, total.result())


def _later(date: datetime, amount: Number) -> Any:
    """Returns a date some milliseconds later; half ones go down, or to even if they are decimals."""
    exact = to_decimal(amount) + milliseconds(date)
    mode = ROUND_HALF_EVEN if isinstance(amount, Decimal128) else ROUND_HALF_DOWN
    whole = int(exact.to_integral_value(mode)) if exact.is_finite() else None
    if whole is not None and fits_long(whole):
        return from_milliseconds(whole)
    if isinstance(amount, Decimal128):  # the server converts what does not fit to the least long
        return from_milliseconds(INT64_MIN)
    raise CommandError(15, "date overflow in $add")


@operator("$subtract", 2)
def subtract(left: Any, right: Any) -> Any:
    """Difference of numbers, of dates (a long of milliseconds), or of a date and milliseconds."""
    if nullish(left) or nullish(right):
        return None
    if is_number(left) and is_number(right):
        return _difference(left, right)
    if is_date(left) and is_date(right):
        return Int64(milliseconds(left) - milliseconds(right))
    if is_date(left) and is_number(right):
        return _date_less(left, to_long(right))
    minuend = "Date" if is_date(left) else type_name(left)
    raise CommandError(14, f"can't $subtract {type_name(right)} from {minuend}")


def _date_less(date: Any, amount: int) -> Any:
    if amount == INT64_MIN:
        raise CommandError(159, "Cannot negate the minimum duration")
    earlier = milliseconds(date) - amount
    if not fits_long(earlier):
        raise CommandError(15, "date overflow in $subtract")
    return from_milliseconds(earlier)


def _difference(left: Number, right: Number) -> Number:
    if isinstance(left, Decimal128) or isinstance(right, Decimal128):
        return from_decimal(DECIMAL.subtract(to_decimal(left), to_decimal(right)))
    if isinstance(left, float) or isinstance(right, float):
        return to_float(left) - to_float(right)
    exact = left - right
    if not fits_long(exact):
        return to_float(left) - to_float(right)
    return integer(exact, long=is_long(left) or is_long(right))


@associative("$multiply", commutative=True)
def multiply(values: Iterable[Any]) -> Any:
    """Product of numbers."""
    product: Number = 1
    for value in values:
        if nullish(value):
            return None
        product = _product(product, number("$multiply", value, 14))
    return product


def _product(left: Number, right: Number) -> Number:
    if isinstance(left, Decimal128) or isinstance(right, Decimal128):
        return from_decimal(DECIMAL.multiply(to_decimal(left), to_decimal(right)))
    if isinstance(left, float) or isinstance(right, float):
        return to_float(left) * to_float(right)
    exact = left * right
    if not fits_long(exact):
        return to_float(left) * to_float(right)
    return integer(exact, long=is_long(left) or is_long(right))


@operator("$divide", 2)
def divide(left: Any, right: Any) -> Any:
    """Quotient: a double, or a decimal if an operand is one."""
    if is_number(left) and is_number(right):
        if to_float(right) == 0:
            raise CommandError(2, "can't $divide by zero")
        if isinstance(left, Decimal128) or isinstance(right, Decimal128):
            return from_decimal(DECIMAL.divide(to_decimal(left), to_decimal(right)))
        return to_float(left) / to_float(right)
    if nullish(left) or nullish(right):
        return None
    kinds = f"{type_name(left)} and {type_name(right)}"
    raise CommandError(14, f"$divide only supports numeric types, not {kinds}")


@operator("$mod", 2)
def remainder(left: Any, right: Any) -> Any:
    """Remainder with the sign of the dividend."""
    if is_number(left) and is_number(right):
        return _remainder(left, right)
    if nullish(left) or nullish(right):
        return None
    kinds = f"{type_name(left)} and {type_name(right)}"
    raise CommandError(16611, f"$mod only supports numeric types, not {kinds}")


def _remainder(left: Number, right: Number) -> Number:
    if to_float(right) == 0:
        raise CommandError(16610, "can't $mod by zero")
    if isinstance(left, Decimal128) or isinstance(right, Decimal128):
        return from_decimal(_decimal_remainder(to_decimal(left), to_decimal(right)))
    if isinstance(left, float) or (isinstance(right, float) and not is_int32(right)):
        dividend = to_float(left)
        return math.fmod(dividend, right) if math.isfinite(dividend) else math.nan
    divisor = int(right)
    rest = abs(left) % abs(divisor)
    return integer(
        -rest if left < 0 else rest, long=is_long(left) or (isinstance(right, int) and is_long(right))
    )


def _decimal_remainder(left: Decimal, right: Decimal) -> Decimal:
    try:
        return DECIMAL.remainder(left, right)
    except InvalidOperation:
        return Decimal("NaN")


@operator("$abs")
def absolute(value: Any) -> Any:
    """Magnitude; that of the least int is a long, the least long has none."""
    if nullish(value):
        return None
    number("$abs", value)
    if isinstance(value, Decimal128):
        return from_decimal(abs(value.to_decimal()))
    if isinstance(value, float):
        return abs(value)
    if value == INT64_MIN:
        raise CommandError(28680, "can't take $abs of long long min")
    return integer(abs(value), long=is_long(value))


def _function(
    name: str, on_double: Callable[[float], float], on_decimal: Callable[[Decimal], Decimal]
) -> Callable[[Any], Any]:
    def apply(value: Any) -> Any:
        if nullish(value):
            return None
        number(name, value)
        if isinstance(value, Decimal128):
            return from_decimal(on_decimal(value.to_decimal()))
        return on_double(to_float(value))

    return operator(name)(apply)


def _positive(name: str, code: int, value: Number) -> None:
    if not (is_nan(value) or to_decimal(value) > 0):
        text = f"{name}'s argument must be a positive number, but is {shown(value)}"
        raise CommandError(code, text)


def _exponential(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


_function("$exp", _exponential, DECIMAL.exp)


@operator("$ln")
def natural_logarithm(value: Any) -> Any:
    """Logarithm to the base e."""
    if nullish(value):
        return None
    _positive("$ln", 28766, number("$ln", value))
    if is_nan(value):
        return math.nan
    if isinstance(value, Decimal128):
        return from_decimal(DECIMAL.ln(value.to_decimal()))
    return math.log(to_float(value))


@operator("$log10")
def decimal_logarithm(value: Any) -> Any:
    """Logarithm to the base 10."""
    if nullish(value):
        return None
    _positive("$log10", 28761, number("$log10", value))
    if is_nan(value):
        return math.nan
    if isinstance(value, Decimal128):
        return from_decimal(DECIMAL.log10(value.to_decimal()))
    return math.log10(to_float(value))


@operator("$log", 2)
def logarithm(value: Any, base: Any) -> Any:
    """Logarithm to a base: the quotient of two natural logarithms."""
    if nullish(value) or nullish(base):
        return None
    for code, role, operand in ((28756, "argument", value), (28757, "base", base)):
        if not is_number(operand):
            raise CommandError(code, f"$log's {role} must be numeric, not {type_name(operand)}")
    _positive("$log", 28758, value)
    if not (is_nan(base) or (to_decimal(base) > 0 and to_float(base) != 1)):
        text = f"$log's base must be a positive number not equal to 1, but is {shown(base)}"
        raise CommandError(28759, text)
    if isinstance(value, Decimal128) or isinstance(base, Decimal128):
        quotient = DECIMAL.divide(DECIMAL.ln(to_decimal(value)), DECIMAL.ln(to_decimal(base)))
        return from_decimal(quotient)
    return math.log(to_float(value)) / math.log(to_float(base))


@operator("$sqrt")
def square_root(value: Any) -> Any:
    """Square root."""
    if nullish(value):
        return None
    if not is_nan(number("$sqrt", value)) and to_decimal(value) < 0:
        raise CommandError(28714, "$sqrt's argument must be greater than or equal to 0")
    if isinstance(value, Decimal128):
        return from_decimal(DECIMAL.sqrt(value.to_decimal()))
    return math.sqrt(to_float(value))


@operator("$pow", 2)
def power(base: Any, exponent: Any) -> Any:
    """Power; integers stay integers while the result is one of 64 bits."""
    if nullish(base) or nullish(exponent):
        return None
    for code, role, operand in ((28762, "base", base), (28763, "exponent", exponent)):
        if not is_number(operand):
            raise CommandError(code, f"$pow's {role} must be numeric, not {type_name(operand)}")
    if to_float(base) == 0 and to_float(exponent) < 0:
        raise CommandError(28764, "$pow cannot take a base of 0 and a negative exponent")
    if isinstance(base, Decimal128) or isinstance(exponent, Decimal128):
        return from_decimal(_decimal_power(to_decimal(base), to_decimal(exponent)))
    if isinstance(base, float) or isinstance(exponent, float):
        return _float_power(to_float(base), to_float(exponent))
    return _integer_power(base, exponent)


def _decimal_power(base: Decimal, exponent: Decimal) -> Decimal:
    if exponent.is_zero():
        return decimal_functions.full(Decimal(1))
    return decimal_functions.full(DECIMAL.power(base, exponent))


def _integer_power(base: int, exponent: int) -> Number:
    long = is_long(base) or is_long(exponent)
    if abs(base) <= 1:
        return integer(base if exponent % 2 else base * base if exponent else 1, long=long)
    if exponent < 0 or exponent > 63:
        return _float_power(float(base), float(exponent))
    exact = base**exponent
    return integer(exact, long=long) if fits_long(exact) else _float_power(float(base), float(exponent))


def _float_power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except ValueError:
        return math.nan
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf


@operator("$sigmoid", release=(8, 1))
def sigmoid(value: Any) -> Any:
    """1 / (1 + e^-x)."""
    if nullish(value):
        return None
    number("$sigmoid", value)
    return 1.0 / (1.0 + _exponential(-to_float(value)))
