"""Operators that change one value: `$set`, `$unset`, `$inc`, `$mul`, `$min`, `$max`, `$bit` and the like."""

from __future__ import annotations

import decimal
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import bson
from bson import Decimal128, Int64, Timestamp

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.update.tree import Change, Occasion
from atlas_rag.inprocess.mql.values import MISSING, compare, numbers, type_name
from atlas_rag.inprocess.rendering import render_field


def unchanged_if_same(new: Any, old: Any) -> Any:
    """Returns the old object where both are the same to the byte, so that no change is counted."""
    if new is old or (new is not MISSING and old is not MISSING and _same(new, old)):
        return old
    return new


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bson.encode({"": one}) == bson.encode({"": other})


@dataclass(frozen=True, slots=True)
class Set(Change):
    """`$set`."""

    new: Any

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        return unchanged_if_same(self.new, value)


@dataclass(frozen=True, slots=True)
class SetOnInsert(Set):
    """`$setOnInsert`."""

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        return self.new if occasion.inserting else value

    def creates(self, occasion: Occasion) -> bool:
        return occasion.inserting


class Unset(Change):
    """`$unset`."""

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        return MISSING

    def creates(self, occasion: Occasion) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Arithmetic(Change):
    """`$inc` and `$mul`: a number combined with the stored one, in the wider type of the two."""

    name: str
    operand: Any
    combine: Callable[[Any, Any], Any]

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        if value is MISSING:
            return self.operand if self.name == "$inc" else combine(operator.mul, self.operand, 0)
        if not _is_number(value):
            raise CommandError(
                14,
                f"Cannot apply {self.name} to a value of non-numeric type. {identity(occasion)} has the "
                f"field '{path.rpartition('.')[2]}' of non-numeric type {type_name(value)}",
            )
        new = combine(self.combine, value, self.operand)
        if new is None:
            kind = {"int": "NumberInt", "long": "NumberLong"}[type_name(value)]
            raise CommandError(
                2,
                f"Failed to apply {self.name} operations to current value (({kind}){value}) "
                f"for document {identity(occasion)}",
            )
        return unchanged_if_same(new, value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal128)) and not isinstance(value, bool)


def combine(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Returns the result in the wider type (int, long, double, decimal); None where a long overflows."""
    if isinstance(left, Decimal128) or isinstance(right, Decimal128):
        with decimal.localcontext(numbers.DECIMAL):
            return numbers.from_decimal(operation(numbers.to_decimal(left), numbers.to_decimal(right)))
    result = operation(left, right)
    if isinstance(result, float):
        return result
    if not numbers.fits_long(result):
        return None
    long = isinstance(left, Int64) or isinstance(right, Int64)
    return numbers.integer(result, long=long)


@dataclass(frozen=True, slots=True)
class Extreme(Change):
    """`$min` (direction -1) and `$max` (direction 1), by BSON order."""

    candidate: Any
    direction: int

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        if value is MISSING or compare(self.candidate, value) == self.direction:
            return self.candidate
        return value


@dataclass(frozen=True, slots=True)
class CurrentDate(Change):
    """`$currentDate`."""

    timestamp: bool

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        return Timestamp(int(occasion.now.timestamp()), 1) if self.timestamp else occasion.now


@dataclass(frozen=True, slots=True)
class Bits(Change):
    """`$bit`: one or more of and, or, xor with integers, in order."""

    operations: tuple[tuple[Callable[[int, int], int], int], ...]

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        if value is MISSING:
            value = 0
        elif not isinstance(value, int) or isinstance(value, bool):
            known = "_id" in occasion.document  # not yet, where an upsert makes the document
            document = render_field("_id", occasion.document["_id"]) if known else "INVALID-MUTABLE-ELEMENT"
            raise CommandError(
                2,
                f"Cannot apply $bit to a value of non-integral type.{document} has the field "
                f"{path.rpartition('.')[2]} of non-integer type {type_name(value)}",
            )
        result, long = value, isinstance(value, Int64)
        for operation, operand in self.operations:
            long = long or isinstance(operand, Int64)
            result = operation(int(result), int(operand))
        return unchanged_if_same(numbers.integer(result, long=long), value)


# ---------------------------------------------------------------- reading the operators' arguments


def read_increment(field: str, argument: Any) -> Change:
    """Reads one field of `$inc`."""
    if not _is_number(argument):
        raise CommandError(
            14, f"Cannot increment with non-numeric argument: {{{render_field(field, argument)}}}"
        )
    return Arithmetic("$inc", argument, operator.add)


def read_multiplication(field: str, argument: Any) -> Change:
    """Reads one field of `$mul`."""
    if not _is_number(argument):
        raise CommandError(
            14, f"Cannot multiply with non-numeric argument: {{{render_field(field, argument)}}}"
        )
    return Arithmetic("$mul", argument, operator.mul)


def read_current_date(field: str, argument: Any) -> Change:
    """Reads one field of `$currentDate`; any boolean means a date."""
    if isinstance(argument, bool):
        return CurrentDate(timestamp=False)
    if not isinstance(argument, Mapping):
        raise CommandError(
            2,
            f"{type_name(argument)} is not valid type for $currentDate. Please use a boolean ('true') or a "
            "$type expression ({$type: 'timestamp/date'}).",
        )
    for name in argument:
        if name != "$type":
            raise CommandError(2, f"Unrecognized $currentDate option: {name}")
    if argument.get("$type") not in ("date", "timestamp"):
        raise CommandError(
            2,
            "The '$type' string field is required to be 'date' or 'timestamp': "
            "{$currentDate: {field : {$type: 'date'}}}",
        )
    return CurrentDate(timestamp=argument["$type"] == "timestamp")


_BITWISE: dict[str, Callable[[int, int], int]] = {
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}


def read_bits(field: str, argument: Any) -> Change:
    """Reads one field of `$bit`."""
    shape = "{$bit: {field: {and/or/xor: #}}"
    if not isinstance(argument, Mapping):
        raise CommandError(
            2,
            f"The $bit modifier is not compatible with a {type_name(argument)}. You must pass in an embedded "
            f"document: {shape}",
        )
    if not argument:
        raise CommandError(2, f"You must pass in at least one bitwise operation. The format is: {shape}")
    operations = []
    for name, operand in argument.items():
        where = "{" + render_field(name, operand) + "}"
        if name not in _BITWISE:
            raise CommandError(
                2,
                f"The $bit modifier only supports 'and', 'or', and 'xor', not '{name}' which is an unknown "
                f"operator: {where}",
            )
        if not isinstance(operand, int) or isinstance(operand, bool):
            raise CommandError(
                2,
                f"The $bit modifier field must be an Integer(32/64 bit); a '{type_name(operand)}' is not "
                f"supported here: {where}",
            )
        operations.append((_BITWISE[name], operand))
    return Bits(tuple(operations))


def identity(occasion: Occasion) -> str:
    """Returns how error texts name a document."""
    document = occasion.document
    return "{" + render_field("_id", document["_id"]) + "}" if "_id" in document else "{no id}"
