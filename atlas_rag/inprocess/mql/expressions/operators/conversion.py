"""Conversions between types: `$convert` and its short forms `$toInt`, `$toString`, ..."""

from __future__ import annotations

import decimal
import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from bson import Decimal128, Int64, ObjectId

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import compile_in_order, named, require
from atlas_rag.inprocess.mql.expressions.dates.formats import parse_date
from atlas_rag.inprocess.mql.expressions.dates.milliseconds import from_milliseconds
from atlas_rag.inprocess.mql.expressions.define import compile_operands, constant_values, special
from atlas_rag.inprocess.mql.expressions.folding import fold
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.expressions.operators.dates import as_date
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import is_truthy, type_name
from atlas_rag.inprocess.mql.values.numbers import (
    DECIMAL,
    Number,
    from_decimal,
    is_int32,
    to_decimal,
    whole,
)
from atlas_rag.inprocess.mql.values.order import milliseconds
from atlas_rag.inprocess.mql.values.shown import shown, shown_date, shown_double
from atlas_rag.inprocess.mql.values.types import (
    INT32_MAX,
    INT32_MIN,
    INT64_MAX,
    INT64_MIN,
    NUMBERS,
    TYPE_CODES,
)

_SUFFIX = "in $convert with no onError value"
_INTEGER = re.compile(r"[+-]?\d+")
_DOUBLE = re.compile(
    r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan(?:\(\w*\))?)", re.I
)
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)", re.I)
_HEX = re.compile(r"[+-]?0[xX]")


def _failure(text: str) -> CommandError:
    return CommandError(241, text)


def _unparsed(text: str, reason: str) -> CommandError:
    return _failure(f"Failed to parse number '{text}' {_SUFFIX}: {reason}")


def _check_not_hexadecimal(text: str) -> None:
    if _HEX.match(text):
        raise _failure(f"Illegal hexadecimal input {_SUFFIX}: {text}")


def _integer_from_text(text: str, low: int, high: int) -> int:
    _check_not_hexadecimal(text)
    if not _INTEGER.fullmatch(text):
        empty = text in ("", "+", "-")
        raise _unparsed(text, "No digits" if empty else "Did not consume whole string.")
    number = int(text)
    if not low <= number <= high:
        raise _unparsed(text, "Overflow")
    return number


def _integer_from_number(value: Number, low: int, high: int) -> int:
    number = value.to_decimal() if isinstance(value, Decimal128) else value
    if number != number:
        raise _failure(f"Attempt to convert NaN value to integer type {_SUFFIX}")
    if number in (math.inf, -math.inf):
        raise _failure(f"Attempt to convert infinity value to integer type {_SUFFIX}")
    if not low <= int(number) <= high:
        quoted = "" if isinstance(value, int) else shown(value)
        raise _failure(f"Conversion would overflow target type {_SUFFIX}: {quoted}")
    return int(number)


def _to_int(value: Any, kind: str) -> Any:
    if kind == "string":
        return _integer_from_text(value, INT32_MIN, INT32_MAX)
    return int(value) if kind == "bool" else _integer_from_number(value, INT32_MIN, INT32_MAX)


def _to_long(value: Any, kind: str) -> Any:
    if kind == "string":
        return Int64(_integer_from_text(value, INT64_MIN, INT64_MAX))
    if kind == "date":
        return Int64(milliseconds(value))
    return Int64(value) if kind == "bool" else Int64(_integer_from_number(value, INT64_MIN, INT64_MAX))


def _to_double(value: Any, kind: str) -> Any:
    if kind == "string":
        return _double_from_text(value)
    if kind == "date":
        return float(milliseconds(value))
    if kind != "decimal":
        return float(value)
    number = value.to_decimal()
    if number.is_finite() and math.isinf(float(number)):
        raise _failure(f"Conversion would overflow target type {_SUFFIX}: {shown(value)}")
    return float(number)


def _double_from_text(text: str) -> float:
    _check_not_hexadecimal(text)
    if not text:
        raise _unparsed(text, "Empty string")
    if text[0].isspace():
        raise _unparsed(text, "Leading whitespace")
    if not _DOUBLE.fullmatch(text):
        some = _DOUBLE.match(text)
        raise _unparsed(text, "Did not consume whole string." if some else "Did not consume any digits")
    if "n" in text.lower():
        return float(text.split("(")[0])
    number = float(text)
    if math.isinf(number) or (number == 0 and Decimal(text) != 0):
        raise _unparsed(text, "Out of range")
    return number


def _to_decimal(value: Any, kind: str) -> Any:
    if kind == "string":
        return _decimal_from_text(value)
    if kind == "date":
        return Decimal128(str(milliseconds(value)))
    return from_decimal(Decimal(int(value)) if kind == "bool" else to_decimal(value))


def _decimal_from_text(text: str) -> Decimal128:
    _check_not_hexadecimal(text)
    if not text:
        raise _unparsed(text, "Empty string")
    if not _DECIMAL.fullmatch(text):
        raise _unparsed(text, "Failed to parse string to decimal")
    with decimal.localcontext(DECIMAL) as context:
        context.clear_flags()
        number = context.create_decimal(text)
        if context.flags[decimal.Overflow]:
            raise _unparsed(text, "Conversion from string to decimal would overflow")
    return Decimal128(number)


def _to_string(value: Any, kind: str) -> Any:
    if kind == "double":
        names = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
        return names.get(shown_double(value), shown_double(value))
    if kind == "bool":
        return "true" if value else "false"
    return shown_date(as_date(value)) if kind == "date" else str(value)


def _to_object_id(value: Any, kind: str) -> Any:
    text = f"Failed to parse objectId '{value}' {_SUFFIX}: "
    if len(value.encode()) != 24:
        length = f"expected 24 but found {len(value.encode())}"
        raise _failure(f"{text}Invalid string length for parsing to OID, {length}")
    wrong = next((letter for letter in value if letter not in "0123456789abcdefABCDEF"), None)
    if wrong is not None:
        raise _failure(f"{text}Invalid character found in hex string: {wrong}")
    return ObjectId(value)


def _to_date(value: Any, kind: str) -> Any:
    if kind == "string":
        return parse_date(value, None, None)
    if kind in NUMBERS:
        return from_milliseconds(_integer_from_number(value, INT64_MIN, INT64_MAX))
    return as_date(value)


def _itself(value: Any, kind: str) -> Any:
    return value


_Converter = Callable[[Any, str], Any]
_FROM_NUMBERS = frozenset({"bool", "int", "long", "double", "decimal", "string"})
# For each target type: the types it can be made of, and how.
_CONVERTERS: dict[str, tuple[frozenset[str], _Converter]] = {
    "int": (_FROM_NUMBERS, _to_int),
    "long": (_FROM_NUMBERS | {"date"}, _to_long),
    "double": (_FROM_NUMBERS | {"date"}, _to_double),
    "decimal": (_FROM_NUMBERS | {"date"}, _to_decimal),
    "string": (_FROM_NUMBERS | {"objectId", "date"}, _to_string),
    "objectId": (frozenset({"string", "objectId"}), _to_object_id),
    "date": (frozenset({"long", "double", "decimal", "string", "objectId", "timestamp", "date"}), _to_date),
}


def converted(value: Any, target: str) -> Any:
    """Returns a value as another type. Raises code 241."""
    kind = type_name(value)
    if target == "bool":
        return is_truthy(value)
    sources, convert = _CONVERTERS.get(target, (frozenset(), _itself))
    if kind not in sources:
        raise _failure(f"Unsupported conversion from {kind} to {target} {_SUFFIX}")
    return value if kind == target and kind != "decimal" else convert(value, kind)


def _target(value: Any) -> str | None:
    """Returns the type that a `to` argument names, None for null."""
    if nullish(value):
        return None
    if isinstance(value, str):
        if value not in TYPE_CODES and value != "missing":
            raise CommandError(2, f"Unknown type name: {value}")
        return value
    if type_name(value) not in NUMBERS:
        text = f"must be a string or number, but is {type_name(value)}"
        raise CommandError(9, f"$convert's 'to' argument {text}")
    if not is_int32(value):
        raise CommandError(9, "In $convert, numeric 'to' argument is not an integer")
    number = whole(value)
    for name, code in {**TYPE_CODES, "missing": 0}.items():
        if code == number:
            return name
    text = f"numeric value for 'to' does not correspond to a BSON type: {number}"
    raise CommandError(9, f"In $convert, {text}")


@special("$convert")
def convert(argument: Any, scope: Scope) -> Evaluate:
    """A value as another type, with answers for null and for what cannot be converted."""
    known = ("input", "to", "onError", "onNull")
    given = named(argument, 9, "$convert expects an object of named arguments but found: {}")
    compiled = compile_in_order(given, known, (9, "$convert found an unknown argument: {}"), scope)
    require(given, "Missing '{}' parameter to $convert", {"input": 9, "to": 9})
    on_null, on_error = compiled.get("onNull", Constant(None)), compiled.get("onError")
    return _conversion(compiled["input"], compiled["to"], on_null, on_error)


def _conversion(value: Evaluate, target: Evaluate, on_null: Evaluate, on_error: Evaluate | None) -> Evaluate:
    def evaluate(row: Any, variables: Any) -> Any:
        given = value(row, variables)
        wanted = _target(target(row, variables))
        if nullish(given):
            return on_null(row, variables)
        if wanted is None:
            return None
        try:
            return converted(given, wanted)
        except CommandError as error:
            if on_error is None or error.code != 241:
                raise
            return on_error(row, variables)

    parts = [value, target, on_null] + ([on_error] if on_error else [])
    return evaluate if constant_values(parts) is None else fold(lambda: evaluate(None, {}))


def _short_form(name: str, target: str) -> None:
    @special(name)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        operands = compile_operands(argument, scope)
        if len(operands) != 1:
            raise CommandError(50723, f"{name} requires a single argument, got {len(operands)}")
        return _conversion(operands[0], Constant(target), Constant(None), None)


for _name, _target_name in {
    "$toInt": "int",
    "$toLong": "long",
    "$toDouble": "double",
    "$toDecimal": "decimal",
    "$toString": "string",
    "$toObjectId": "objectId",
    "$toDate": "date",
    "$toBool": "bool",
}.items():
    _short_form(_name, _target_name)
