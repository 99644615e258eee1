"""Strings. Positions and lengths count code points (`CP`) or UTF-8 bytes (`Bytes`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import compile_in_order, named, require
from atlas_rag.inprocess.mql.expressions.compiler import OPERATORS
from atlas_rag.inprocess.mql.expressions.define import (
    associative,
    lazy_call,
    operator,
    special,
    unfolded_call,
)
from atlas_rag.inprocess.mql.expressions.operands import nullish, to_long
from atlas_rag.inprocess.mql.expressions.operators.dates import as_date
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import is_int32, to_decimal
from atlas_rag.inprocess.mql.values.shown import shown, shown_date
from atlas_rag.inprocess.mql.values.types import is_number

_ASCII_UPPER = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}
_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
# What `$trim` removes by default: NUL, and what Unicode 4 calls white space.
_WHITESPACE = "\0\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"


def coerced(value: Any) -> str:
    """Returns a value as text, where the server takes numbers and dates for text too. Raises 16007."""
    if isinstance(value, str):
        return value
    if nullish(value):
        return ""
    kind = type_name(value)
    if is_number(value):
        return shown(value)
    if kind == "date":
        return shown_date(as_date(value))
    if kind == "timestamp":
        return shown(value)
    raise CommandError(16007, f"can't convert from BSON type {kind} to String")


@associative("$concat", commutative=False)
def concatenate(values: Iterable[Any]) -> Any:
    """All strings in a row; null if one of them is."""
    pieces: list[str] = []
    for value in values:
        if nullish(value):
            return None
        if not isinstance(value, str):
            raise CommandError(16702, f"$concat only supports strings, not {type_name(value)}")
        pieces.append(value)
    return "".join(pieces)


operator("$toUpper")(lambda value: coerced(value).translate(_ASCII_UPPER))
operator("$toLower")(lambda value: coerced(value).translate(_ASCII_LOWER))


@operator("$strcasecmp", 2)
def compare_ignoring_case(left: Any, right: Any) -> int:
    """-1, 0 or 1; only ASCII letters lose their case."""
    first, second = (coerced(value).translate(_ASCII_UPPER) for value in (left, right))
    return (first > second) - (first < second)


@operator("$strLenCP")
def length_in_code_points(value: Any) -> int:
    """Number of code points."""
    if not isinstance(value, str):
        raise CommandError(34471, f"$strLenCP requires a string argument, found: {type_name(value)}")
    return len(value)


@operator("$strLenBytes")
def length_in_bytes(value: Any) -> int:
    """Number of UTF-8 bytes."""
    if not isinstance(value, str):
        raise CommandError(34473, f"$strLenBytes requires a string argument, found: {type_name(value)}")
    return len(value.encode())


@operator("$substrCP", 3)
def substring(value: Any, start: Any, length: Any) -> str:
    """A part of a string, by code points."""
    text = coerced(value)
    first = _position(start, "starting index", 34450, 34451)
    count = _position(length, "length", 34452, 34453)
    if count < 0:
        raise CommandError(34454, "$substrCP: length must be a nonnegative integer.")
    if first < 0:
        raise CommandError(34455, "$substrCP: the starting index must be nonnegative integer.")
    return text[first : first + count]


def _position(value: Any, role: str, not_numeric: int, not_integral: int) -> int:
    if not is_number(value):
        text = f"$substrCP: {role} must be a numeric type (is BSON type {type_name(value)})"
        raise CommandError(not_numeric, text)
    if not is_int32(value):
        text = f"$substrCP: {role} cannot be represented as a 32-bit integral value: {shown(value)}"
        raise CommandError(not_integral, text)
    return int(to_decimal(value))


def _substring_bytes(value: Any, start: Any, length: Any) -> str:
    """A part of a string, by bytes; a negative length reaches to the end."""
    data = coerced(value).encode()
    for code, role, operand in ((16034, "starting index", start), (16035, "length", length)):
        if not is_number(operand):
            kind = f"must be a numeric type (is BSON type {type_name(operand)})"
            raise CommandError(code, f"$substrBytes:  {role} {kind}")
    first, count = to_long(start), to_long(length)
    if first < 0:
        text = f"$substrBytes:  starting index must be non-negative (got: {first})"
        raise CommandError(50752, text)
    end = len(data) if count < 0 else first + count
    if first < len(data) and data[first] & 0xC0 == 0x80:
        text = "$substrBytes:  Invalid range, starting index is a UTF-8 continuation byte."
        raise CommandError(28656, text)
    if end < len(data) and data[end] & 0xC0 == 0x80:
        text = "$substrBytes:  Invalid range, ending index is in the middle of a UTF-8 character."
        raise CommandError(28657, text)
    return data[first:end].decode()


operator("$substrBytes", 3)(_substring_bytes)
OPERATORS["$substr"] = OPERATORS["$substrBytes"]  # another name, also in texts


def _index_of(name: str, encode: Callable[[str], Any], codes: tuple[int, int]) -> None:
    def text_operand(role: str, code: int, value: Any) -> str:
        if not isinstance(value, str):
            found = f"requires a string as the {role} argument, found: {type_name(value)}"
            raise CommandError(code, f"{name} {found}")
        return value

    def apply(values: Iterator[Any]) -> Any:
        text = next(values)
        if nullish(text):
            return None
        whole = encode(text_operand("first", codes[0], text))
        wanted = encode(text_operand("second", codes[1], next(values)))
        first = index_bound(name, "starting", next(values, 0))
        last = min(len(whole), index_bound(name, "ending", next(values, len(whole))))
        return whole.find(wanted, first, last) if first <= len(whole) and first <= last else -1

    operator(name, 2, 4, lazy=True)(apply)


def index_bound(name: str, role: str, value: Any) -> int:
    """Returns a position to search from or to. Raises 40096, 40097."""
    if not is_int32(value):
        kind = f"found a value of type: {type_name(value)}, with value: {shown(value)}"
        raise CommandError(40096, f"{name}requires an integral {role} index, {kind}")
    bound = int(to_decimal(value))
    if bound < 0:
        raise CommandError(40097, f"{name} requires a nonnegative {role} index, found: {bound}")
    return bound


_index_of("$indexOfCP", lambda text: text, (40093, 40094))
_index_of("$indexOfBytes", str.encode, (40091, 40092))


@operator("$split", 2)
def split(text: Any, separator: Any) -> Any:
    """The parts between separators."""
    if nullish(text) or nullish(separator):
        return None
    for code, role, operand in ((40085, "first", text), (40086, "second", separator)):
        if not isinstance(operand, str):
            kind = f"a string as a {role} argument, found: {type_name(operand)}"
            raise CommandError(code, f"$split requires an expression that evaluates to {kind}")
    if not separator:
        raise CommandError(40087, "$split requires a non-empty separator")
    return text.split(separator)


def _trim(name: str, strip: Callable[[str, str], str]) -> None:
    def apply(values: Iterator[Any]) -> Any:
        text = next(values)
        if nullish(text):
            return None
        if not isinstance(text, str):
            found = f"got {shown(text)} (of type {type_name(text)}) instead."
            raise CommandError(50699, f"{name} requires its input to be a string, {found}")
        characters = next(values)
        if nullish(characters):
            return None
        if not isinstance(characters, str):
            found = f"got {shown(characters)} (of type {type_name(characters)}) instead."
            raise CommandError(50700, f"{name} requires 'chars' to be a string, {found}")
        # An empty set removes nothing, where Python would take white space.
        return strip(text, characters) if characters else text

    @special(name)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        given = named(argument, 50696, name + " only supports an object as an argument, found {}")
        unknown = (50694, name + " found an unknown argument: {}")
        compiled = compile_in_order(given, ("input", "chars"), unknown, scope)
        require(given, name + " requires an '{}' field", {"input": 50695})
        return lazy_call(apply, [compiled["input"], compiled.get("chars", Constant(_WHITESPACE))])


_trim("$trim", str.strip)
_trim("$ltrim", str.lstrip)
_trim("$rtrim", str.rstrip)


def _replace(name: str, count: int) -> None:
    def apply(text: Any, find: Any, replacement: Any) -> Any:
        parts = (("input", text, 51746), ("find", find, 51745), ("replacement", replacement, 51744))
        for role, value, code in parts:
            if not (nullish(value) or isinstance(value, str)):
                raise CommandError(code, f"{name} requires that '{role}' be a string, found: {shown(value)}")
        if any(nullish(value) for _, value, _ in parts):
            return None
        return text.replace(find, replacement, count)

    @special(name)
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        codes = {"input": 51749, "find": 51748, "replacement": 51747}
        given = named(argument, 51751, name + " requires an object as an argument, found: {}")
        compiled = compile_in_order(given, codes, (51750, name + " found an unknown argument: {}"), scope)
        require(given, name + " requires '{}' to be specified", codes)
        return unfolded_call(apply, [compiled[key] for key in codes])


_replace("$replaceOne", 1)
_replace("$replaceAll", -1)
