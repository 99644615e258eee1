"""`range`: between bounds of one type that has an order."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from bson.datetime_ms import DatetimeMS

from atlas_rag.grammar.kit import Document, Rule, at_most_one, field
from atlas_rag.grammar.kit.bson_types import is_number
from atlas_rag.grammar.literals import COMPARABLE, kind_of
from atlas_rag.grammar.operators.common import DOES_NOT_AFFECT, FIELDS
from atlas_rag.grammar.problem import At, Found, problem
from atlas_rag.grammar.scores import SCORE

_BOUNDS: Final = ("gt", "gte", "lt", "lte")
_RANGED: Final = frozenset({"DATE", "NUMBER", "OBJECT_ID", "STRING", "UUID"})


def _bound(document: Mapping[str, Any], exclusive: str, inclusive: str) -> tuple[Any, bool]:
    value = document.get(exclusive)
    return (document.get(inclusive), True) if value is None else (value, False)


def _at_least_one_bound(document: Mapping[str, Any], at: At, found: Found) -> None:
    if all(document.get(name) is None for name in _BOUNDS):
        found.append(problem(at, "must specify at least one of [lt, lte, gt, gte]", "one-of"))


def _ordered_bounds(document: Mapping[str, Any], at: At, found: Found) -> None:
    lower, lower_inclusive = _bound(document, "gt", "gte")
    upper, upper_inclusive = _bound(document, "lt", "lte")
    kinds = {kind_of(value) for value in (lower, upper) if value is not None}
    kind = next(iter(kinds), None)
    if len(kinds) > 1:
        found.append(problem(at, "bounds must be of the same type", "mixed-types"))
    elif kind is not None and kind not in _RANGED:
        found.append(problem(at, f"range operator does not support {kind} point type", "type"))
    elif lower is not None and upper is not None:
        order = compare(lower, upper)
        if order is not None and order > 0:
            found.append(problem(at, "gt/gte must not be greater than lt/lte", "bounds"))
        elif order == 0 and not (lower_inclusive and upper_inclusive):
            found.append(problem(at, "bounds must both be inclusive if they are equal", "bounds"))


def compare(low: Any, high: Any) -> int | None:
    """Negative, 0 or positive for two values of one kind; None where NaN meets an integer.

    Two doubles are ordered as Java's `Double.compare` does, −0.0 below 0.0 and NaN above everything; an
    integer and a double are compared as doubles.
    """
    if is_number(low) and isinstance(low, float) != isinstance(high, float):
        low, high = float(low), float(high)
        return None if math.isnan(low + high) else (low > high) - (low < high)
    low, high = _order(low), _order(high)
    return bool(low > high) - bool(low < high)


def _order(value: Any) -> Any:
    """What values of one kind are ordered by, whichever Python type stands for them."""
    if isinstance(value, float):
        return _double_order(value)
    if isinstance(value, datetime | DatetimeMS):
        return int(DatetimeMS(value)) if isinstance(value, datetime) else int(value)
    return value.bytes if isinstance(value, UUID) else value


def _double_order(value: float) -> tuple[bool, float, float]:
    if math.isnan(value):
        return (True, 0.0, 0.0)
    return (False, value, math.copysign(1.0, value))


RANGE: Final = Document(
    SCORE,
    at_most_one(field("gt", COMPARABLE), field("gte", COMPARABLE)),
    at_most_one(field("lt", COMPARABLE), field("lte", COMPARABLE)),
    Rule(_at_least_one_bound, *_BOUNDS),
    FIELDS,
    DOES_NOT_AFFECT,
    Rule(_ordered_bounds, *_BOUNDS),
)
