"""The Mongo-style spelling of a filter: the eleven operators and three groups, nothing else.

    {"category": "refund", "year": {"$gte": 2023, "$lt": 2025}, "$or": [{"region": "eu"}, {"vip": True}]}

Operators mean what they mean in `Filter` on every target, not what MQL would make of them: `$ne` and `$nin`
need the path to exist, `null` is an explicit null. `$not` and `$nor` are plain complements.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Filter, Not, all_of, any_of, unknown
from atlas_rag.query.values import literal

OPERATORS = {
    "$eq": "eq",
    "$ne": "ne",
    "$gt": "gt",
    "$gte": "gte",
    "$lt": "lt",
    "$lte": "lte",
    "$in": "in",
    "$nin": "not_in",
    "$like": "like",
}
SPELLING = {name: key for key, name in OPERATORS.items()}
GROUPS = ("$and", "$or", "$nor")


def read(document: Mapping[str, Any]) -> Filter:
    """Reads the Mongo-style form.

    Raises:
        CallError: INVALID_FILTER for an empty document or group, an unknown operator, or a bad value;
            VALUE_NOT_LITERAL for a `$` key where a value belongs.
    """
    if not isinstance(document, Mapping):
        raise _invalid(f"A filter is a {type(document).__name__}", "a document")
    if not document:
        raise _invalid("A filter is empty", "at least one condition; None means no filter")
    return all_of(*(_entry(key, value) for key, value in document.items()))


def write(condition: Filter) -> dict[str, Any]:
    """Writes the form that `read` reads back to an equal filter."""
    match condition:
        case AllOf(parts):
            return {"$and": [write(part) for part in parts]}
        case AnyOf(parts):
            return {"$or": [write(part) for part in parts]}
        case Not(part):
            return {"$nor": [write(part)]}
        case Comparison(path, "exists" | "not_exists" as operator):
            return {path: {"$exists": operator == "exists"}}
        case Comparison(path, operator, value):
            return {path: {SPELLING[operator]: list(value) if isinstance(value, tuple) else value}}
    raise TypeError(type(condition))


def _entry(key: Any, value: Any) -> Filter:
    if key in GROUPS:
        parts = _group_parts(key, value)
        return {"$and": all_of, "$or": any_of, "$nor": _nor}[key](*parts)
    if isinstance(key, str) and key.startswith("$"):
        if key in (*OPERATORS, "$exists", "$not"):
            raise _invalid(f"The operator {key!r} has no path", f"{{path: {{{key!r}: value}}}}")
        raise unknown(f"filter group {key!r}", key, GROUPS)
    if isinstance(value, Mapping):
        return _conditions(key, value)
    return Comparison(key, "eq", literal(value, str(key)))


def _group_parts(key: str, value: Any) -> list[Filter]:
    if not isinstance(value, list | tuple) or not value:
        raise _invalid(f"{key} holds {type(value).__name__}", "a non-empty array of filters")
    return [read(part) for part in value]


def _nor(*parts: Filter) -> Filter:
    return Not(any_of(*parts))


def _conditions(path: str, operators: Mapping[str, Any]) -> Filter:
    if not operators:
        raise _invalid(f"The condition on {path!r} is an empty document", "a literal or operators")
    if not any(str(key).startswith("$") or f"${key}" in OPERATORS for key in operators):
        literal(operators, path)
    return all_of(*(_condition(path, key, value) for key, value in operators.items()))


def _condition(path: str, key: str, value: Any) -> Filter:
    if key == "$exists":
        if not isinstance(value, bool):
            raise _invalid(f"$exists on {path!r} holds {type(value).__name__}", "true or false")
        return Comparison(path, "exists" if value else "not_exists")
    if key == "$not":
        if not isinstance(value, Mapping):
            raise _invalid(f"$not on {path!r} holds {type(value).__name__}", "a document of operators")
        return Not(_conditions(path, value))
    if key not in OPERATORS:
        raise unknown(f"filter operator {key!r} on {path!r}", key, (*OPERATORS, "$exists", "$not"))
    if key in ("$in", "$nin"):
        if not isinstance(value, list | tuple):
            raise _invalid(f"{key} on {path!r} holds {type(value).__name__}", "an array of literals")
        value = tuple(literal(item, path) for item in value)
    return Comparison(path, OPERATORS[key], value)


def _invalid(problem: str, expected: str) -> CallError:
    return CallError(problem, expected=expected, code=Code.INVALID_FILTER)
