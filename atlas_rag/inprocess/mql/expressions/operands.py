"""What operators ask of their operands."""

from __future__ import annotations

from datetime import datetime
from decimal import ROUND_HALF_EVEN
from typing import Any

from bson import Decimal128

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import MISSING, type_name
from atlas_rag.inprocess.mql.values.numbers import Number, fits_long
from atlas_rag.inprocess.mql.values.types import INT64_MIN, is_number

_BEYOND_LONG = 2.0**63


def nullish(value: Any) -> bool:
    """True for null and for a missing value."""
    return value is None or value is MISSING


def number(name: str, value: Any, code: int = 28765) -> Number:
    """Returns a number. Raises `code`: the operator takes numbers only."""
    if not is_number(value):
        raise CommandError(code, f"{name} only supports numeric types, not {type_name(value)}")
    return value  # type: ignore[no-any-return]


def is_date(value: Any) -> bool:
    """True for a date."""
    return isinstance(value, datetime) or type_name(value) == "date"


def to_long(value: Number) -> int:
    """Returns a number as the long that the server's expressions make of it.

    Doubles are cut. Decimals are rounded half to even, and those without a long are the least one.

    Raises:
        CommandError: 31109, a double has no long.
    """
    if isinstance(value, Decimal128):
        number = value.to_decimal()
        rounded = int(number.to_integral_value(ROUND_HALF_EVEN)) if number.is_finite() else INT64_MIN
        return rounded if fits_long(rounded) else INT64_MIN
    if isinstance(value, float) and not -_BEYOND_LONG <= value < _BEYOND_LONG:
        raise CommandError(31109, f"Can't coerce out of range value {value:g} to long")
    return int(value)
