"""Keywords on arrays: what their elements are, how many, whether one occurs twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from atlas_rag.inprocess.mql.match.json_schema.keyword import Compile, Keyword, unless_other_type
from atlas_rag.inprocess.mql.match.json_schema.unordered import unordered_key
from atlas_rag.inprocess.mql.match.paths import Test
from atlas_rag.inprocess.mql.values import type_name


def _is_array(value: Any) -> bool:
    return isinstance(value, list)


def _items(keyword: Keyword) -> Test:
    """One schema for every element, or one for each of the first elements."""
    argument = keyword.argument
    if isinstance(argument, Mapping):
        each = keyword.below(argument)
        return unless_other_type(_is_array, lambda value: all(map(each, value)))
    if not isinstance(argument, list):
        raise keyword.mismatch(f"must be an array or an object, not {type_name(argument)}")
    tests = [_item(schema, keyword) for schema in argument]
    return unless_other_type(
        _is_array, lambda value: all(test(item) for test, item in zip(tests, value, strict=False))
    )


def _item(schema: Any, keyword: Keyword) -> Test:
    if not isinstance(schema, Mapping):
        found = f"but found a {type_name(schema)}"
        raise keyword.mismatch(f"requires that each element of the array is an object, {found}")
    return keyword.below(schema)


def _additional_items(keyword: Keyword) -> Test | None:
    """The elements behind those that have schemas of their own."""
    argument = keyword.argument
    if not isinstance(argument, (Mapping, bool)):
        text = f"must be either an object or a boolean, but got a {type_name(argument)}"
        raise keyword.mismatch(text)
    rest = keyword.below(argument) if isinstance(argument, Mapping) else lambda _: bool(argument)
    first = keyword.schema.get("items")
    if not isinstance(first, list):
        return None
    start = len(first)
    return unless_other_type(_is_array, lambda value: all(map(rest, value[start:])))


def _count(accepts: Callable[[int, int], bool], keyword: Keyword) -> Test:
    limit = keyword.size()
    return unless_other_type(_is_array, lambda value: accepts(len(value), limit))


def _unique(keyword: Keyword) -> Test | None:
    if not keyword.flag():
        return None
    return unless_other_type(_is_array, lambda value: len(set(map(unordered_key, value))) == len(value))


KEYWORDS: dict[str, Compile] = {
    "minItems": partial(_count, lambda count, limit: count >= limit),
    "maxItems": partial(_count, lambda count, limit: count <= limit),
    "uniqueItems": _unique,
    "items": _items,
    "additionalItems": _additional_items,
}
