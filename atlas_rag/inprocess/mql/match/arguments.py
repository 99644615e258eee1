"""Arguments of filter operators, checked and refused in the server's words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from bson import Binary, Decimal128

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values.numbers import is_nan, to_float, whole
from atlas_rag.inprocess.mql.values.types import (
    INT32_MAX,
    INT64_MAX,
    INT64_MIN,
    NUMBERS,
    TYPE_CODES,
    is_number,
    type_name,
)
from atlas_rag.inprocess.rendering import render_field

BAD_VALUE, FAILED_TO_PARSE, TYPE_MISMATCH = 2, 9, 14
_MOD_PARTS = ("divisor", "remainder")
_NO_TYPE = "'missing' is not a legal type name. To query for non-existence of a field, use {$exists:false}."


def as_list(value: Any, message: str) -> list[Any]:
    """Returns an array argument. Raises code 2 with the message."""
    if not isinstance(value, list):
        raise CommandError(BAD_VALUE, message)
    return value


def is_operators(argument: Any) -> bool:
    """True for `{$gt: ...}`; a whole database reference begins with a dollar too, but is a value."""
    if not isinstance(argument, dict):
        return False
    first = next(iter(argument), "")
    return first.startswith("$") and not ("$ref" in argument and "$id" in argument)


def integer(name: str, value: Any) -> int:
    """Returns an integral number of any numeric type, of at most 64 bits. Raises code 9."""
    shown = render_field(name, value)
    if not is_number(value):
        raise CommandError(FAILED_TO_PARSE, f"Expected a number in: {shown}")
    number = whole(value)
    if isinstance(value, float) and is_nan(value):
        raise CommandError(FAILED_TO_PARSE, f"Expected an integer, but found NaN in: {shown}")
    if number is None and isinstance(value, float) and math.isfinite(value):
        raise CommandError(FAILED_TO_PARSE, f"Expected an integer: {shown}")
    if number is None or not INT64_MIN <= number <= INT64_MAX:
        raise CommandError(FAILED_TO_PARSE, f"Cannot represent as a 64-bit integer: {shown}")
    return number


def non_negative_integer(name: str, value: Any) -> int:
    """Returns an integral number >= 0 of any numeric type. Raises code 9."""
    number = integer(name, value)
    if number < 0:
        text = f"Expected a non-negative number in: {render_field(name, value)}"
        raise CommandError(FAILED_TO_PARSE, text)
    return number


def _small_integer(name: str, value: Any) -> int:
    """Returns an integral number >= 0 of at most 31 bits."""
    number = non_negative_integer(name, value)
    if number > INT32_MAX:
        raise CommandError(FAILED_TO_PARSE, f"Cannot represent {render_field(name, value)} in an int")
    return number


def size(value: Any) -> int:
    """Returns the argument of `$size`."""
    try:
        return _small_integer("$size", value)
    except CommandError as error:
        raise CommandError(BAD_VALUE, f"Failed to parse $size. {error.message}") from None


def modulus(value: Any) -> tuple[int, int]:
    """Returns divisor and remainder of `$mod`, both cut to integers."""
    items = as_list(value, "malformed mod, needs to be an array")
    for position, part in enumerate(_MOD_PARTS):
        if position >= len(items):
            raise CommandError(BAD_VALUE, "malformed mod, not enough elements")
        if not is_number(items[position]):
            raise CommandError(BAD_VALUE, f"malformed mod, {part} not a number")
    if len(items) > 2:
        raise CommandError(BAD_VALUE, "malformed mod, too many elements")
    divisor, rest = map(_truncated, _MOD_PARTS, items)
    if divisor == 0:
        raise CommandError(BAD_VALUE, "divisor cannot be 0")
    return divisor, rest


def _truncated(part: str, value: Any) -> int:
    number = value.to_decimal() if isinstance(value, Decimal128) else value
    if is_nan(value) or number in (math.inf, -math.inf):
        cause = "Unable to coerce NaN/Inf to integral type"
        raise CommandError(BAD_VALUE, f"malformed mod, {part} value is invalid :: caused by :: {cause}")
    if not -(2**63) <= number < 2**63:
        cause = "Out of bounds coercing to integral value"
        raise CommandError(BAD_VALUE, f"malformed mod, {part} value is invalid :: caused by :: {cause}")
    return int(number)


def type_set(path: str, value: Any) -> frozenset[str]:
    """Returns the names of the types that a `$type` argument allows."""
    items = value if isinstance(value, list) else [value]
    if not items:
        raise CommandError(FAILED_TO_PARSE, f"{path} must match at least one type")
    names: set[str] = set()
    for item in items:
        names |= _types_of(item)
    return frozenset(names)


def _types_of(item: Any) -> frozenset[str]:
    if isinstance(item, str):
        if item == "number":
            return NUMBERS
        if item == "missing":
            raise CommandError(BAD_VALUE, _NO_TYPE)
        if item not in TYPE_CODES:
            raise CommandError(BAD_VALUE, f"Unknown type name alias: {item}")
        return frozenset({item})
    if not is_number(item):
        raise CommandError(TYPE_MISMATCH, "type must be represented as a number or a string")
    found = [name for name, code in TYPE_CODES.items() if code == whole(item)]
    if not found:
        hint = ". Instead use {$exists:false}." if whole(item) == 0 else ""
        raise CommandError(BAD_VALUE, f"Invalid numerical type code: {to_float(item):g}{hint}")
    return frozenset(found)


def bit_positions(path: str, name: str, value: Any) -> list[int]:
    """Returns the positions named by a bit operator: an array of them, a number's or a BinData's ones."""
    if isinstance(value, list):
        return _listed_positions(value)
    if isinstance(value, (bytes, Binary)):
        return [8 * at + bit for at, byte in enumerate(value) for bit in range(8) if byte >> bit & 1]
    if not is_number(value):
        expected = "takes an Array, a number, or a BinData but received"
        raise CommandError(BAD_VALUE, f"{path} {expected}: {render_field(name, value)}")
    mask = non_negative_integer(name, value)
    return [bit for bit in range(64) if mask >> bit & 1]


def _listed_positions(items: Sequence[Any]) -> list[int]:
    try:
        return [_small_integer(str(at), item) for at, item in enumerate(items)]
    except CommandError as error:
        raise CommandError(BAD_VALUE, f"Failed to parse bit position. {error.message}") from None


def comparable(path: str, name: str, value: Any) -> Any:
    """Returns a constant to compare with; an expression has no order."""
    if type_name(value) == "regex" and name == "$ne":
        raise CommandError(BAD_VALUE, "Can't have regex as arg to $ne.")
    if type_name(value) == "regex" and name != "$eq":
        raise CommandError(BAD_VALUE, f"Can't have RegEx as arg to predicate over field '{path}'.")
    return value
