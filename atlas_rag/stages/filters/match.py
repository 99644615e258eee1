"""A filter as a `$match` document."""

from __future__ import annotations

import re
from typing import Any

from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Filter, Not
from atlas_rag.stages.filters.literals import wire


def to_match(condition: Filter) -> dict[str, Any]:
    """Spells a simplified filter in MQL, with the meaning of the search targets: null is an explicit null."""
    match condition:
        case AllOf(parts):
            return {"$and": [to_match(part) for part in parts]}
        case AnyOf(parts):
            return {"$or": [to_match(part) for part in parts]}
        case Not(Comparison(path, "exists")):
            return {path: {"$exists": False}}
        case Not(Comparison(path, "eq" | "in" as operator, value)) if value is not None:
            return {path: {"$ne" if operator == "eq" else "$nin": wire(value)}}
        case Not(part):
            return {"$nor": [to_match(part)]}
        case Comparison(path, "exists"):
            return {path: {"$exists": True}}
        case Comparison(path, "eq", None):
            return {path: {"$type": "null"}}
        case Comparison(path, "like", pattern):
            return {path: {"$regex": like_regex(str(pattern)), "$options": "s"}}
        case Comparison(path, operator, value):
            return {path: {f"${operator}": wire(value)}}
    raise TypeError(type(condition))


def like_regex(pattern: str) -> str:
    """A `like` pattern as an anchored PCRE."""
    marks = {"%": ".*", "_": "."}
    return "\\A" + "".join(marks.get(c) or re.escape(c) for c in pattern) + "\\z"
