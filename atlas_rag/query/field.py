"""Conditions by operator: `field("year") >= 2023`, `field("region").in_(["eu", "uk"])`."""

from __future__ import annotations

from collections.abc import Iterable

from atlas_rag.query.filter import Comparison, Filter
from atlas_rag.query.operands import plain_path
from atlas_rag.query.values import Value


class Field:
    """A path, waiting to be compared."""

    __slots__ = ("path",)
    __hash__ = None  # type: ignore[assignment]  # comparing builds a condition

    def __init__(self, path: str) -> None:
        self.path = plain_path(path)

    def __eq__(self, value: Value) -> Filter:  # type: ignore[override]
        return Comparison(self.path, "eq", value)

    def __ne__(self, value: Value) -> Filter:  # type: ignore[override]
        return Comparison(self.path, "ne", value)

    def __gt__(self, value: Value) -> Filter:
        return Comparison(self.path, "gt", value)

    def __ge__(self, value: Value) -> Filter:
        return Comparison(self.path, "gte", value)

    def __lt__(self, value: Value) -> Filter:
        return Comparison(self.path, "lt", value)

    def __le__(self, value: Value) -> Filter:
        return Comparison(self.path, "lte", value)

    def in_(self, values: Iterable[Value]) -> Filter:
        """Holds one of these values; none at all matches nothing."""
        return Filter.where_in(self.path, values)

    def not_in(self, values: Iterable[Value]) -> Filter:
        """Exists and holds none of these values."""
        return Filter.where_not_in(self.path, values)

    def like(self, pattern: str) -> Filter:
        """Fits the pattern: `%` any run, `_` one character; case counts."""
        return Filter.where_like(self.path, pattern)

    def exists(self) -> Filter:
        """Is present, be it null."""
        return Filter.where_exists(self.path)

    def missing(self) -> Filter:
        """Is absent."""
        return Filter.where_missing(self.path)

    def between(self, low: Value, high: Value) -> Filter:
        """Some value is ≥ low, and some value is ≤ high."""
        return Filter.where_between(self.path, low, high)

    def __repr__(self) -> str:
        return f"field({self.path!r})"


def field(path: str) -> Field:
    """A document field to build a condition on, by dotted path."""
    return Field(path)
