"""Dotted paths as aggregation expressions read them: an array on the way maps over its sub-documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bson import DBRef

from atlas_rag.inprocess.mql.values.types import MISSING, Document

REFERENCE_FIELDS = frozenset({"$ref", "$id", "$db"})
"""Fields of a database reference: the only names with a dollar that a path may hold, behind another."""


def value_at(value: Any, parts: Sequence[str]) -> Any:
    """Returns what a path leads to from a value, `MISSING` if nothing.

    Array elements that are no sub-documents are passed over, nested arrays included; the result of a path
    through an array is an array of the values found.
    """
    for position, name in enumerate(parts):
        if isinstance(value, dict):
            value = value.get(name, MISSING)
        elif isinstance(value, DBRef):
            value = value.as_doc().get(name, MISSING)
        elif isinstance(value, list):
            found = (value_at(item, parts[position:]) for item in value if isinstance(item, (dict, DBRef)))
            return [item for item in found if item is not MISSING]
        else:
            return MISSING
    return value


def opened(value: Any) -> Any:
    """Returns a database reference as the document that it is, other values as they are."""
    return dict(value.as_doc()) if isinstance(value, DBRef) else value


def closed(document: dict[str, Any]) -> Any:
    """Returns a document as the database reference that it is, others as they are."""
    if not {"$ref", "$id"} <= document.keys():
        return document
    rest = {name: value for name, value in document.items() if name not in REFERENCE_FIELDS}
    return DBRef(document["$ref"], document["$id"], document.get("$db"), rest)


def reader(path: str) -> Callable[[Document], Any]:
    """Returns a function that reads one path from a document."""
    parts = path.split(".")
    if len(parts) == 1:
        return lambda document: document.get(path, MISSING)
    head, rest = parts[0], parts[1:]
    return lambda document: value_at(document.get(head, MISSING), rest)


def overlap(path: str, other: str) -> bool:
    """True if two dotted paths are the same, or one lies in what the other leads to."""
    return path == other or path.startswith(other + ".") or other.startswith(path + ".")
