"""Dates as text: `%Y-%m-%d` and its like, in both directions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.dates.zones import find_zone, local, offset_minutes, to_utc

ISO_UTC, ISO_LOCAL = "%Y-%m-%dT%H:%M:%S.%LZ", "%Y-%m-%dT%H:%M:%S.%L"


def sunday_week(wall: datetime) -> int:
    """Returns the week of the year; weeks begin on Sunday, days before the first are in week 0."""
    return (wall.timetuple().tm_yday + 6 - wall.isoweekday() % 7) // 7


_WRITERS: dict[str, Callable[[datetime], str]] = {
    "d": lambda wall: f"{wall.day:02d}",
    "G": lambda wall: f"{wall.isocalendar().year:04d}",
    "H": lambda wall: f"{wall.hour:02d}",
    "j": lambda wall: f"{wall.timetuple().tm_yday:03d}",
    "L": lambda wall: f"{wall.microsecond // 1000:03d}",
    "m": lambda wall: f"{wall.month:02d}",
    "M": lambda wall: f"{wall.minute:02d}",
    "S": lambda wall: f"{wall.second:02d}",
    "u": lambda wall: str(wall.isoweekday()),
    "U": lambda wall: f"{sunday_week(wall):02d}",
    "V": lambda wall: f"{wall.isocalendar().week:02d}",
    "w": lambda wall: str(wall.isoweekday() % 7 + 1),
    "Y": lambda wall: f"{wall.year:04d}",
    "%": lambda wall: "%",
}


def check_format(pattern: str) -> None:
    """Checks a format. Raises 18535, 18536."""
    for match in re.finditer(r"%(.?)", pattern, flags=re.S):
        code = match.group(1)
        if not code:
            raise CommandError(18535, "Unmatched '%' at end of format string")
        if code not in _WRITERS and code not in "zZ":
            raise CommandError(18536, f"Invalid format character '%{code}' in format string")


def format_date(moment: datetime, pattern: str, zone: tzinfo) -> str:
    """Returns a date as text by a format that `check_format` has passed."""
    wall = local(moment, zone)
    return re.sub(r"%(.)", lambda match: _written(match.group(1), moment, wall, zone), pattern, flags=re.S)


def _written(code: str, moment: datetime, wall: datetime, zone: tzinfo) -> str:
    if code in _WRITERS:
        return _WRITERS[code](wall)
    minutes = offset_minutes(moment, zone)
    if code == "Z":
        return str(minutes)
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02d}{rest:02d}"


_READERS = {
    "Y": r"(?P<Y>\d{1,4}+)",
    "m": r"(?P<m>\d{1,2}+)",
    "d": r"(?P<d>\d{1,2}+)",
    "H": r"(?P<H>\d{1,2}+)",
    "M": r"(?P<M>\d{2})",
    "S": r"(?P<S>\d{2})",
    "L": r"(?P<L>\d{1,3})",
    "j": r"(?P<j>\d{3})",
    "G": r"(?P<G>\d{1,4}+)",
    "V": r"(?P<V>\d{1,2}+)",
    "u": r"(?P<u>[1-7])",
    "z": r"(?P<z>[+-]\d{2}:?\d{2}|[A-Za-z]+)",
    "Z": r"(?P<Z>[+-]\d+)",
    "b": r"(?P<b>[A-Za-z]{3})",
    "B": r"(?P<B>[A-Za-z]+)",
    "%": "%",
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

# The forms of the default parser that are certain; it also takes words, which are refused here.
_TIME = r"(?:[Tt ]\s*(?P<H>\d{1,2})(?::?(?P<M>\d{2})(?::?(?P<S>\d{2})(?:[.,](?P<L>\d{1,9}))?)?)?)?"
_ZONE = r"\s*(?P<z>Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?"
_DAYS = (
    r"(?P<Y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})",
    # Of the days of a year the server takes only those that January has.
    r"(?P<Y>\d{4})-(?P<j>0(?:0[1-9]|[12]\d|3[01]))",
    r"(?P<Y>\d{4})(?P<m>\d{2})(?P<d>\d{2})",
    r"(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<Y>\d{4})",
    r"(?P<G>\d{4})-W(?P<V>\d{2})(?:-(?P<u>[1-7]))?",
    r"(?P<Y>\d{4})-(?P<m>\d{2})",
    r"(?P<b>[A-Za-z]{3})[a-z]* (?P<d>\d{1,2}),? (?P<Y>\d{4})",
    r"(?P<d>\d{1,2}) (?P<b>[A-Za-z]{3})[a-z]* (?P<Y>\d{4})",
)
_DEFAULT = [re.compile(rf"\s*{day}{_TIME}{_ZONE}\s*") for day in _DAYS]


def parse_date(text: str, pattern: str | None, zone: tzinfo | None) -> datetime:
    """Returns a date read from text, in UTC. Raises code 241.

    Args:
        pattern: the format; None for ISO 8601 and a few others.
        zone: where the wall clock in the text is; None for UTC unless the text says so itself.
    """
    candidates = _DEFAULT if pattern is None else [_reader(pattern)]
    match = next(filter(None, (candidate.fullmatch(text) for candidate in candidates)), None)
    if match is None:
        raise _unreadable(text)
    fields = {name: value for name, value in match.groupdict().items() if value is not None}
    if pattern is not None:
        _check_complete(text, fields)
    named = fields.get("z")
    if named and zone is not None:
        kind = "GMT offset" if named[0] in "+-" else f"time zone information ('{named}')"
        text = f"you cannot pass in a date/time string with {kind} together with a timezone argument"
        raise CommandError(241, text)
    try:
        wall = _day(fields) + _time(fields)
        return to_utc(wall, _zone(fields, zone), later=True)
    except (ValueError, OverflowError):
        raise _unreadable(text) from None


def check_read_format(pattern: str) -> None:
    """Checks a format to read dates by. Raises 18535, 18536."""
    _reader(pattern)


def _check_complete(text: str, fields: Mapping[str, str]) -> None:
    """Refuses what names no day of a year, or names it in two calendars."""
    if not fields.keys().isdisjoint("GVu"):
        if not fields.keys().isdisjoint("YmdjbB"):
            raise _unreadable(text)
        return
    has_day = "j" in fields or ("d" in fields and not fields.keys().isdisjoint("mbB"))
    if "Y" not in fields or not has_day:
        reason = "an incomplete date/time string has been found, with elements missing"
        raise CommandError(241, f'{reason}: "{text}"')


def _unreadable(text: str) -> CommandError:
    return CommandError(241, f"Error parsing date string '{text}'")


@lru_cache(maxsize=64)
def _reader(pattern: str) -> re.Pattern[str]:
    pieces: list[str] = []
    places: dict[str, int] = {}
    for match in re.finditer(r"%(.?)|.", pattern, flags=re.S):
        code = match.group(1)
        if code is None:
            pieces.append(re.escape(match.group()))
            continue
        if not code:
            raise CommandError(18535, "Unmatched '%' at end of format string")
        if code not in _READERS:
            raise CommandError(18536, f"Invalid format character '%{code}' in format string")
        if code in places:  # of a field given twice the last one counts
            pieces[places[code]] = pieces[places[code]].replace(f"?P<{code}>", "?:")
        places[code] = len(pieces)
        pieces.append(_READERS[code])
    return re.compile("".join(pieces))


def _day(fields: dict[str, Any]) -> datetime:
    if "G" in fields:
        return datetime.fromisocalendar(int(fields["G"]), int(fields.get("V", 1)), int(fields.get("u", 1)))
    if "Y" not in fields:
        raise ValueError("no year")
    year = int(fields["Y"])
    if "j" in fields:
        return datetime(year, 1, 1) + timedelta(days=int(fields["j"]) - 1)
    name = fields.get("b") or fields.get("B")
    month = _MONTHS.index(name[:3].lower()) + 1 if name else int(fields.get("m", 1))
    return datetime(year, month, int(fields.get("d", 1)))


def _time(fields: dict[str, Any]) -> timedelta:
    hour, minute, second = (int(fields.get(code, 0)) for code in "HMS")
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError("no such time")
    milliseconds = int(fields.get("L", "0").ljust(3, "0")[:3])
    return timedelta(hours=hour, minutes=minute, seconds=second, milliseconds=milliseconds)


def _zone(fields: dict[str, Any], zone: tzinfo | None) -> tzinfo:
    if "Z" in fields:
        minutes = int(fields["Z"])
        return find_zone(f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}{abs(minutes) % 60:02d}")
    if "z" in fields:
        try:
            return find_zone(fields["z"].upper() if len(fields["z"]) == 1 else fields["z"])
        except CommandError:
            raise ValueError("no such zone") from None
    return zone if zone is not None else UTC
