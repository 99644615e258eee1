"""Keywords on documents: which fields they have, and what those hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.arguments import BAD_VALUE, FAILED_TO_PARSE, TYPE_MISMATCH
from atlas_rag.inprocess.mql.match.json_schema.keyword import Compile, Keyword, unless_other_type
from atlas_rag.inprocess.mql.match.paths import Test
from atlas_rag.inprocess.mql.match.regex import Expression, compile_regex
from atlas_rag.inprocess.mql.values import type_name


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping)


def _has_all(names: list[str]) -> Test:
    return lambda value: all(name in value for name in names)


def _required(keyword: Keyword) -> Test:
    names = keyword.array()
    for position, name in enumerate(names):
        if not isinstance(name, str):
            found = f"but found an element of type: {type_name(name)}"
            raise keyword.mismatch(f"must be an array of strings, {found}")
        if name in names[:position]:
            raise keyword.failure("array cannot contain duplicate values")
    return unless_other_type(_is_object, _has_all(names))


def _properties(keyword: Keyword) -> Test:
    tests: dict[str, Test] = {}
    for name, schema in keyword.object().items():
        if not isinstance(schema, Mapping):
            text = f"Nested schema for $jsonSchema property '{name}' must be an object"
            raise CommandError(TYPE_MISMATCH, text)
        tests[name] = keyword.below(schema)

    def test(value: Mapping[str, Any]) -> bool:
        return all(check(value[name]) for name, check in tests.items() if name in value)

    return unless_other_type(_is_object, test)


def _pattern_properties(keyword: Keyword) -> Test:
    given = keyword.object()
    checks = []
    for pattern, schema in given.items():
        if not isinstance(schema, Mapping):
            raise keyword.mismatch(f"has property '{pattern}' which is not an object")
        checks.append(keyword.below(schema))
    tests = list(zip(map(_name_pattern, given), checks, strict=True))

    def test(value: Mapping[str, Any]) -> bool:
        return all(
            check(field) for name, field in value.items() for pattern, check in tests if pattern.matches(name)
        )

    return unless_other_type(_is_object, test)


def _name_pattern(pattern: str) -> Expression:
    try:
        return compile_regex(pattern)
    except CommandError as error:
        text = error.message.removeprefix("Regular expression is invalid: ")
        raise CommandError(BAD_VALUE, f"Invalid regular expression: {text}") from None


def _additional_properties(keyword: Keyword) -> Test:
    """The fields that neither `properties` nor `patternProperties` speaks of."""
    argument = keyword.argument
    if not isinstance(argument, (Mapping, bool)):
        raise keyword.mismatch("must be an object or a boolean")
    rest = keyword.below(argument) if isinstance(argument, Mapping) else lambda _: bool(argument)
    named = _names_of(keyword.schema.get("properties"))
    patterns = [_name_pattern(pattern) for pattern in _names_of(keyword.schema.get("patternProperties"))]

    def is_additional(name: str) -> bool:
        return name not in named and not any(pattern.matches(name) for pattern in patterns)

    def test(value: Mapping[str, Any]) -> bool:
        return all(rest(field) for name, field in value.items() if is_additional(name))

    return unless_other_type(_is_object, test)


def _names_of(neighbour: Any) -> frozenset[str]:
    # A neighbour that is no object is refused where it is compiled itself.
    return frozenset(neighbour) if isinstance(neighbour, Mapping) else frozenset()


def _dependencies(keyword: Keyword) -> Test:
    """What a document that has one field must be besides."""
    tests = {name: _dependency(name, needed, keyword) for name, needed in keyword.object().items()}

    def test(value: Mapping[str, Any]) -> bool:
        return all(check(value) for name, check in tests.items() if name in value)

    return unless_other_type(_is_object, test)


def _dependency(name: str, needed: Any, keyword: Keyword) -> Test:
    if isinstance(needed, Mapping):
        return keyword.here(needed)
    if not isinstance(needed, list):
        text = f"property '{name}' in $jsonSchema keyword 'dependencies' must be either an object or an array"
        raise CommandError(TYPE_MISMATCH, text)
    if not needed:
        text = f"property '{name}' in $jsonSchema keyword 'dependencies' cannot be an empty array"
        raise CommandError(FAILED_TO_PARSE, text)
    for position, other in enumerate(needed):
        subject = f"array '{name}' in $jsonSchema keyword 'dependencies'"
        if not isinstance(other, str):
            found = f"but found element of type: {type_name(other)}"
            raise CommandError(TYPE_MISMATCH, f"{subject} can only contain strings, {found}")
        if other in needed[:position]:
            raise CommandError(FAILED_TO_PARSE, f"{subject} contains duplicate element: {other}")
    return _has_all(needed)


def _count(accepts: Callable[[int, int], bool], keyword: Keyword) -> Test:
    limit = keyword.size()
    return unless_other_type(_is_object, lambda value: accepts(len(value), limit))


KEYWORDS: dict[str, Compile] = {
    "required": _required,
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "minProperties": partial(_count, lambda count, limit: count >= limit),
    "maxProperties": partial(_count, lambda count, limit: count <= limit),
    "dependencies": _dependencies,
}
