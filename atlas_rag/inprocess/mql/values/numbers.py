"""Arithmetic types: what an int, a long, a double and a decimal give together.

An operation's result has the widest type among its operands (int < long < double < decimal); an int that
overflows becomes a long, a long that overflows becomes a double.
"""

from __future__ import annotations

import decimal
import math
from decimal import Decimal
from typing import Any

from bson import Decimal128, Int64
from bson.decimal128 import create_decimal128_context

from atlas_rag.inprocess.mql.values.types import INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN

Number = int | float | Decimal128

DECIMAL = create_decimal128_context()
_FIFTEEN_DIGITS = decimal.Context(prec=15, rounding=decimal.ROUND_HALF_EVEN)


def is_long(value: int) -> bool:
    """True if an integer is a long: declared so, or too large for 32 bits."""
    return isinstance(value, Int64) or not INT32_MIN <= value <= INT32_MAX


def fits_long(value: int) -> bool:
    """True if an integer fits into 64 bits."""
    return INT64_MIN <= value <= INT64_MAX


def integer(value: int, *, long: bool = False) -> int:
    """Returns an integer result as an int or, where one is asked for or needed, a long."""
    if not long and INT32_MIN <= value <= INT32_MAX:
        return int(value)
    return Int64(value)


def to_decimal(value: Number) -> Decimal:
    """Returns a number as a decimal; a double is rounded to 15 significant digits, as the server does."""
    if isinstance(value, Decimal128):
        return value.to_decimal()
    if isinstance(value, float):
        return double_to_decimal(value)
    return Decimal(value)


def double_to_decimal(value: float) -> Decimal:
    """Returns a double as a decimal of exactly 15 significant digits."""
    exact = Decimal(value)
    if not exact.is_finite() or exact.is_zero():
        return exact
    rounded = _FIFTEEN_DIGITS.create_decimal(exact)
    digits = Decimal((0, (1,), rounded.adjusted() - 14))
    return rounded.quantize(digits, context=DECIMAL)


def from_decimal(value: Decimal) -> Decimal128:
    """Returns a decimal as its BSON type, rounded half to even to 34 digits."""
    with decimal.localcontext(DECIMAL) as context:
        return Decimal128(context.create_decimal(value))


def to_float(value: Number) -> float:
    """Returns a number as a double; what is too large becomes infinite."""
    if isinstance(value, Decimal128):
        return float(value.to_decimal())
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def is_nan(value: Any) -> bool:
    """True for the NaN of either kind."""
    if isinstance(value, float):
        return value != value
    return isinstance(value, Decimal128) and value.to_decimal().is_nan()


def saturated(value: Number) -> int:
    """Returns a number cut to a long: NaN is 0, what is too large the greatest or least one."""
    if is_nan(value):
        return 0
    number = to_float(value)
    if math.isinf(number):
        return INT64_MAX if number > 0 else INT64_MIN
    return max(min(int(number), INT64_MAX), INT64_MIN)


def rounded(value: Number) -> int:
    """Returns a number as a long: a double cut, a decimal rounded half to even, both within 64 bits."""
    if isinstance(value, Decimal128) and value.to_decimal().is_finite():
        number = int(value.to_decimal().to_integral_value(decimal.ROUND_HALF_EVEN))
        return max(min(number, INT64_MAX), INT64_MIN)
    return saturated(value)


def whole(value: Any) -> int | None:
    """Returns a number that has an integral value as an `int`, else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal128)):
        return None
    if isinstance(value, int):
        return int(value)
    number = value.to_decimal() if isinstance(value, Decimal128) else value
    if isinstance(number, Decimal):
        return int(number) if number.is_finite() and number == number.to_integral_value() else None
    return int(number) if number.is_integer() else None


def is_int32(value: Any) -> bool:
    """True for a number whose value is an integer of 32 bits, whatever its type."""
    number = whole(value)
    return number is not None and INT32_MIN <= number <= INT32_MAX
