"""`enum`, and the combinations of schemas: `allOf`, `anyOf`, `oneOf`, `not`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.arguments import BAD_VALUE
from atlas_rag.inprocess.mql.match.json_schema.keyword import Compile, Keyword
from atlas_rag.inprocess.mql.match.json_schema.unordered import unordered_key
from atlas_rag.inprocess.mql.match.paths import Test
from atlas_rag.inprocess.mql.values import type_name


def _enumeration(keyword: Keyword) -> Test:
    allowed = keyword.array()
    keys = {unordered_key(value) for value in allowed}
    if len(keys) < len(allowed):
        raise keyword.failure("array cannot contain duplicate values.")
    return lambda value: unordered_key(value) in keys


def _combination(accepts: Callable[[Iterable[bool]], bool], keyword: Keyword) -> Test:
    tests = [_combined(schema, keyword) for schema in _schemas(keyword)]
    return lambda value: accepts(test(value) for test in tests)


def _schemas(keyword: Keyword) -> list[Any]:
    schemas = keyword.argument
    if not isinstance(schemas, list):
        raise keyword.mismatch("must be an array")
    if not schemas:
        text = f"$jsonSchema keyword '{keyword.name}' must be a non-empty array"
        raise CommandError(BAD_VALUE, text)
    return schemas


def _combined(schema: Any, keyword: Keyword) -> Test:
    if not isinstance(schema, Mapping):
        found = f"but found an element of type {type_name(schema)}"
        raise keyword.mismatch(f"must be an array of objects, {found}")
    return keyword.here(schema)


def _exactly_one(outcomes: Iterable[bool]) -> bool:
    return sum(outcomes) == 1


def _negation(keyword: Keyword) -> Test:
    found = f"but found an element of type {type_name(keyword.argument)}"
    test = keyword.here(keyword.object(f"must be an object, {found}"))
    return lambda value: not test(value)


KEYWORDS: dict[str, Compile] = {
    "allOf": partial(_combination, all),
    "anyOf": partial(_combination, any),
    "oneOf": partial(_combination, _exactly_one),
    "not": _negation,
    "enum": _enumeration,
}
