"""How an index compares numbers, where that differs from comparing them exactly."""

from __future__ import annotations

from enum import Enum
from typing import Final

from atlas_rag.query.filter import Comparison

EXACT_DOUBLES: Final = 2**53
"""Below it every integer is a double of its own."""
LONG_MAX: Final = 2**63 - 1
LONG_MIN: Final = -(2**63)
ABOVE_LONGS: Final = 2.0**63


class Decision(Enum):
    """What a comparison finds against what it means."""

    EXACT = "all that is meant and nothing else"
    MORE = "all that is meant, and perhaps more"
    WRONG = "perhaps not all that is meant"

    def negated(self) -> Decision:
        """Of the complement: what finds too much leaves out too much."""
        return Decision.WRONG if self is Decision.MORE else self


def as_doubles(condition: Comparison) -> Decision:
    """Decides a comparison whose index compares 64-bit integers as doubles: 2^53 and 2^53 + 1 are one."""
    decisions = {_as_double(condition.operator, value) for value in _numbers(condition)}
    return _worst(decisions)


def as_longs(condition: Comparison) -> Decision:
    """Decides a comparison whose index keeps integers: fractions are cut off toward 0, NaN is 0.

    Source: `representation: int64`, measured on the engine (12.7 is 12, 1e300 the largest integer).
    """
    decisions = {_as_long(condition.operator, value) for value in _numbers(condition)}
    return _worst(decisions)


def _as_double(operator: str, value: float) -> Decision:
    if abs(value) < EXACT_DOUBLES or abs(value) > ABOVE_LONGS:
        return Decision.EXACT
    return Decision.MORE if operator in ("eq", "in", "gte", "lte") else Decision.WRONG


def _as_long(operator: str, value: float) -> Decision:
    if isinstance(value, float):  # has a fraction, or lies beyond all integers
        return Decision.WRONG
    more = wrong = False
    if operator in ("eq", "in"):
        more = abs(value) < EXACT_DOUBLES or value in (LONG_MIN, LONG_MAX)
    elif operator == "gt":
        wrong = 0 <= value < EXACT_DOUBLES or value == LONG_MAX
    elif operator == "lt":
        wrong = -EXACT_DOUBLES < value <= 0 or value == LONG_MIN
    elif operator == "gte":
        more = -EXACT_DOUBLES < value <= 0 or value == LONG_MIN
    else:
        more = 0 <= value < EXACT_DOUBLES or value == LONG_MAX
    return Decision.WRONG if wrong else Decision.MORE if more else Decision.EXACT


def _numbers(condition: Comparison) -> list[float]:
    values = condition.value if isinstance(condition.value, tuple) else (condition.value,)
    return [one for one in values if isinstance(one, (int, float)) and not isinstance(one, bool)]


def _worst(decisions: set[Decision]) -> Decision:
    return next((one for one in (Decision.WRONG, Decision.MORE) if one in decisions), Decision.EXACT)
