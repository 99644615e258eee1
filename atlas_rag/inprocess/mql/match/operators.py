"""Operators on one field, each compiled from its argument into a predicate on documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from bson import Binary, Decimal128, Regex

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import arguments
from atlas_rag.inprocess.mql.match.comparisons import equals, matches_regex, one_of, ordered
from atlas_rag.inprocess.mql.match.paths import Place, Test
from atlas_rag.inprocess.mql.match.regex import compile_regex, compiled_value, regex_text
from atlas_rag.inprocess.mql.values import MISSING, Document, is_truthy, type_name
from atlas_rag.inprocess.mql.values.order import regex_flags
from atlas_rag.inprocess.mql.values.types import is_number

_OPTIONS_TWICE = "options set in both $regex and $options"

Predicate = Callable[[Document], bool]


def negated(predicate: Predicate) -> Predicate:
    """Returns the opposite predicate."""
    return lambda document: not predicate(document)


def all_of(predicates: list[Predicate]) -> Predicate:
    """Returns the conjunction; true for none."""
    if len(predicates) == 1:
        return predicates[0]
    if len(predicates) == 2:
        first, second = predicates
        return lambda document: first(document) and second(document)
    return lambda document: all(predicate(document) for predicate in predicates)


def any_of(predicates: list[Predicate]) -> Predicate:
    """Returns the disjunction."""
    return lambda document: any(predicate(document) for predicate in predicates)


def comparison(place: Place, name: str, constant: Any) -> Predicate:
    """`$eq`, `$ne` and the four ranges."""
    constant = arguments.comparable(place.path, name, constant)
    if name == "$ne":
        return negated(place.predicate(equals(constant)))
    return place.predicate(equals(constant) if name == "$eq" else ordered(name, constant))


def membership(place: Place, name: str, argument: Any) -> Predicate:
    """`$in` and `$nin`."""
    constants = arguments.as_list(argument, f"{name} needs an array")
    for item in constants:
        if arguments.is_operators(item):
            raise CommandError(arguments.BAD_VALUE, "cannot nest $ under $in")
    found = place.predicate(one_of(constants))
    return negated(found) if name == "$nin" else found


def existence(place: Place, argument: Any) -> Predicate:
    """`$exists`, true for a field that holds null."""
    found = place.predicate(lambda value: value is not MISSING, look_into_leaf=False)
    return found if is_truthy(argument) else negated(found)


def of_type(place: Place, argument: Any) -> Predicate:
    """`$type`, by alias or code, one or several."""
    names = arguments.type_set(place.path, argument)
    return place.predicate(lambda value: type_name(value) in names)


def of_size(place: Place, argument: Any) -> Predicate:
    """`$size` of an array at the end of the path."""
    size = arguments.size(argument)
    return place.predicate(lambda value: isinstance(value, list) and len(value) == size, look_into_leaf=False)


def regex_of(value: Regex[Any] | re.Pattern[Any]) -> Test:
    """The test of a regular expression given as a value."""
    return matches_regex(compiled_value(value), value)


def regex_with_options(argument: Mapping[str, Any]) -> Test:
    """The test of `$regex` and `$options`, read in their order from a document of operators."""
    pattern, options = "", ""
    for name, value in argument.items():
        if name == "$regex":
            pattern, own = _pattern_and_flags(value)
            if own and options:
                raise CommandError(51074, _OPTIONS_TWICE)
            options = own or options
        elif name == "$options":
            if not isinstance(value, str):
                raise CommandError(arguments.BAD_VALUE, "$options has to be a string")
            if options:
                raise CommandError(51075, _OPTIONS_TWICE)
            options = value
    if "\0" in pattern:
        raise CommandError(arguments.BAD_VALUE, "Regular expression cannot contain an embedded null byte")
    return matches_regex(compile_regex(pattern, options), Regex(pattern, options))


def _pattern_and_flags(value: Any) -> tuple[str, str]:
    if isinstance(value, (Regex, re.Pattern)):
        return regex_text(value), regex_flags(value)
    if not isinstance(value, str):
        raise CommandError(arguments.BAD_VALUE, "$regex has to be a string")
    return value, ""


def remainder(place: Place, argument: Any) -> Predicate:
    """`$mod`: what is left of the number, cut to an integer, has the sign of the number."""
    divisor, expected = arguments.modulus(argument)

    def test(value: Any) -> bool:
        number = _as_long(value)
        return number is not None and _rest(number, divisor) == expected

    return place.predicate(test)


def _rest(number: int, divisor: int) -> int:
    rest = abs(number) % abs(divisor)
    return -rest if number < 0 else rest


def _as_long(value: Any) -> int | None:
    """Returns a number cut to 64 bits; None for what has no integer part there."""
    if not is_number(value):
        return None
    number = value.to_decimal() if isinstance(value, Decimal128) else value
    if number != number or not -(2**63) <= number < 2**63:
        return None
    return int(number)


def bits(place: Place, name: str, argument: Any) -> Predicate:
    """`$bitsAllSet`, `$bitsAllClear`, `$bitsAnySet`, `$bitsAnyClear`."""
    positions = arguments.bit_positions(place.path, name, argument)
    wanted = name.endswith("Set")
    combine = all if "All" in name else any

    def test(value: Any) -> bool:
        number = _bit_field(value)
        return number is not None and combine(bool(number >> at & 1) == wanted for at in positions)

    return place.predicate(test)


def _bit_field(value: Any) -> int | None:
    """Returns the value's bits: sign-extended for a number, padded with zeros for a BinData."""
    if isinstance(value, (bytes, Binary)):
        return int.from_bytes(value, "little")
    if isinstance(value, float) and not value.is_integer():
        return None
    return _as_long(value)
