"""The `range` operator: each path a constant score, added up."""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from bson import ObjectId
from bson.binary import Binary
from bson.datetime_ms import DatetimeMS

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.fields.exact import uuid_text
from atlas_rag.inprocess.search.search_index.fields.numeric import MAX_LONG, MIN_LONG, millis_of
from atlas_rag.inprocess.search.search_index.operators.context import Context, plain_paths
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.operators.values import (
    NOTHING,
    date_between,
    number_between,
    require_token_or_one_term,
)
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.rendering import value_range_texts
from atlas_rag.inprocess.search.search_index.queries.termsets import TermRange

_LOWEST = math.nextafter(math.nextafter(-math.inf, 0), 0)
"""What the engine takes for an open lower bound: one step above the lowest double."""


class Bounds:
    """The bounds of a range as sent."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.include_low, self.include_high = spec.get("gte") is not None, spec.get("lte") is not None
        self.low = spec["gte"] if self.include_low else spec.get("gt")
        self.high = spec["lte"] if self.include_high else spec.get("lt")
        self.sample = self.low if self.low is not None else self.high


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `range` document."""
    bounds = Bounds(spec)
    parts = [_at_path(path, bounds, context) for path in plain_paths(spec["path"])]
    return scored(should(parts), spec, context)


def _at_path(path: str, bounds: Bounds, context: Context) -> Query:
    node, sample = context.node(path), bounds.sample
    if isinstance(sample, datetime | DatetimeMS):
        low = MIN_LONG if bounds.low is None else millis_of(bounds.low) + (not bounds.include_low)
        high = MAX_LONG if bounds.high is None else millis_of(bounds.high) - (not bounds.include_high)
        return date_between(node, low, high)
    if isinstance(sample, int | float):
        return _numbers(node, bounds)
    if isinstance(sample, str):
        field = None if node is None else node.token
        if field is None:
            require_token_or_one_term(path, sample, context)
            return NOTHING
        return _terms(field.name, bounds, str.lower if field.lowercase else str)
    if isinstance(sample, ObjectId):
        return _terms(context.scope.field("objectId", path), bounds, str, bytes.fromhex)
    if isinstance(sample, uuid.UUID | Binary):
        return _terms(context.scope.field("uuid", path), bounds, uuid_text)
    raise EngineRefusal(f"unsupported bound {sample!r}")


def _utf8(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")


def _terms(
    field: str,
    bounds: Bounds,
    term_of: Callable[[Any], str],
    bytes_of: Callable[[str], bytes] = _utf8,
) -> Query:
    low, high = (None if each is None else term_of(each) for each in (bounds.low, bounds.high))
    plain = TermRange(field, low, high, bounds.include_low, bounds.include_high)
    raw = [None if term is None else bytes_of(term) for term in (low, high)]
    includes = bounds.include_low, bounds.include_high
    whole, explained = value_range_texts(str(plain), field, *raw, includes=includes)
    return replace(plain, text=whole, in_explanation=explained)


def _numbers(node: Any, bounds: Bounds) -> Query:
    low, high = -math.inf, math.inf
    first: int | float = MIN_LONG
    last: int | float = MAX_LONG
    if bounds.low is not None:
        low = float(bounds.low) if bounds.include_low else math.nextafter(float(bounds.low), math.inf)
        first = _whole_low(bounds.low, bounds.include_low)
    if bounds.high is not None:
        high = float(bounds.high) if bounds.include_high else math.nextafter(float(bounds.high), -math.inf)
        last = _whole_high(bounds.high, bounds.include_high)
    low = _LOWEST if low == -math.inf else low
    high = math.nextafter(math.inf, 0) if high == math.inf else high
    return number_between(node, low, high, first, last)


def _whole_low(bound: float, included: bool) -> int | float:
    if isinstance(bound, float):
        return bound if included or not bound.is_integer() else bound + 1
    return bound if included else bound + 1


def _whole_high(bound: float, included: bool) -> int | float:
    if isinstance(bound, float):
        return bound if included or not bound.is_integer() else bound - 1
    return bound if included else bound - 1
