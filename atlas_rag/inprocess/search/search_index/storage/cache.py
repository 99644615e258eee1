"""A cache that holds so many array elements at most."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class ElementCache(Generic[Value]):
    """Maps keys to values until their elements are too many; then it starts anew.

    Args:
        limit: elements in all values together, ≥ 1.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._values: dict[Hashable, Value] = {}
        self._elements = 0

    def get(self, key: Hashable) -> Value | None:
        """Returns a value that was kept."""
        return self._values.get(key)

    def keep(self, key: Hashable, value: Value, elements: int) -> Value:
        """Keeps a value and returns it.

        Args:
            elements: how many array elements it holds.
        """
        if self._elements + elements > self._limit:
            self._values.clear()
            self._elements = 0
        self._values[key] = value
        self._elements += elements + 1
        return value
