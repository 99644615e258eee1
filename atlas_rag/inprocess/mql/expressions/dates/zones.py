"""Time zones, as Olson names or offsets from UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from atlas_rag.inprocess.errors import CommandError

_OFFSET = re.compile(r"([+-])(\d{2})(?::?(\d{2}))?")


@lru_cache(maxsize=64)
def find_zone(name: str) -> tzinfo:
    """Returns a time zone. Raises 40485 for a name that is unknown."""
    if match := _OFFSET.fullmatch(name):
        sign, hours, minutes = match.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
        return timezone(-offset if sign == "-" else offset)
    if name in ("UTC", "GMT", "Z"):
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise CommandError(40485, f'unrecognized time zone identifier: "{name}"') from None


def local(moment: datetime, zone: tzinfo) -> datetime:
    """Returns the wall clock of a zone at a moment given in UTC, without zone."""
    if zone is UTC:
        return moment
    return moment.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)


def to_utc(wall: datetime, zone: tzinfo, *, later: bool = False) -> datetime:
    """Returns the moment in UTC at which a zone's wall clock shows a time.

    Args:
        later: of the two moments that show a time when clocks are put back, take the second.
    """
    if zone is UTC:
        return wall
    first, second = wall.replace(tzinfo=zone), wall.replace(tzinfo=zone, fold=1)
    is_shown_twice = second.astimezone(UTC) > first.astimezone(UTC)
    chosen = second if later and is_shown_twice else first
    return chosen.astimezone(UTC).replace(tzinfo=None)


def offset_minutes(moment: datetime, zone: tzinfo) -> int:
    """Returns a zone's distance from UTC at a moment, in minutes."""
    offset = moment.replace(tzinfo=UTC).astimezone(zone).utcoffset() or timedelta()
    return int(offset.total_seconds()) // 60
