"""A filter as clauses of a `$search` compound."""

from __future__ import annotations

from typing import Any

from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Filter, Not
from atlas_rag.stages.filters.literals import wire


def to_search_clauses(condition: Filter) -> dict[str, list[dict[str, Any]]]:
    """Spells a simplified filter as the `filter` and `mustNot` lists of one compound.

    The top-level conjunction is laid into the two lists, so that the common case adds no nesting.

    Needs: string conditions need the path mapped as `token`, `like` a `string` analysed with
    `lucene.keyword`; numbers, dates, booleans, ObjectIds and UUIDs their own type.
    """
    clauses: dict[str, list[dict[str, Any]]] = {}
    for part in condition.parts if isinstance(condition, AllOf) else (condition,):
        if isinstance(part, Not):
            clauses.setdefault("mustNot", []).append(_operator(part.part))
        else:
            clauses.setdefault("filter", []).append(_operator(part))
    return clauses


def _operator(condition: Filter) -> dict[str, Any]:
    match condition:
        case AllOf() | Not():
            return {"compound": to_search_clauses(condition)}
        case AnyOf(parts):
            return {"compound": {"should": [_operator(part) for part in parts], "minimumShouldMatch": 1}}
        case Comparison(path, "exists"):
            return {"exists": {"path": path}}
        case Comparison(path, "eq", value):
            return {"equals": {"path": path, "value": wire(value)}}
        case Comparison(path, "in", value):
            return {"in": {"path": path, "value": wire(value)}}
        case Comparison(path, "like", pattern):
            return {"wildcard": {"path": path, "query": wildcard(str(pattern)), "allowAnalyzedField": False}}
        case Comparison(path, operator, value):
            return {"range": {"path": path, operator: wire(value)}}
    raise TypeError(type(condition))


def wildcard(pattern: str) -> str:
    """A `like` pattern for the wildcard operator: `*` any run, `?` one character, `\\` escapes."""
    marks = {"%": "*", "_": "?", "*": "\\*", "?": "\\?", "\\": "\\\\"}
    return "".join(marks.get(character, character) for character in pattern)
