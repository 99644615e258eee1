"""Tests of one value against a constant: equality, order within a type, membership.

A comparison never crosses types: `{$gt: 5}` is false for every string.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from bson import Decimal128, Int64, MaxKey, MinKey, Regex

from atlas_rag.inprocess.mql.match.paths import Test
from atlas_rag.inprocess.mql.match.regex import Expression, compiled_value
from atlas_rag.inprocess.mql.values import MISSING, sort_key
from atlas_rag.inprocess.mql.values.numbers import is_nan
from atlas_rag.inprocess.mql.values.order import STRING_RANK
from atlas_rag.inprocess.mql.values.types import is_number

_PLAIN_NUMBERS = frozenset({int, float, Int64})
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def equals(constant: Any) -> Test:
    """Returns the test `$eq`; null also equals a missing field."""
    kind = type(constant)
    if constant is None:
        return lambda value: value is None or value is MISSING
    if kind is str:
        return lambda value: bool(value == constant)
    if kind is bool:
        return lambda value: value is constant
    if kind in _PLAIN_NUMBERS and not is_nan(constant):
        return _equals_number(constant)
    key = sort_key(constant)
    return lambda value: sort_key(value) == key


def _equals_number(constant: float) -> Test:
    def test(value: Any) -> bool:
        if value.__class__ is Decimal128:
            return bool(value.to_decimal() == constant)
        return value == constant and value.__class__ is not bool

    return test


def ordered(name: str, constant: Any) -> Test:
    """Returns the test `$gt`, `$gte`, `$lt` or `$lte`."""
    if isinstance(constant, (MinKey, MaxKey)):
        return _beyond(name, constant)
    if constant is None:
        return equals(None) if name in ("$gte", "$lte") else lambda _: False
    if is_nan(constant):
        return equals(constant) if name in ("$gte", "$lte") else lambda _: False
    compare, key = _OPERATORS[name], sort_key(constant)
    rank, kind = key[0], type(constant)
    if kind is Decimal128:
        return lambda value: not is_nan(value) and is_number(value) and compare(sort_key(value), key)
    if kind in _PLAIN_NUMBERS:
        return _ordered_number(compare, constant, key)
    if rank == STRING_RANK:
        return lambda value: value.__class__ is str and compare(value, constant)

    def test(value: Any) -> bool:
        other = sort_key(value)
        return other[0] == rank and compare(other, key)

    return test


def _ordered_number(compare: Callable[[Any, Any], bool], constant: float, key: tuple[Any, ...]) -> Test:
    def test(value: Any) -> bool:
        kind = value.__class__
        if kind in _PLAIN_NUMBERS:
            return compare(value, constant)
        return kind is Decimal128 and not is_nan(value) and compare(sort_key(value), key)

    return test


def _beyond(name: str, constant: MinKey | MaxKey) -> Test:
    """Order against the least or greatest key: the one comparison that holds across types."""
    kind = type(constant)
    others = name in (("$gt", "$gte") if kind is MinKey else ("$lt", "$lte"))
    itself = name in ("$gte", "$lte")
    return lambda value: itself if isinstance(value, kind) else others


def matches_regex(pattern: Expression, stored: Regex[Any] | re.Pattern[Any] | None = None) -> Test:
    """Returns the test `$regex`: a string that contains a match, or the same expression stored as a value."""
    matches = pattern.matches
    key = sort_key(stored) if stored is not None else None

    def test(value: Any) -> bool:
        if value.__class__ is str:
            return matches(value)
        return isinstance(value, (Regex, re.Pattern)) and sort_key(value) == key

    return test


def one_of(constants: Sequence[Any]) -> Test:
    """Returns the test `$in`: equal to one of the constants, or matching one of the expressions."""
    patterns = [item for item in constants if isinstance(item, (Regex, re.Pattern))]
    keys = {sort_key(item) for item in constants if not isinstance(item, (Regex, re.Pattern))}
    if any(item is None for item in constants):
        keys.add(sort_key(MISSING))
    tests = [matches_regex(compiled_value(pattern), pattern) for pattern in patterns]
    if not tests:
        return lambda value: sort_key(value) in keys
    return lambda value: sort_key(value) in keys or any(test(value) for test in tests)
