"""`$dateAdd`, `$dateSubtract`, `$dateDiff`, `$dateTrunc`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from itertools import takewhile
from typing import Any

from bson import Int64

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import (
    check_names,
    compile_in_order,
    compile_named,
    named,
    require,
)
from atlas_rag.inprocess.mql.expressions.dates import units
from atlas_rag.inprocess.mql.expressions.define import call, lazy_call, special
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.expressions.operators.dates import as_date, is_dated, zone_of
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import fits_long, whole
from atlas_rag.inprocess.mql.values.shown import shown
from atlas_rag.inprocess.mql.values.types import INT64_MIN

_SUNDAY = 6


def _until_null(values: Iterator[Any]) -> list[Any]:
    """Returns the operands up to the first that is null or missing, which ends the evaluation."""
    return list(takewhile(lambda value: not nullish(value), values))


def _shift(name: str, sign: int) -> None:
    def apply(values: Iterator[Any]) -> Any:
        given = _until_null(values)
        if len(given) < 4:
            return None
        start, unit, amount, zone_name = given
        zone = zone_of(name, zone_name) or UTC
        if not is_dated(start):
            raise CommandError(5166403, f"{name} requires startDate to be convertible to a date")
        if not isinstance(unit, str):
            raise CommandError(5166404, f"{name} expects string defining the time unit")
        units.checked_unit(unit)
        count = whole(amount)
        if count is None or not fits_long(count):
            raise CommandError(5166405, f"{name} expects integer amount of time units")
        if sign < 0 and count == INT64_MIN:
            raise CommandError(6045000, f"invalid {name} 'amount' parameter value: {count}")
        units.check_amount(sign * count, unit)
        moment = as_date(start)
        return within_calendar(lambda: units.add(moment, unit, sign * count, zone))

    @special(name)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        given = named(argument, 5166400, name + " expects an object as its argument")
        expected = "Expected arguments are startDate, unit, amount, and optionally timezone."
        unknown = (5166401, f"Unrecognized argument to {name}: {{}}. {expected}")
        required = ("startDate", "unit", "amount")
        compiled = compile_in_order(given, (*required, "timezone"), unknown, scope)
        text = name + " requires startDate, unit, and amount to be present"
        require(given, text, dict.fromkeys(required, 5166402))
        operands = [compiled[key] for key in required]
        return lazy_call(apply, [*operands, compiled.get("timezone", Constant(UTC))])


def within_calendar(compute: Callable[[], datetime]) -> datetime:
    """Runs calendar work; its result must lie within the years that Python's dates have."""
    try:
        return compute()
    except (OverflowError, ValueError):
        text = "dates beyond the years 1 to 9999 cannot be computed by the in-process engine"
        raise CommandError(115, text) from None


_shift("$dateAdd", 1)
_shift("$dateSubtract", -1)


def _unit(name: str, value: Any) -> str:
    if not isinstance(value, str):
        text = f"requires 'unit' to be a string, but got {type_name(value)}"
        raise CommandError(5439013, f"{name} {text}")
    if value not in units.UNITS:
        text = f"parameter 'unit' value cannot be recognized as a time unit: {value}"
        raise CommandError(5439014, f"{name} {text}")
    return value


def _zone(name: str, value: Any) -> tzinfo:
    try:
        return zone_of(name, value) or UTC
    except CommandError as error:
        raise error.within(f"{name} parameter 'timezone' value parsing failed") from None


def _first_day(name: str, value: Any) -> int:
    if not isinstance(value, str):
        text = f"requires 'startOfWeek' to be a string, but got {type_name(value)}"
        raise CommandError(5439015, f"{name} {text}")
    day = units.weekday_of(value)
    if day is None:
        text = f"parameter 'startOfWeek' value cannot be recognized as a day of a week: {value}"
        raise CommandError(5439016, f"{name} {text}")
    return day


def _compiled_backwards(given: Mapping[str, Any], names: tuple[str, ...], scope: Scope) -> list[Evaluate]:
    """Compiles the arguments from the last to the first, as the server happens to; returns them in order."""
    defaults = {"timezone": UTC, "startOfWeek": "sunday", "binSize": 1}
    compiled = compile_named(given, reversed(names), scope, **defaults)
    return [compiled[name] for name in names]


@special("$dateDiff")
def date_difference(argument: Any, scope: Scope) -> Evaluate:
    """How many times a unit begins anew between two dates."""
    name = "$dateDiff"
    required = {"startDate": 5166303, "endDate": 5166304, "unit": 5166305}
    names = (*required, "timezone", "startOfWeek")
    given = named(argument, 5166301, "$dateDiff only supports an object as its argument")
    check_names(given, names, (5166302, "Unrecognized argument to $dateDiff: {}"))
    require(given, "Missing '{}' parameter to $dateDiff", required)

    def apply(values: Iterator[Any]) -> Any:
        given = _until_null(values)
        if len(given) < 4:
            return None
        start, end, unit, zone_name = given[:4]
        if unit == "week" and len(given) < 5:
            return None
        zone = _zone(name, zone_name)
        for role, value in (("startDate", start), ("endDate", end)):
            if not is_dated(value):
                text = f"requires '{role}' to be a date, but got {type_name(value)}"
                raise CommandError(5166307, f"{name} {text}")
        unit = _unit(name, unit)
        day = _first_day(name, given[4]) if unit == "week" else _SUNDAY
        return Int64(units.difference(as_date(start), as_date(end), unit, zone, day))

    return lazy_call(apply, _compiled_backwards(given, names, scope))


@special("$dateTrunc")
def date_truncate(argument: Any, scope: Scope) -> Evaluate:
    """The beginning of the span of time that holds a date."""
    name = "$dateTrunc"
    required = {"date": 5439009, "unit": 5439010}
    names = (*required, "binSize", "timezone", "startOfWeek")
    expected = "Expected arguments are date, unit, and optionally, binSize, timezone, startOfWeek"
    given = named(argument, 5439007, "$dateTrunc only supports an object as its argument")
    check_names(given, names, (5439008, f"Unrecognized argument to $dateTrunc: {{}}. {expected}"))
    require(given, "Missing '{}' parameter to $dateTrunc", required)

    def apply(date: Any, unit: Any, size: Any, zone_name: Any, first: Any) -> Any:
        if any(nullish(value) for value in (date, unit, size, zone_name)):
            return None
        if unit == "week" and nullish(first):
            return None
        zone = _zone(name, zone_name)
        if not is_dated(date):
            raise CommandError(5439012, f"{name} requires 'date' to be a date, but got {type_name(date)}")
        unit = _unit(name, unit)
        count = _bin_size(name, size)
        day = _first_day(name, first) if unit == "week" else _SUNDAY
        moment = as_date(date)
        return within_calendar(lambda: units.truncate(moment, unit, count, zone, day))

    return call(apply, _compiled_backwards(given, names, scope))


def _bin_size(name: str, value: Any) -> int:
    number = whole(value)
    if number is None or not fits_long(number):
        text = f"requires 'binSize' to be a 64-bit integer, but got value '{shown(value)}'"
        raise CommandError(5439017, f"{name} {text} of type {type_name(value)}")
    if number <= 0:
        raise CommandError(5439018, f"{name} requires 'binSize' to be greater than 0, but got value {number}")
    return number
