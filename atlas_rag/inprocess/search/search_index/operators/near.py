"""The `near` operator."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bson.datetime_ms import DatetimeMS

from atlas_rag.inprocess.search.search_index.fields.numeric import (
    MAX_LONG,
    MIN_LONG,
    DateField,
    NumberField,
    millis_of,
    truncated,
)
from atlas_rag.inprocess.search.search_index.operators.context import Context, plain_paths
from atlas_rag.inprocess.search.search_index.operators.geo import position
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import FILTER, SHOULD, boolean, should
from atlas_rag.inprocess.search.search_index.queries.columns import DoubleNear, SingleRange, WholeNear
from atlas_rag.inprocess.search.search_index.queries.geo import PlaceNear
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing
from atlas_rag.inprocess.search.search_index.queries.rendering import sortable_bits


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `near` document."""
    parts = [_at_path(path, spec["origin"], spec["pivot"], context) for path in plain_paths(spec["path"])]
    return scored(should(parts), spec, context)


def _at_path(path: str, origin: Any, pivot: float, context: Context) -> Query:
    node = context.node(path)
    if node is None:
        return MatchNothing("not indexed")
    if isinstance(origin, datetime | DatetimeMS) and node.date is not None:
        return _near_date(node.date, origin, pivot)
    if isinstance(origin, int | float) and node.number is not None:
        return _near_number(node.number, origin, pivot)
    if isinstance(origin, Mapping) and node.geo is not None:
        return PlaceNear(node.geo.name, node.geo.points_name, position(origin), float(pivot))
    return MatchNothing("not indexed")


def _near_date(field: DateField, origin: datetime | DatetimeMS, pivot: float) -> Query:
    return WholeNear(field.name, millis_of(origin), max(truncated(float(pivot)), 1))


def _near_number(field: NumberField, origin: float, pivot: float) -> Query:
    """Both representations; doubles below and above the origin are separate clauses in the engine."""
    whole = WholeNear(field.name, truncated(origin), max(truncated(float(pivot)), 1))
    name = field.scope.field("double", field.path)
    middle = sortable_bits(float(origin))
    bits = middle, sortable_bits(float(pivot))
    closeness = DoubleNear(field.name, name, float(origin), float(pivot), bits)
    below = SingleRange(field.name, name, MIN_LONG, middle)
    above = SingleRange(field.name, name, middle + 1, MAX_LONG)
    halves = [boolean([(FILTER, half), (SHOULD, closeness)]) for half in (below, above)]
    return should([whole, should(halves)])
