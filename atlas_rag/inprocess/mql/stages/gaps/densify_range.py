"""The `range` of `$densify`: bounds, and the steps between values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.dates import units
from atlas_rag.inprocess.mql.expressions.operands import is_date
from atlas_rag.inprocess.mql.expressions.operators.arithmetic import add, multiply
from atlas_rag.inprocess.mql.expressions.operators.date_units import within_calendar
from atlas_rag.inprocess.mql.stages.structs import Struct
from atlas_rag.inprocess.mql.values import compare, type_name
from atlas_rag.inprocess.mql.values.numbers import to_decimal, whole
from atlas_rag.inprocess.mql.values.types import is_number

STRUCT = Struct({"step": "number", "bounds": "any", "unit": "string"}, ("step", "bounds"))


class Range(NamedTuple):
    """Which values a series is to have.

    Args:
        step: how far a value lies from the next, in units of time for dates.
        bounds: "full", "partition", or the first value and the one to stop before.
    """

    step: Any
    unit: str | None
    bounds: str | tuple[Any, Any]

    def next(self, value: Any) -> Any:
        """Returns the value one step on."""
        return self._moved(value, 1)

    def back_and_on(self, value: Any) -> Any:
        """Returns the value one step before one step on, where the server lets a series begin.

        Mostly the value itself; but its type may be the step's, and two months before 31 January is November.
        """
        return self._moved(self._moved(value, -1), 1)

    def _moved(self, value: Any, sign: int) -> Any:
        unit = self.unit
        if unit is None:
            return add((value, multiply((sign, self.step))))
        return within_calendar(lambda: units.add(value, unit, sign * (whole(self.step) or 0), UTC))

    def check(self, value: Any) -> None:
        """Refuses a value of the collection that has no place in the series."""
        if is_number(value):
            if self.unit is not None:
                text = "Encountered numeric densify value in collection when step has a date unit."
                raise CommandError(6053600, text)
        elif not is_date(value):
            raise CommandError(5733201, "Densify field type must be numeric or a date")
        elif self.unit is None:
            text = "Encountered date densify value in collection when step does not have a date unit."
            raise CommandError(6053600, text)


def read_range(given: Mapping[str, Any]) -> Range:
    """Returns a checked range.

    Args:
        given: the fields of a `STRUCT`.

    Raises:
        CommandError: code 9 (unit), 5733401, 6586400 (step), 5733402 to 5733410, 5876900, 5946800, 5946802
            (bounds).
    """
    unit, step, bounds = given.get("unit"), given["step"], given["bounds"]
    if to_decimal(step).is_nan() or to_decimal(step) <= 0:
        text = "The step parameter in a range statement must be a strictly positive numeric value"
        raise CommandError(5733401, text)
    if unit is not None and whole(step) is None:
        text = "The step parameter in a range statement must be a whole number when densifying a date range"
        raise CommandError(6586400, text)
    if unit is not None:
        units.checked_unit(unit)
    if isinstance(bounds, str):
        if bounds not in ("full", "partition"):
            raise CommandError(5946802, "Bounds string must either be 'full' or 'partition'")
        return Range(step, unit, bounds)
    if isinstance(bounds, list):
        return Range(step, unit, _explicit_bounds(bounds, step, unit))
    text = "The bounds in a range statement must be the string 'full', 'partition', or an ascending array"
    raise CommandError(5733404, f"{text} of two numbers or two dates")


def _explicit_bounds(bounds: list[Any], step: Any, unit: str | None) -> tuple[Any, Any]:
    if len(bounds) != 2:
        text = "A bounding array in a range statement must have exactly two elements"
        raise CommandError(5733403, text)
    low, high = bounds
    if compare(low, high) > 0:
        text = "A bounding array must be an ascending array of either two dates or two numbers"
        raise CommandError(5733402, text)
    if is_number(low):
        _check_numbers(low, high, step, unit)
    elif is_date(low):
        _check_dates(high, unit)
    else:
        raise CommandError(5946800, "Explicit bounds must be numeric or dates")
    return low, high


_MIXED = "A bounding array must contain either both dates or both numeric types"


def _check_numbers(low: Any, high: Any, step: Any, unit: str | None) -> None:
    if unit is not None:
        raise CommandError(5733409, "Numeric bounds may not have unit parameter")
    if not is_number(high):
        raise CommandError(5733406, _MIXED)
    if len({type_name(low), type_name(high), type_name(step)}) > 1:
        text = "Upper bound, lower bound, and step must all have the same type"
        raise CommandError(5876900, text)


def _check_dates(high: Any, unit: str | None) -> None:
    if not is_date(high):
        raise CommandError(5733405, _MIXED)
    if unit is None:
        raise CommandError(5733410, "A bounding array of dates must specify a unit")
