"""The `near` operator."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bson.datetime_ms import DatetimeMS

from atlas_rag.engines.local.text.fields.numeric import millis_of, truncated
from atlas_rag.engines.local.text.operators.context import Context, as_list
from atlas_rag.engines.local.text.operators.score import scored
from atlas_rag.engines.local.text.queries.base import Query
from atlas_rag.engines.local.text.queries.boolean import should
from atlas_rag.engines.local.text.queries.columns import NumberNear
from atlas_rag.engines.local.text.queries.leaves import MatchNothing


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `near` document."""
    parts = [_at_path(path, spec["origin"], spec["pivot"], context) for path in as_list(spec["path"])]
    return scored(should(parts), spec, context)


def _at_path(path: str, origin: Any, pivot: float, context: Context) -> Query:
    node = context.node(path)
    if node is None:
        return MatchNothing("not indexed")
    if isinstance(origin, datetime | DatetimeMS) and node.date is not None:
        millis = millis_of(origin)
        return NumberNear(node.date.name, float(millis), float(int(pivot)), millis, int(pivot))
    if isinstance(origin, int | float) and node.number is not None:
        return NumberNear(node.number.name, float(origin), float(pivot), truncated(origin), truncated(pivot))
    return MatchNothing("not indexed")
