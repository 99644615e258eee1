"""What `count` reports: the exact total, or where the engine stops counting.

Above max(threshold, 101) a query whose hits all score alike, and every `$searchMeta`, stop at one more.
Scored queries report whatever the engine's pruning has visited by then: any number above the threshold;
here it is the exact total. A facet query always counts exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bson.int64 import Int64

from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.columns import NumberRange, NumberSet
from atlas_rag.inprocess.search.search_index.queries.geo import InArea, InRelation
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchAll
from atlas_rag.inprocess.search.search_index.queries.termsets import TermSet
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost, Constant

DEFAULT_THRESHOLD = 1000
FIRST_BATCH = 101
"""Hits of a cursor's first batch: so many are always counted."""

_ALIKE = (Constant, MatchAll, TermSet, NumberRange, NumberSet, InArea, InRelation)


def scores_alike(query: Query) -> bool:
    """Whether all hits of a rewritten query have one score."""
    while isinstance(query, Boost):
        query = query.query
    return isinstance(query, _ALIKE)


def count_of(option: Mapping[str, Any] | None, total: int, *, may_stop: bool) -> dict[str, Int64]:
    """Returns the `count` document of a result.

    Args:
        option: the body's `count`.
        total: how many documents match.
        may_stop: counting ends once it is above the threshold.
    """
    option = option or {}
    if option.get("type") == "total":
        return {"total": Int64(total)}
    threshold = option.get("threshold")
    enough = max(DEFAULT_THRESHOLD if threshold is None else int(threshold), FIRST_BATCH)
    return {"lowerBound": Int64(min(total, enough + 1) if may_stop else total)}
