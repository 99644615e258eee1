"""What `equals`, `in` and `range` compare: the type of a value, and its query at a path."""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from bson import ObjectId
from bson.binary import Binary
from bson.datetime_ms import DatetimeMS

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.fields.exact import ExactField, boolean_term, uuid_text
from atlas_rag.inprocess.search.search_index.fields.numeric import MAX_LONG, MIN_LONG, millis_of, truncated
from atlas_rag.inprocess.search.search_index.mapping import Node
from atlas_rag.inprocess.search.search_index.names import NULL_TERM
from atlas_rag.inprocess.search.search_index.operators.context import Context
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.columns import NumberRange, NumberSet
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing, Term
from atlas_rag.inprocess.search.search_index.queries.rendering import token_texts
from atlas_rag.inprocess.search.search_index.queries.termsets import AnyTerm
from atlas_rag.inprocess.search.search_index.queries.wrappers import Constant

NOTHING = MatchNothing("not indexed")


def value_query(path: str, value: Any, context: Context) -> Query:
    """Builds the query of one exact value at a path."""
    if value is None:
        return Constant(Term(context.scope.field("null", path), NULL_TERM))
    node = context.node(path)
    if isinstance(value, str):
        return token_query(path, [value], node, context)
    if isinstance(value, bool):
        return _exact(node, "boolean", [boolean_term(value)])
    if isinstance(value, int | float):
        if not math.isfinite(value):
            return NOTHING
        return number_between(node, float(value), float(value), value, value)
    if isinstance(value, datetime | DatetimeMS):
        return date_between(node, millis_of(value), millis_of(value))
    if isinstance(value, ObjectId):
        return _exact(node, "objectId", [str(value)])
    if isinstance(value, uuid.UUID | Binary):
        return _exact(node, "uuid", [uuid_text(value)])
    raise EngineRefusal(f"unsupported value {value!r}")


def token_query(path: str, values: list[str], node: Node | None, context: Context) -> Query:
    """Builds the query of string values; refuses a path that would need a token field."""
    field = None if node is None else node.token
    if field is None:
        require_token_or_one_term(path, values[0], context)
        return NOTHING
    terms = tuple(value.lower() for value in values) if field.lowercase else tuple(values)
    whole, explained = token_texts(field.name, terms)
    return AnyTerm(field.name, terms, whole, explained)


def require_token_or_one_term(path: str, value: str, context: Context) -> None:
    """Refuses a string on a path without token field, unless the default analyzer keeps it as one term."""
    words, _ = context.mapping.registry.get("lucene.standard").terms(value)
    if len(words) != 1:
        raise EngineRefusal(f"Path '{path}' needs to be indexed as token")


def _exact(node: Node | None, kind: str, terms: list[str]) -> Query:
    field: ExactField | None = None if node is None else node.fields.get(kind)
    if field is None:
        return NOTHING
    inner = [f"{field.name}:{term}" for term in terms]
    return AnyTerm(field.name, tuple(terms), f"ConstantScore({' '.join(inner)})")


def values_query(path: str, values: list[Any], context: Context) -> Query:
    """Builds the query of any of several values of one type at a path."""
    node, sample = context.node(path), values[0]
    if isinstance(sample, str):
        return token_query(path, values, node, context)
    if isinstance(sample, bool):
        return _exact(node, "boolean", [boolean_term(value) for value in values])
    if isinstance(sample, int | float):
        return _numbers(node, values)
    if isinstance(sample, datetime | DatetimeMS):
        return _dates(node, [millis_of(value) for value in values])
    if isinstance(sample, ObjectId):
        return _exact(node, "objectId", [str(value) for value in values])
    return _exact(node, "uuid", [uuid_text(value) for value in values])


def _numbers(node: Node | None, values: list[float]) -> Query:
    field = None if node is None else node.number
    if field is None:
        return NOTHING
    longs = tuple({truncated(value) if isinstance(value, float) else int(value) for value in values})
    return Constant(NumberSet(field, tuple(map(float, values)), longs))


def _dates(node: Node | None, millis: list[int]) -> Query:
    field = None if node is None else node.date
    if field is None:
        return NOTHING
    return Constant(NumberSet(field, tuple(map(float, millis)), tuple(set(millis))))


def number_between(node: Node | None, low: float, high: float, first: Any, last: Any) -> Query:
    """Builds the range of numbers from low to high, both included.

    Args:
        first: the lower bound for integer columns (a double is rounded up).
        last: the upper bound for integer columns (a double is rounded down).
    """
    field = None if node is None else node.number
    if field is None or (field.whole and (first > MAX_LONG or last < MIN_LONG)):
        return NOTHING
    longs = _long(first, math.ceil), _long(last, math.floor)
    return Constant(NumberRange(field, (low, high), longs))


def _long(value: Any, rounding: Callable[[float], int]) -> int:
    if not isinstance(value, float):
        return int(value)
    if not math.isfinite(value):
        return truncated(value)
    return max(min(rounding(value), MAX_LONG), MIN_LONG)


def date_between(node: Node | None, first: int, last: int) -> Query:
    """Builds the range of dates from first to last, in milliseconds, both included."""
    field = None if node is None else node.date
    if field is None:
        return NOTHING
    return Constant(NumberRange(field, (float(first), float(last)), (first, last)))
