"""Dates as numbers of milliseconds, and back."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from bson import DatetimeMS

_EPOCH = datetime(1970, 1, 1)
EPOCH_ORDINAL = _EPOCH.toordinal()
MILLISECONDS_A_DAY = 86_400_000
_DAYS_IN_400_YEARS = 146_097


def from_milliseconds(value: int) -> Any:
    """Returns a date; one outside the years 1 to 9999 as `bson.DatetimeMS`."""
    try:
        return _EPOCH + timedelta(milliseconds=value)
    except OverflowError:
        return DatetimeMS(value)


def ordinal_of_month(months: int) -> int:
    """Returns the day number (1 is the first day of year 1) on which a month begins, in any year.

    Args:
        months: months since January of the year 0; years outside 1 to 9999 follow the same calendar.
    """
    year, month = divmod(months, 12)
    cycles, year = divmod(year, 400)
    return date(year + 400, month + 1, 1).toordinal() + (cycles - 1) * _DAYS_IN_400_YEARS
