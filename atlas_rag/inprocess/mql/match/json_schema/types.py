"""`type` and `bsonType`: which types a value may have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.arguments import BAD_VALUE, FAILED_TO_PARSE, type_set
from atlas_rag.inprocess.mql.match.json_schema.keyword import Compile, Keyword
from atlas_rag.inprocess.mql.match.paths import Test
from atlas_rag.inprocess.mql.values.types import NUMBERS, type_name

# JSON Schema's own names; all but one are the server's aliases too.
_JSON_TYPES: dict[str, frozenset[str]] = {
    "array": frozenset({"array"}),
    "boolean": frozenset({"bool"}),
    "null": frozenset({"null"}),
    "number": NUMBERS,
    "object": frozenset({"object"}),
    "string": frozenset({"string"}),
}


def _bson_type(keyword: Keyword) -> Test:
    allowed = bson_types(_names(keyword))
    return lambda value: type_name(value) in allowed


def _json_type(keyword: Keyword) -> Test:
    allowed = frozenset().union(*(_json_names(name) for name in _names(keyword)))
    return lambda value: type_name(value) in allowed


def bson_types(names: Sequence[str]) -> frozenset[str]:
    """Returns the types that some aliases stand for."""
    return frozenset().union(*map(_bson_names, names))


def _bson_names(name: str) -> frozenset[str]:
    _refuse_integer(name)
    return type_set("", name)


def _json_names(name: str) -> frozenset[str]:
    _refuse_integer(name)
    if name not in _JSON_TYPES:
        raise CommandError(BAD_VALUE, f"Unknown type name alias: {name}")
    return _JSON_TYPES[name]


def _refuse_integer(name: str) -> None:
    if name == "integer":
        raise CommandError(FAILED_TO_PARSE, "$jsonSchema type 'integer' is not currently supported.")


def _names(keyword: Keyword) -> list[str]:
    if "type" in keyword.schema and "bsonType" in keyword.schema:
        text = "Cannot specify both $jsonSchema keywords 'type' and 'bsonType'"
        raise CommandError(FAILED_TO_PARSE, text)
    if "encrypt" in keyword.schema:
        text = (
            f"cannot be used in conjunction with '{keyword.name}', 'encrypt' implies type 'bsonType::BinData'"
        )
        raise keyword._replace(name="encrypt").failure(text)
    names = type_names(keyword)
    if not names:
        raise keyword.failure("must name at least one type")
    return names


def type_names(keyword: Keyword) -> list[str]:
    """Returns the argument, one name or an array of different ones, in alphabetical order."""
    argument: Any = keyword.argument
    if isinstance(argument, str):
        return [argument]
    if not isinstance(argument, list):
        raise keyword.mismatch("must be either a string or an array of strings")
    for position, name in enumerate(argument):
        if not isinstance(name, str):
            raise keyword.mismatch("array elements must be strings")
        if name in argument[:position]:
            raise keyword.failure(f"has duplicate value: {name}")
    return sorted(argument)


KEYWORDS: dict[str, Compile] = {"type": _json_type, "bsonType": _bson_type}
