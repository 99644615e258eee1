"""Dates: their parts, their text, arithmetic with units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from bson import DatetimeMS, Int64, ObjectId, Timestamp

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import (
    check_names,
    compile_in_order,
    compile_named,
    named,
    require,
)
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.dates.formats import (
    ISO_LOCAL,
    ISO_UTC,
    check_format,
    check_read_format,
    format_date,
    parse_date,
    sunday_week,
)
from atlas_rag.inprocess.mql.expressions.dates.milliseconds import (
    EPOCH_ORDINAL,
    MILLISECONDS_A_DAY,
    from_milliseconds,
    ordinal_of_month,
)
from atlas_rag.inprocess.mql.expressions.dates.zones import find_zone, local, to_utc
from atlas_rag.inprocess.mql.expressions.define import call, call_with_fallbacks, lazy_call, special
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import whole
from atlas_rag.inprocess.mql.values.shown import shown
from atlas_rag.inprocess.mql.values.types import INT64_MAX
from atlas_rag.inprocess.rendering import render_field

Later = Callable[[], Any]


def as_date(value: Any) -> datetime:
    """Returns a date, also of an ObjectId or a timestamp, in UTC without zone. Raises 16006."""
    if isinstance(value, datetime):
        return value if value.tzinfo is None else to_utc(value.replace(tzinfo=None), value.tzinfo)
    if isinstance(value, ObjectId):
        return value.generation_time.replace(tzinfo=None)
    if isinstance(value, Timestamp):
        return datetime(1970, 1, 1) + timedelta(seconds=value.time)
    if isinstance(value, DatetimeMS):
        raise CommandError(115, "dates beyond the years 1 to 9999 have no parts in the in-process engine")
    raise CommandError(16006, f"can't convert from BSON type {type_name(value)} to Date")


def is_dated(value: Any) -> bool:
    """True for what `as_date` takes."""
    return isinstance(value, (datetime, ObjectId, Timestamp, DatetimeMS))


def zone_of(name: str, value: Any) -> tzinfo | None:
    """Returns the zone an argument names, UTC if it was not given, None if it is null.

    Raises 40533, or 40517 for the operators that look at the whole date.
    """
    if nullish(value) or isinstance(value, tzinfo):
        return None if nullish(value) else UTC
    if not isinstance(value, str):
        if name.startswith("$date"):
            raise CommandError(40517, f"timezone must evaluate to a string, found {type_name(value)}")
        text = f"but was given a {type_name(value)} ({shown(value)})"
        raise CommandError(40533, f"{name} requires a string for the timezone argument, {text}")
    return find_zone(value)


def _part(name: str, read: Callable[[datetime], int]) -> None:
    def apply(date: Any, zone_name: Any) -> Any:
        if nullish(date):
            return None
        moment, zone = as_date(date), zone_of(name, zone_name)
        return None if zone is None else read(local(moment, zone))

    @special(name)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        return call(apply, _date_and_zone(name, argument, scope))


def _date_and_zone(name: str, argument: Any, scope: Scope) -> list[Evaluate]:
    if isinstance(argument, list):
        if len(argument) != 1:
            text = f"accepts exactly one argument if given an array, but was given {len(argument)}"
            raise CommandError(40536, f"{name} {text}")
        argument = argument[0]
    elif isinstance(argument, Mapping) and not next(iter(argument), "").startswith("$"):
        unknown = (40535, f'unrecognized option to {name}: "{{}}"')
        compiled = compile_in_order(argument, ("date", "timezone"), unknown, scope)
        if "date" not in argument:
            text = f"missing 'date' argument to {name}, provided: {render_field(name, argument)}"
            raise CommandError(40539, text)
        return [compiled["date"], compiled.get("timezone", Constant(UTC))]
    return [compile_expression(argument, scope), Constant(UTC)]


_part("$year", lambda wall: wall.year)
_part("$month", lambda wall: wall.month)
_part("$dayOfMonth", lambda wall: wall.day)
_part("$dayOfYear", lambda wall: wall.timetuple().tm_yday)
_part("$dayOfWeek", lambda wall: wall.isoweekday() % 7 + 1)
_part("$hour", lambda wall: wall.hour)
_part("$minute", lambda wall: wall.minute)
_part("$second", lambda wall: wall.second)
_part("$millisecond", lambda wall: wall.microsecond // 1000)
_part("$week", sunday_week)
_part("$isoWeek", lambda wall: wall.isocalendar().week)
_part("$isoWeekYear", lambda wall: Int64(wall.isocalendar().year))
_part("$isoDayOfWeek", lambda wall: wall.isoweekday())


@special("$dateToString")
def date_to_string(argument: Any, scope: Scope) -> Evaluate:
    """A date as text, ISO 8601 by default."""
    names = ("date", "format", "timezone", "onNull")
    given = named(argument, 18629, "$dateToString only supports an object as its argument")
    check_names(given, names, (18534, "Unrecognized argument to $dateToString: {}"))
    require(given, "Missing '{}' parameter to $dateToString", {"date": 18628})

    def apply(date: Any, pattern: Any, zone_name: Any, on_null: Later) -> Any:
        if isinstance(pattern, str):
            check_format(pattern)
        elif not (nullish(pattern) or pattern is UTC):
            text = f"found: {type_name(pattern)} with value {shown(pattern)}"
            raise CommandError(18533, f"$dateToString requires that 'format' be a string, {text}")
        zone = zone_of("$dateToString", zone_name)
        if nullish(date):
            return on_null()
        if zone is None or nullish(pattern):
            return None
        if pattern is UTC:
            pattern = ISO_UTC if zone_name is UTC or zone_name == "UTC" else ISO_LOCAL + "Z"
        return format_date(as_date(date), pattern, zone)

    # UTC stands for "not given", which is not the same as null.
    compiled = compile_named(given, names, scope, format=UTC, timezone=UTC)
    return call_with_fallbacks(apply, list(compiled.values()), 1)


@special("$dateFromString")
def date_from_string(argument: Any, scope: Scope) -> Evaluate:
    """A date read from text."""
    names = ("dateString", "timezone", "format", "onNull", "onError")
    given = named(argument, 40540, "$dateFromString only supports an object as an argument, found: {}")
    check_names(given, names, (40541, "Unrecognized argument to $dateFromString: {}"))
    require(given, "Missing '{}' parameter to $dateFromString", {"dateString": 40542})

    def apply(text: Any, zone_name: Any, pattern: Any, on_null: Later, on_error: Later) -> Any:
        if isinstance(pattern, str):
            check_read_format(pattern)
        elif not (nullish(pattern) or pattern is UTC):
            found = f"found: {type_name(pattern)} with value {shown(pattern)}"
            raise CommandError(40684, f"$dateFromString requires that 'format' be a string, {found}")
        zone = None if zone_name is UTC else zone_of("$dateFromString", zone_name)
        if nullish(text):
            return on_null()
        try:
            if not isinstance(text, str):
                found = f"found: {type_name(text)} with value {shown(text)}"
                raise CommandError(241, f"$dateFromString requires that 'dateString' be a string, {found}")
            if nullish(zone_name) or nullish(pattern):
                return None
            return parse_date(text, None if pattern is UTC else pattern, zone)
        except CommandError as error:
            if error.code != 241 or "onError" not in given:
                raise
            return on_error()

    compiled = compile_named(given, names, scope, format=UTC, timezone=UTC)
    return call_with_fallbacks(apply, list(compiled.values()), 2)


@special("$dateToParts")
def date_to_parts(argument: Any, scope: Scope) -> Evaluate:
    """A document of a date's parts, of the civil or the ISO week calendar."""
    names = ("date", "timezone", "iso8601")
    given = named(argument, 40524, "$dateToParts only supports an object as its argument")
    check_names(given, names, (40520, "Unrecognized argument to $dateToParts: {}"))
    require(given, "Missing '{}' parameter to $dateToParts", {"date": 40522})

    def apply(date: Any, zone_name: Any, iso: Any) -> Any:
        zone = zone_of("$dateToParts", zone_name)
        if zone is None or nullish(iso):
            return None
        if not isinstance(iso, bool):
            raise CommandError(40521, f"iso8601 must evaluate to a bool, found {type_name(iso)}")
        if nullish(date):
            return None
        wall = local(as_date(date), zone)
        year, week, day = wall.isocalendar()
        first = {"isoWeekYear": year, "isoWeek": week, "isoDayOfWeek": day}
        if not iso:
            first = {"year": wall.year, "month": wall.month, "day": wall.day}
        clock = {"hour": wall.hour, "minute": wall.minute, "second": wall.second}
        return {**first, **clock, "millisecond": wall.microsecond // 1000}

    return call(apply, list(compile_named(given, names, scope, timezone=UTC, iso8601=False).values()))


_CIVIL = ("year", "month", "day")
_ISO = ("isoWeekYear", "isoWeek", "isoDayOfWeek")
_CLOCK = ("hour", "minute", "second", "millisecond")


@special("$dateFromParts")
def date_from_parts(argument: Any, scope: Scope) -> Evaluate:
    """A date made of its parts; a part beyond its range carries over into the next."""
    known = (*_CIVIL, *_CLOCK, *_ISO, "timezone")
    given = named(argument, 40519, "$dateFromParts only supports an object as its argument")
    check_names(given, known, (40518, "Unrecognized argument to $dateFromParts: {}"))
    if "year" not in given and "isoWeekYear" not in given:
        raise CommandError(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present")
    iso = "year" not in given
    if any(key in given for key in (_CIVIL if iso else _ISO)):
        code, kinds = (40525, "ISO dates with natural") if iso else (40489, "natural dates with ISO")
        raise CommandError(code, f"$dateFromParts does not allow mixing {kinds} dates")
    days = _ISO if iso else _CIVIL
    defaults = {**dict.fromkeys(days, 1), **dict.fromkeys(_CLOCK, 0)}
    compiled = compile_named(given, known, scope, timezone=UTC, **defaults)

    def apply(values: Iterator[Any]) -> Any:
        clock = _part_values(_CLOCK, values)
        zone = None if clock is None else zone_of("$dateFromParts", next(values))
        day = None if zone is None else _part_values(days, values)
        if clock is None or zone is None or day is None:
            return None
        _check_year(days[0], day[0])
        return _assembled(day, clock, iso, zone)

    return lazy_call(apply, [compiled[name] for name in (*_CLOCK, "timezone", *days)])


def _part_values(names: tuple[str, ...], values: Iterator[Any]) -> list[int] | None:
    """Returns the next parts as integers; None if one is null, which ends the evaluation."""
    numbers = []
    for name, value in zip(names, values, strict=False):
        if nullish(value):
            return None
        numbers.append(_part_value(name, value))
    return numbers


def _part_value(name: str, value: Any) -> int:
    number = whole(value)
    if number is None:
        found = f"found {type_name(value)} with value {shown(value)}"
        raise CommandError(40515, f"'{name}' must evaluate to an integer, {found}")
    if name in ("year", "isoWeekYear"):
        return number  # checked when all parts are known
    if name not in ("second", "millisecond") and not -32768 <= number <= 32767:
        text = f"must evaluate to a value in the range [-32768, 32767]; value {number} is not in range"
        raise CommandError(31034, f"'{name}' {text}")
    return number


def _check_year(name: str, number: int) -> None:
    if not 1 <= number <= 9999:
        code = 40523 if name == "year" else 31095
        text = f"must evaluate to an integer in the range 1 to 9999, found {number}"
        raise CommandError(code, f"'{name}' {text}")


def _assembled(day_parts: list[int], clock_parts: list[int], iso: bool, zone: tzinfo) -> Any:
    year, second, third = day_parts
    hour, minute, seconds, milliseconds = clock_parts
    if max(abs(seconds), abs(milliseconds)) > INT64_MAX // 1000:
        text = "Overflow casting from a lower-precision duration to a higher-precision duration"
        raise CommandError(159, text)
    if iso:
        first = datetime.fromisocalendar(year, 1, 1).toordinal() + 7 * (second - 1)
    else:
        first = ordinal_of_month(year * 12 + second - 1)
    clock = ((hour * 60 + minute) * 60 + seconds) * 1000 + milliseconds
    wall = from_milliseconds((first + third - 1 - EPOCH_ORDINAL) * MILLISECONDS_A_DAY + clock)
    if zone is UTC:
        return wall
    return to_utc(as_date(wall), zone, later=True)
