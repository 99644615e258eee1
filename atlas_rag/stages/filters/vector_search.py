"""A filter as `$vectorSearch.filter`."""

from __future__ import annotations

from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Filter, Not
from atlas_rag.stages.filters.literals import wire


def to_vector_search(condition: Filter) -> dict[str, Any]:
    """Spells a simplified filter in the language of `$vectorSearch.filter`.

    Needs: every path indexed as `{type: "filter"}`; null equality is exempt.
    Raises:
        CallError: UNSUPPORTED_FILTER for `like`.
    Source: MQL subset of `$vectorSearch` ($eq $ne $gt $gte $lt $lte $in $nin $exists $not, $and $or $nor).
    """
    if isinstance(condition, Comparison):
        return _comparison(condition)
    if isinstance(condition, AllOf):
        return {"$and": [to_vector_search(part) for part in condition.parts]}
    if isinstance(condition, AnyOf):
        return {"$or": [to_vector_search(part) for part in condition.parts]}
    if isinstance(condition, Not):
        return _complement(condition.part)
    raise TypeError(type(condition))


def _comparison(condition: Comparison) -> dict[str, Any]:
    path, operator = condition.path, condition.operator
    if operator == "exists":
        return {path: {"$exists": True}}
    if operator == "like":
        raise CallError(
            f"A 'like' condition on {path!r} cannot run inside $vectorSearch",
            expected="eq, ne, gt, gte, lt, lte, in, not_in, exists or not_exists",
            next_step="store the prefix as its own field and filter with eq, or ask for a postfilter",
            code=Code.UNSUPPORTED_FILTER,
        )
    return {path: {"$" + operator: wire(condition.value)}}


def _complement(part: Filter) -> dict[str, Any]:
    match part:
        case Comparison(path, "exists"):
            return {path: {"$exists": False}}
        case Comparison(path, "eq" | "in" as operator, value):
            return {path: {"$ne" if operator == "eq" else "$nin": wire(value)}}
    return {"$nor": [to_vector_search(part)]}
