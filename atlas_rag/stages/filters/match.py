"""A filter as a `$match` document."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Filter, Not
from atlas_rag.stages.filters.literals import wire

_FIRST_UUID, _LAST_UUID = UUID(int=0), UUID(int=2**128 - 1)
"""Binary data has an order of its own, by length first: ranges of UUIDs are bounded on both sides."""


def to_match(condition: Filter) -> dict[str, Any]:
    """Spells a simplified filter in MQL, with the meaning of the search targets: null is an explicit null."""
    if isinstance(condition, Comparison):
        return _comparison(condition)
    if isinstance(condition, AllOf):
        return {"$and": [to_match(part) for part in condition.parts]}
    if isinstance(condition, AnyOf):
        return {"$or": [to_match(part) for part in condition.parts]}
    if isinstance(condition, Not):
        return _complement(condition.part)
    raise TypeError(type(condition))


def _comparison(condition: Comparison) -> dict[str, Any]:
    match condition:
        case Comparison(path, "exists"):
            return {path: {"$exists": True}}
        case Comparison(path, "eq", None):
            return {path: {"$type": "null"}}
        case Comparison(path, "like", pattern):
            return {path: {"$regex": like_regex(str(pattern)), "$options": "s"}}
        case Comparison(path, "gt" | "gte" as operator, UUID() as bound):
            return {path: {f"${operator}": wire(bound), "$lte": wire(_LAST_UUID)}}
        case Comparison(path, "lt" | "lte" as operator, UUID() as bound):
            return {path: {f"${operator}": wire(bound), "$gte": wire(_FIRST_UUID)}}
    return {condition.path: {f"${condition.operator}": wire(condition.value)}}


def _complement(part: Filter) -> dict[str, Any]:
    match part:
        case Comparison(path, "exists"):
            return {path: {"$exists": False}}
        case Comparison(path, "eq" | "in" as operator, value) if value is not None:
            return {path: {"$ne" if operator == "eq" else "$nin": wire(value)}}
    return {"$nor": [to_match(part)]}


def like_regex(pattern: str) -> str:
    """A `like` pattern as an anchored PCRE."""
    marks = {"%": ".*", "_": "."}
    return "\\A" + "".join(marks.get(c) or re.escape(c) for c in pattern) + "\\z"
