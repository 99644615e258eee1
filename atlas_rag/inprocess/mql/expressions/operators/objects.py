"""Documents as values: fields by name, merging, pairs of names and values; facts about any value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import bson
from bson import Int64, Timestamp

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import watched
from atlas_rag.inprocess.mql.expressions.arguments import compile_in_order, named, require
from atlas_rag.inprocess.mql.expressions.define import (
    call,
    compile_operands,
    lazy_call,
    operator,
    special,
)
from atlas_rag.inprocess.mql.expressions.folding import parsing_only
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import MISSING, type_name
from atlas_rag.inprocess.mql.values.shown import shown
from atlas_rag.inprocess.mql.values.types import is_number

operator("$type")(type_name)
operator("$isNumber")(is_number)


@special("$mergeObjects")
def merge_objects(argument: Any, scope: Scope) -> Evaluate:
    """One document with the fields of all; the last value of a name stays, at its first place."""
    operands = compile_operands(argument, scope)
    if len(operands) != 1:
        return lazy_call(merged, operands)
    # A single operand that is an array is a list of documents.
    return call(lambda value: merged(value if isinstance(value, list) else [value]), operands)


def merged(documents: Iterable[Any]) -> dict[str, Any]:
    """Returns the documents merged; null and missing ones count as empty."""
    result: dict[str, Any] = {}
    for document in documents:
        if nullish(document):
            continue
        if not isinstance(document, Mapping):
            text = f"but input {shown(document)} is of type {type_name(document)}"
            raise CommandError(40400, f"$mergeObjects requires object inputs, {text}")
        result.update(document)
    return result


@operator("$objectToArray")
def to_pairs(document: Any) -> Any:
    """An array of `{k, v}`."""
    if nullish(document):
        return None
    if not isinstance(document, Mapping):
        raise CommandError(40390, f"$objectToArray requires a document input, found: {type_name(document)}")
    return [{"k": name, "v": value} for name, value in document.items()]


@operator("$arrayToObject")
def from_pairs(items: Any) -> Any:
    """A document of `{k, v}` documents or of `[k, v]` arrays."""
    if nullish(items):
        return None
    if not isinstance(items, list):
        raise CommandError(40386, f"$arrayToObject requires an array input, found: {type_name(items)}")
    if items and not isinstance(items[0], (list, Mapping)):
        text = f"Unrecognised input type format for $arrayToObject: {type_name(items[0])}"
        raise CommandError(40398, text)
    read = _array_pair if items and isinstance(items[0], list) else _object_pair
    return dict(read(item) for item in watched(items))


def _array_pair(item: Any) -> tuple[str, Any]:
    _consistent(item, list, 40396, "Array")
    if len(item) != 2:
        text = f"requires an array of size 2 arrays,found array of size: {len(item)}"
        raise CommandError(40397, f"$arrayToObject {text}")
    if not isinstance(item[0], str):
        text = "requires an array of key-value pairs, where the key must be of type string."
        raise CommandError(40395, f"$arrayToObject {text} Found key type: {type_name(item[0])}")
    return _pair(item[0], item[1])


def _object_pair(item: Any) -> tuple[str, Any]:
    _consistent(item, Mapping, 40391, "Object")
    if len(item) != 2:
        text = f"requires an object keys of 'k' and 'v'. Found incorrect number of keys:{len(item)}"
        raise CommandError(40392, f"$arrayToObject {text}")
    if "k" not in item or "v" not in item:
        text = f"requires an object with keys 'k' and 'v'. Missing either or both keys from: {shown(item)}"
        raise CommandError(40393, f"$arrayToObject {text}")
    if not isinstance(item["k"], str):
        text = "requires an object with keys 'k' and 'v', where the value of 'k' must be of type string."
        raise CommandError(40394, f"$arrayToObject {text} Found type: {type_name(item['k'])}")
    return _pair(item["k"], item["v"])


def _consistent(item: Any, kind: type, code: int, name: str) -> None:
    if not isinstance(item, kind):
        text = "requires a consistent input format. Elements mustall be arrays or all be objects."
        raise CommandError(code, f"$arrayToObject {text} {name} was detected, now found: {type_name(item)}")


def _pair(name: str, value: Any) -> tuple[str, Any]:
    if "\0" in name:
        raise CommandError(4940400, "Key field cannot contain an embedded null byte")
    return name, value


def _field_name(name: str, argument: Any, compiled: Evaluate, codes: tuple[int, int, int]) -> str:
    """Returns the constant name that `field` must be. Codes: a path, not constant, not a string."""
    path, not_constant, not_string = codes
    if isinstance(argument, str) and argument.startswith("$"):
        quoted = f"'{argument[1:]}'" if argument.startswith("$$") else f"'$CURRENT.{argument[1:]}'"
        text = f"{quoted} is a field path reference which is not allowed in this context."
        raise CommandError(path, f"{text} Did you mean {{$literal: {quoted}}}?")
    if not isinstance(compiled, Constant) or _is_call(argument):
        text = "requires 'field' to evaluate to a constant, but got a non-constant argument"
        raise CommandError(not_constant, f"{name} {text}")
    if not isinstance(compiled.value, str):
        text = f"requires 'field' to evaluate to type String, but got {type_name(compiled.value)}"
        raise CommandError(not_string, f"{name} {text}")
    return compiled.value


def _is_call(argument: Any) -> bool:
    """True for an operator other than `$literal`: even of constants it is none to this parser."""
    return isinstance(argument, Mapping) and next(iter(argument), "") not in ("$literal", "$const")


@special("$getField")
def get_field(argument: Any, scope: Scope) -> Evaluate:
    """A field by its name, which may have dots and dollars."""
    is_document = isinstance(argument, Mapping) and not next(iter(argument), "").startswith("$")
    given = argument if is_document else {"field": argument, "input": "$$CURRENT"}
    codes = {"field": 3041702, "input": 3041703}
    with parsing_only():
        compiled = compile_in_order(given, codes, (3041701, "$getField found an unknown argument: {}"), scope)
    require(given, "$getField requires '{}' to be specified", codes)
    name = _field_name("$getField", given["field"], compiled["field"], (5654600, 5654601, 5654602))
    operand = compiled["input"]

    def apply(document: Any) -> Any:
        if nullish(document):
            return document
        return document.get(name, MISSING) if isinstance(document, Mapping) else MISSING

    return lambda row, variables: apply(operand(row, variables))


@special("$setField")
def set_field(argument: Any, scope: Scope) -> Evaluate:
    """The document with one field set, or removed by `$$REMOVE`."""
    return _with_field("$setField", argument, {"field": 4161102, "value": 4161103, "input": 4161109}, scope)


@special("$unsetField")
def unset_field(argument: Any, scope: Scope) -> Evaluate:
    """The document without one field."""
    return _with_field("$unsetField", argument, {"field": 4161102, "input": 4161109}, scope)


def _with_field(operator_name: str, argument: Any, codes: Mapping[str, int], scope: Scope) -> Evaluate:
    """Returns the input with a field as `value` says; without it where there is none to be given."""
    given = named(argument, 4161100, operator_name + " only supports an object as its argument")
    unknown = (4161101, operator_name + " found an unknown argument: {}")
    with parsing_only():  # never computed ahead, even of constants: the server does not either
        compiled = compile_in_order(given, codes, unknown, scope)
    require(given, operator_name + " requires '{}' to be specified", codes)
    name = _field_name(operator_name, given["field"], compiled["field"], (4161108, 4161106, 4161107))

    def apply(values: Iterator[Any]) -> Any:
        document = next(values)
        if nullish(document):
            return None
        if not isinstance(document, Mapping):
            raise CommandError(4161105, "$setField requires 'input' to evaluate to type Object")
        value = next(values)
        if value is MISSING:
            return {key: kept for key, kept in document.items() if key != name}
        return {**document, name: value}

    operands = [compiled["input"], compiled.get("value", Constant(MISSING))]
    return lambda row, variables: apply(operand(row, variables) for operand in operands)


@operator("$bsonSize")
def bson_size(document: Any) -> Any:
    """Bytes of a document as BSON."""
    if nullish(document):
        return None
    if not isinstance(document, Mapping):
        raise CommandError(31393, f"$bsonSize requires a document input, found: {type_name(document)}")
    return len(bson.encode(document))


@operator("$binarySize")
def binary_size(value: Any) -> Any:
    """Bytes of a string or of binary data."""
    if nullish(value):
        return None
    if isinstance(value, str):
        return len(value.encode())
    if type_name(value) != "binData":
        text = f"$binarySize requires a string or BinData argument, found: {type_name(value)}"
        raise CommandError(51276, text)
    return len(value if isinstance(value, bytes) else value.bytes)


def _timestamp_part(name: str, code: int, part: str) -> None:
    def apply(value: Any) -> Any:
        if nullish(value):
            return None
        if not isinstance(value, Timestamp):
            raise CommandError(code, f" Argument to {name} must be a timestamp, but is {type_name(value)}")
        return Int64(getattr(value, part))

    operator(name)(apply)


_timestamp_part("$tsSecond", 5687301, "time")
_timestamp_part("$tsIncrement", 5687302, "inc")
