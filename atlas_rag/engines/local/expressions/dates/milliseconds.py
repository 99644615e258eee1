"""Dates as numbers of milliseconds, and back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from bson import DatetimeMS

_EPOCH = datetime(1970, 1, 1)


def from_milliseconds(value: int) -> Any:
    """Returns a date; one outside the years 1 to 9999 as `bson.DatetimeMS`."""
    try:
        return _EPOCH + timedelta(milliseconds=value)
    except OverflowError:
        return DatetimeMS(value)
