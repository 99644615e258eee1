"""Strategies of JSON Schemas, mostly of the kind of value that the field they are for holds."""

from __future__ import annotations

from typing import Any

from bson import Decimal128
from hypothesis import strategies as st

from tests.support.mql.values import FIELDS, names, numbers, scalars, values

Strategy = st.SearchStrategy[Any]
TYPES = ["int", "long", "double", "decimal", "string", "object", "array", "bool", "null", "date", "number"]
JSON_TYPES = ["number", "string", "object", "array", "boolean", "null"]
PATTERNS = ["a", "^a", "b$", "[a-c]+", "^$", "é", "("]


def _keyword(name: str, argument: Strategy) -> Strategy:
    return st.builds(lambda value: {name: value}, argument)


def _one_or_some(items: list[str]) -> Strategy:
    return st.one_of(
        st.sampled_from(items), st.lists(st.sampled_from(items), min_size=1, max_size=3, unique=True)
    )


sizes = st.sampled_from([0, 1, 2, 3, 2.0])
divisors = st.sampled_from([1, 2, 0.5, 0.1, 2.5, Decimal128("0.1"), float("inf")])
field_names = st.sampled_from(sorted(FIELDS))
name_lists = st.lists(st.one_of(names, field_names), min_size=1, max_size=3, unique=True)
plain_keywords = st.one_of(
    _keyword("bsonType", _one_or_some(TYPES)),
    _keyword("type", _one_or_some(JSON_TYPES)),
    *(_keyword(name, numbers) for name in ("minimum", "maximum")),
    st.builds(lambda bound, flag: {"minimum": bound, "exclusiveMinimum": flag}, numbers, st.booleans()),
    st.builds(lambda bound, flag: {"maximum": bound, "exclusiveMaximum": flag}, numbers, st.booleans()),
    _keyword("multipleOf", divisors),
    *(_keyword(name, sizes) for name in ("minLength", "maxLength", "minItems", "maxItems")),
    *(_keyword(name, sizes) for name in ("minProperties", "maxProperties")),
    _keyword("pattern", st.sampled_from(PATTERNS)),
    _keyword("uniqueItems", st.booleans()),
    _keyword("required", name_lists),
    _keyword("enum", st.lists(st.one_of(scalars, values), min_size=1, max_size=3)),
)


def _combined(inner: Strategy) -> Strategy:
    by_name = st.dictionaries(st.one_of(names, field_names), inner, max_size=3)
    by_pattern = st.dictionaries(st.sampled_from(PATTERNS), inner, max_size=2)
    schema_or_flag = st.one_of(inner, st.booleans())
    return st.one_of(
        st.builds(lambda left, right: {**left, **right}, inner, inner),
        _keyword("properties", by_name),
        _keyword("patternProperties", by_pattern),
        st.builds(
            lambda known, rest: {"properties": known, "additionalProperties": rest}, by_name, schema_or_flag
        ),
        _keyword("additionalProperties", schema_or_flag),
        _keyword("dependencies", st.dictionaries(names, st.one_of(name_lists, inner), max_size=2)),
        _keyword("items", inner),
        st.builds(
            lambda first, rest: {"items": first, "additionalItems": rest},
            st.lists(inner, max_size=2),
            schema_or_flag,
        ),
        *(_keyword(name, st.lists(inner, min_size=1, max_size=2)) for name in ("allOf", "anyOf", "oneOf")),
        _keyword("not", inner),
    )


_schemas = st.recursive(plain_keywords, _combined, max_leaves=4)
# At the top only some keywords say anything; most schemas are of fields.
schemas = st.one_of(
    _schemas,
    *[_keyword("properties", st.dictionaries(field_names, _schemas, min_size=1, max_size=3))] * 3,
)
