"""Time units: adding them to dates, counting them between dates, cutting dates to them.

Years to days move the wall clock of the time zone; hours and less are fixed spans of time.
"""

from __future__ import annotations

import calendar
from datetime import datetime, timedelta, tzinfo
from typing import Final

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.dates.zones import local, to_utc
from atlas_rag.inprocess.mql.values.types import INT64_MAX

UNITS: Final = ("year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond")
_MONTHS = {"year": 12, "quarter": 3, "month": 1}
_DAYS = {"week": 7, "day": 1}
MILLISECONDS = {"hour": 3_600_000, "minute": 60_000, "second": 1000, "millisecond": 1}
DAY_MILLISECONDS = {**MILLISECONDS, "day": 86_400_000, "week": 7 * 86_400_000}
# Bins are counted from here; it is a Saturday.
_REFERENCE = datetime(2000, 1, 1)
_MOST_UNITS = 100_000_000_000
_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def weekday_of(name: str) -> int | None:
    """Returns the day of a week that a name or its first three letters means, Monday 0; None if none."""
    lowered = name.lower()
    for day, full in enumerate(_DAY_NAMES):
        if lowered in (full, full[:3]):
            return day
    return None


def add_months(wall: datetime, months: int) -> datetime:
    """Returns a wall clock some months later, on the last day of the month where it has no such day."""
    total = wall.year * 12 + wall.month - 1 + months
    year, month = total // 12, total % 12 + 1
    if not 1 <= year <= 9999:
        raise OverflowError("year out of range")
    return wall.replace(year=year, month=month, day=min(wall.day, calendar.monthrange(year, month)[1]))


# As many milliseconds as 64 bits count, in days; amounts are held against it with years of 365 days.
_MOST_DAYS = 2**64 // DAY_MILLISECONDS["day"]


def check_amount(amount: int, unit: str) -> None:
    """Checks how many units may be added to a date. Raises 5976500."""
    if unit in _MONTHS:
        fits = abs(amount) // (12 // _MONTHS[unit]) <= _MOST_DAYS // 365
    elif unit in _DAYS:
        fits = abs(amount) <= _MOST_DAYS // _DAYS[unit]
    else:
        fits = abs(amount) // (DAY_MILLISECONDS["day"] // MILLISECONDS[unit]) <= _MOST_DAYS
    if not fits:
        raise CommandError(5976500, f"invalid dateAdd 'amount' parameter value: {amount} {unit}")


def add(moment: datetime, unit: str, amount: int, zone: tzinfo) -> datetime:
    """Returns a date some units later. Raises `OverflowError` beyond the years 1 to 9999."""
    if unit in MILLISECONDS:
        return moment + timedelta(milliseconds=amount * MILLISECONDS[unit])
    wall = local(moment, zone)
    if unit in _MONTHS:
        return to_utc(add_months(wall, amount * _MONTHS[unit]), zone)
    return to_utc(wall + timedelta(days=amount * _DAYS[unit]), zone)


def difference(start: datetime, end: datetime, unit: str, zone: tzinfo, first_day: int) -> int:
    """Returns how many boundaries between units lie between two dates."""
    if unit in ("second", "millisecond"):
        return _boundaries(start, end, MILLISECONDS[unit])
    first, last = local(start, zone), local(end, zone)
    if unit in MILLISECONDS:
        return _boundaries(first, last, MILLISECONDS[unit]) + _shift(start, end, first, last, unit)
    if unit in _MONTHS:
        return _months(last) // _MONTHS[unit] - _months(first) // _MONTHS[unit]
    if unit == "day":
        return last.toordinal() - first.toordinal()
    return _week(last, first_day) - _week(first, first_day)


def _shift(start: datetime, end: datetime, first: datetime, last: datetime, unit: str) -> int:
    """Corrects a difference of wall clocks by a change of offset in between: hours are time that passed."""
    change = (end - last) - (start - first)
    return change // timedelta(milliseconds=1) // MILLISECONDS[unit]


def _months(wall: datetime) -> int:
    return wall.year * 12 + wall.month - 1


def _week(wall: datetime, first_day: int) -> int:
    return (wall.toordinal() - 1 - first_day) // 7


def _boundaries(start: datetime, end: datetime, width: int) -> int:
    return _elapsed(end) // width - _elapsed(start) // width


def _elapsed(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1)) // timedelta(milliseconds=1)


def truncate(moment: datetime, unit: str, size: int, zone: tzinfo, first_day: int) -> datetime:
    """Returns the beginning of the bin of `size` units, counted from the year 2000, that holds a date."""
    _check_bin(unit, size)
    wall = local(moment, zone)
    if unit in MILLISECONDS:
        return _truncated_span(moment, MILLISECONDS[unit] * size, zone)
    if unit in _MONTHS:
        width = _MONTHS[unit] * size
        passed = _months(wall) - _months(_REFERENCE)
        return to_utc(add_months(_REFERENCE, passed // width * width), zone)
    start = _REFERENCE
    if unit == "week":
        start += timedelta(days=(first_day - _REFERENCE.weekday()) % 7)
    width = _DAYS[unit] * size
    passed = wall.toordinal() - start.toordinal()
    return to_utc(start + timedelta(days=passed // width * width), zone)


def _check_bin(unit: str, size: int) -> None:
    """Checks a size of bins as it is held in 64 bits. Raises 5439002, 5439006."""
    if unit in MILLISECONDS:
        if size * MILLISECONDS[unit] > INT64_MAX:
            raise CommandError(5439002, "dateTrunc overflowed")
    elif size > _MOST_UNITS:
        raise CommandError(5439006, "dateTrunc unsupported binSize value")


def _truncated_span(moment: datetime, width: int, zone: tzinfo) -> datetime:
    start = to_utc(_REFERENCE, zone)
    passed = (moment - start) // timedelta(milliseconds=1)
    return start + timedelta(milliseconds=passed // width * width)


def checked_unit(unit: str) -> str:
    """Returns a unit. Raises code 9 for an unknown one."""
    if unit not in UNITS:
        raise CommandError(9, f"unknown time unit value: {unit}")
    return unit
