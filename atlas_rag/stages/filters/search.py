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
    if isinstance(condition, Comparison):
        return _comparison(condition)
    if isinstance(condition, AnyOf):
        return {
            "compound": {"should": [_operator(part) for part in condition.parts], "minimumShouldMatch": 1}
        }
    return {"compound": to_search_clauses(condition)}


def _comparison(condition: Comparison) -> dict[str, Any]:
    path, operator, value = condition.path, condition.operator, condition.value
    if operator == "eq":
        return {"equals": {"path": path, "value": wire(value)}}
    if operator == "in":
        return {"in": {"path": path, "value": wire(value)}}
    if operator == "exists":
        return {"exists": {"path": path}}
    if operator == "like":
        return {"wildcard": {"path": path, "query": wildcard(str(value)), "allowAnalyzedField": False}}
    return {"range": {"path": path, operator: wire(value)}}


def wildcard(pattern: str) -> str:
    """A `like` pattern for the wildcard operator: `*` any run, `?` one character, `\\` escapes."""
    marks = {"%": "*", "_": "?", "*": "\\*", "?": "\\?", "\\": "\\\\"}
    return "".join(marks.get(character, character) for character in pattern)
