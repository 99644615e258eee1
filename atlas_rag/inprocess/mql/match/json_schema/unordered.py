"""Equality of JSON Schema: the order of a document's fields does not count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.mql.values import sort_key


def unordered_key(value: Any) -> Any:
    """Returns a key that is equal for values that differ at most in the order of fields, at any depth."""
    return sort_key(_with_sorted_fields(value))


def _with_sorted_fields(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _with_sorted_fields(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [_with_sorted_fields(item) for item in value]
    return value
