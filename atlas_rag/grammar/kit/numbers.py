"""Numbers as the engine coerces them: int32, int64 and double are taken, Decimal128 never.

An integer field takes a double without a fraction; a float field is checked against the range of 32 bit
floats before anything else, because the engine narrows first and compares afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from atlas_rag.grammar.kit.bson_types import is_number
from atlas_rag.grammar.problem import At, Found, problem

INT32_MIN: Final = -(1 << 31)
INT32_MAX: Final = (1 << 31) - 1
FLOAT32_MAX: Final = 3.4028234663852886e38
_HALF_FLOAT32_DENORMAL: Final = 2.0**-150  # at or below it a positive number narrows to 0


class Range:
    """A condition on a number and the words for breaking it."""

    __slots__ = ("complaint", "holds")

    def __init__(self, holds: Callable[[float], bool], complaint: str) -> None:
        self.holds, self.complaint = holds, complaint


NOT_NEGATIVE: Final = Range(lambda value: value >= 0, "cannot be negative")
POSITIVE: Final = Range(lambda value: value > 0, "must be positive")
NONZERO: Final = Range(lambda value: value != 0, "must be nonzero")


def within(low: float, high: float) -> Range:
    """Bounds that belong to the range: `[1..1000]`, `[0.0..1.0]`. Minus zero lies below zero, as in Java."""
    return Range(
        lambda value: low <= value <= high and not _is_minus_zero(value, low),
        f"must be within bounds [{low}..{high}]",
    )


def _is_minus_zero(value: float, low: float) -> bool:
    return value == 0 == low and math.copysign(1.0, value) < 0


BETWEEN_0_AND_1: Final = Range(lambda value: 0 < value < 1, "must be between 0 and 1 (exclusive)")


class Int32:
    """An integer of 32 bits, in a range."""

    __slots__ = ("_range",)

    def __init__(self, allowed: Range | None = None) -> None:
        self._range = allowed

    def check(self, value: Any, at: At, found: Found) -> None:
        complaint = _integer_complaint(value)
        if complaint is not None:
            found.append(problem(at, complaint, "integer"))
        elif self._range is not None and not self._range.holds(value):
            found.append(problem(at, self._range.complaint, "bounds"))


def _integer_complaint(value: Any) -> str | None:
    if not is_number(value):
        return "must be a integer"
    if isinstance(value, float) and (math.isnan(value) or (math.isfinite(value) and value % 1)):
        return "must be an integer"
    if value > INT32_MAX:
        return "overflowed, must fit in a 32 bit integer"
    if value < INT32_MIN:
        return "underflowed, must fit in a 32 bit integer"
    return None


class Double:
    """A number of 64 bits, finite unless said otherwise, in a range."""

    __slots__ = ("_finite", "_range")

    def __init__(self, allowed: Range | None = None, *, finite: bool = True) -> None:
        self._range, self._finite = allowed, finite

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_number(value):
            found.append(problem(at, "must be a number", "type"))
        elif self._finite and not math.isfinite(value):
            found.append(problem(at, "must be finite", "finite"))
        elif self._range is not None and not self._range.holds(value):
            found.append(problem(at, self._range.complaint, "bounds"))


class Float32:
    """A number that is narrowed to 32 bits before it is judged."""

    __slots__ = ("_finite", "_range")

    def __init__(self, allowed: Range | None = None, *, finite: bool = True) -> None:
        self._range, self._finite = allowed, finite

    def check(self, value: Any, at: At, found: Found) -> None:
        complaint = self._complaint(value)
        if complaint is not None:
            found.append(problem(at, complaint, "bounds"))

    def _complaint(self, value: Any) -> str | None:
        if not is_number(value):
            return "must be a number"
        if math.isfinite(value) and abs(value) > FLOAT32_MAX:
            flow = "overflowed" if value > 0 else "underflowed"
            return f"{flow}, must fit in a 32 bit floating point number"
        if self._finite and not math.isfinite(value):
            return "must be finite"
        narrow = math.copysign(0.0, value) if abs(value) <= _HALF_FLOAT32_DENORMAL else value
        if self._range is not None and not self._range.holds(narrow):
            return self._range.complaint
        return None
