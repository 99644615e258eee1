"""Dotted paths as aggregation expressions read them: an array on the way maps over its sub-documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from atlas_rag.inprocess.mql.values.types import MISSING, Document


def value_at(value: Any, parts: Sequence[str]) -> Any:
    """Returns what a path leads to from a value, `MISSING` if nothing.

    Array elements that are no sub-documents are passed over, nested arrays included; the result of a path
    through an array is an array of the values found.
    """
    for position, name in enumerate(parts):
        if isinstance(value, dict):
            value = value.get(name, MISSING)
        elif isinstance(value, list):
            found = (value_at(item, parts[position:]) for item in value if isinstance(item, dict))
            return [item for item in found if item is not MISSING]
        else:
            return MISSING
    return value


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
