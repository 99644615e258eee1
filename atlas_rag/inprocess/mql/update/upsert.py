"""What an upsert knows of its new document: the fields that the query fixes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.update.tree import is_index
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.paths import overlap

Document = dict[str, Any]


def seed(query: Mapping[str, Any], *, only_identifier: bool = False) -> Document:
    """Returns the document that a query's equalities describe, its fields in order of their names.

    Args:
        only_identifier: a replacement follows, so that only `_id` is of use.

    Raises:
        CommandError: 54, a field is fixed twice.
    """
    found: dict[str, Any] = {}
    for path, value in _equalities(query):
        if only_identifier and path != "_id":
            continue
        _check_alone(path, found)
        found[path] = value
    document: Document = {}
    if "_id" in found:
        document["_id"] = found.pop("_id")
    for path in sorted(found, key=_order):
        _plant(document, path.split("."), found[path])
    return document


def refuse_expressions(query: Mapping[str, Any]) -> None:
    """Refuses the query of an upsert if `$expr` stands anywhere in it. Raises 224."""
    for name, condition in query.items():
        if name == "$expr":
            raise CommandError(224, "$expr is not allowed in the query predicate for an upsert")
        if name in ("$and", "$or", "$nor"):
            for part in condition:
                refuse_expressions(part)


def _order(path: str) -> list[tuple[int, int, str]]:
    return [(0, int(name), "") if is_index(name) else (1, 0, name) for name in path.split(".")]


def _equalities(query: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, condition in query.items():
        if name == "$and" or (name == "$or" and len(condition) == 1):
            for part in condition:
                yield from _equalities(part)
        elif not name.startswith("$"):
            yield from ((name, value) for value in _fixed_values(condition))


def _fixed_values(condition: Any) -> Iterator[Any]:
    """Yields the values that a condition on one field demands."""
    if not isinstance(condition, Mapping) or not next(iter(condition), "").startswith("$"):
        if type_name(condition) != "regex":
            yield condition
        return
    for operator, operand in condition.items():
        if operator == "$eq":
            yield operand
        elif operator == "$all" or (operator == "$in" and len(operand) == 1):
            yield from (value for value in operand if type_name(value) != "regex")


def _check_alone(path: str, found: Mapping[str, Any]) -> None:
    if path in found:
        text = f"cannot infer query fields to set, path '{path}' is matched twice"
        raise CommandError(54, text)
    for other in found:
        if overlap(path, other):
            longer, shorter = sorted((path, other), key=len, reverse=True)
            text = f"cannot infer query fields to set, both paths '{longer}' and '{shorter}' are matched"
            raise CommandError(54, text)


def _plant(document: Document, components: list[str], value: Any) -> None:
    for name in components[:-1]:
        document = document.setdefault(name, {})
    document[components[-1]] = value
