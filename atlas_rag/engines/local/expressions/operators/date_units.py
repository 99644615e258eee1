"""`$dateAdd`, `$dateSubtract`, `$dateDiff`, `$dateTrunc`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from itertools import takewhile
from typing import Any

from bson import Int64

from atlas_rag.engines.local.expressions.compiler import compile_expression
from atlas_rag.engines.local.expressions.dates import units
from atlas_rag.engines.local.expressions.define import call, lazy_call, special
from atlas_rag.engines.local.expressions.operands import nullish
from atlas_rag.engines.local.expressions.operators.dates import as_date, is_dated, zone_of
from atlas_rag.engines.local.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.values import type_name
from atlas_rag.engines.local.values.numbers import fits_long, whole
from atlas_rag.engines.local.values.shown import shown

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
        if not is_dated(start):
            raise CommandError(5166403, f"{name} requires startDate to be convertible to a date")
        if not isinstance(unit, str):
            raise CommandError(5166404, f"{name} expects string defining the time unit")
        units.checked_unit(unit)
        count = whole(amount)
        if count is None or not fits_long(count):
            raise CommandError(5166405, f"{name} expects integer amount of time units")
        zone = zone_of(name, zone_name) or UTC
        moment = as_date(start)
        return within_calendar(lambda: units.add(moment, unit, sign * count, zone))

    @special(name)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        if not isinstance(argument, Mapping):
            raise CommandError(5166400, f"{name} expects an object as its argument")
        for key in argument:
            if key not in ("startDate", "unit", "amount", "timezone"):
                expected = "Expected arguments are startDate, unit, amount, and optionally timezone."
                raise CommandError(5166401, f"Unrecognized argument to {name}: {key}. {expected}")
        if not {"startDate", "unit", "amount"} <= set(argument):
            raise CommandError(5166402, f"{name} requires startDate, unit, and amount to be present")
        operands = [compile_expression(argument[key], scope) for key in ("startDate", "unit", "amount")]
        return lazy_call(apply, [*operands, _zone_operand(argument, scope)])


def _zone_operand(argument: Mapping[str, Any], scope: Scope) -> Evaluate:
    return compile_expression(argument["timezone"], scope) if "timezone" in argument else Constant(UTC)


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


def _checked(
    name: str, argument: Any, required: Mapping[str, int], optional: tuple[str, ...], codes: tuple[int, int]
) -> Mapping[str, Any]:
    shape, unknown = codes
    if not isinstance(argument, Mapping):
        raise CommandError(shape, f"{name} only supports an object as its argument")
    for key in argument:
        if key not in required and key not in optional:
            raise CommandError(unknown, f"Unrecognized argument to {name}: {key}")
    for key, code in required.items():
        if key not in argument:
            raise CommandError(code, f"Missing '{key}' parameter to {name}")
    return argument


@special("$dateDiff")
def date_difference(argument: Any, scope: Scope) -> Evaluate:
    """How many times a unit begins anew between two dates."""
    name = "$dateDiff"
    required = {"startDate": 5166303, "endDate": 5166304, "unit": 5166305}
    given = _checked(name, argument, required, ("timezone", "startOfWeek"), (5166301, 5166302))

    def apply(values: Iterator[Any]) -> Any:
        given = _until_null(values)
        if len(given) < 4:
            return None
        start, end, unit, zone_name = given[:4]
        if unit == "week" and len(given) < 5:
            return None
        for role, value in (("startDate", start), ("endDate", end)):
            if not is_dated(value):
                text = f"requires '{role}' to be a date, but got {type_name(value)}"
                raise CommandError(5166307, f"{name} {text}")
        unit = _unit(name, unit)
        day = _first_day(name, given[4]) if unit == "week" else _SUNDAY
        zone = _zone(name, zone_name)
        return Int64(units.difference(as_date(start), as_date(end), unit, zone, day))

    operands = [compile_expression(given[key], scope) for key in required]
    first_day = compile_expression(given.get("startOfWeek", "sunday"), scope)
    return lazy_call(apply, [*operands, _zone_operand(given, scope), first_day])


@special("$dateTrunc")
def date_truncate(argument: Any, scope: Scope) -> Evaluate:
    """The beginning of the span of time that holds a date."""
    name = "$dateTrunc"
    optional = ("binSize", "timezone", "startOfWeek")
    given = _checked(name, argument, {"date": 5439009, "unit": 5439010}, optional, (5439007, 5439008))

    def apply(date: Any, unit: Any, size: Any, zone_name: Any, first: Any) -> Any:
        if any(nullish(value) for value in (date, unit, size, zone_name)):
            return None
        if unit == "week" and nullish(first):
            return None
        if not is_dated(date):
            raise CommandError(5439012, f"{name} requires 'date' to be a date, but got {type_name(date)}")
        unit = _unit(name, unit)
        count = _bin_size(name, size)
        zone = _zone(name, zone_name)
        day = _first_day(name, first) if unit == "week" else _SUNDAY
        moment = as_date(date)
        return within_calendar(lambda: units.truncate(moment, unit, count, zone, day))

    operands = [compile_expression(given[key], scope) for key in ("date", "unit")]
    size = compile_expression(given.get("binSize", 1), scope)
    first_day = compile_expression(given.get("startOfWeek", "sunday"), scope)
    return call(apply, [*operands, size, _zone_operand(given, scope), first_day])


def _bin_size(name: str, value: Any) -> int:
    number = whole(value)
    if number is None or not fits_long(number):
        text = f"requires 'binSize' to be a 64-bit integer, but got value '{shown(value)}'"
        raise CommandError(5439017, f"{name} {text} of type {type_name(value)}")
    if number <= 0:
        raise CommandError(5439018, f"{name} requires 'binSize' to be greater than 0, but got value {number}")
    return number
