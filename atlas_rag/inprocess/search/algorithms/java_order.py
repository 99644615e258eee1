"""The order that Java's collections hand out equals in, where an answer depends on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
_SMALLEST_TABLE = 16


def hash_map_order(keys: Iterable[str]) -> list[str]:
    """Keys, given in insertion order, as a `HashMap<String, …>` iterates over them.

    Source: java.util.HashMap (power-of-two table, load factor 0.75, bits spread by `h ^ h >>> 16`).
    """
    inserted = list(dict.fromkeys(keys))
    size = _SMALLEST_TABLE
    while len(inserted) > size * 3 // 4:
        size *= 2
    return sorted(inserted, key=lambda key: _spread(key) & (size - 1))


def _spread(key: str) -> int:
    units = key.encode("utf-16-be", "surrogatepass")
    code = 0
    for at in range(0, len(units), 2):
        code = (31 * code + int.from_bytes(units[at : at + 2], "big")) & 0xFFFFFFFF
    return code ^ code >> 16


class LeastFirst(Generic[Item]):
    """A binary heap whose equals come out in the order that Lucene's PriorityQueue gives them.

    Args:
        key: what to compare by.
    """

    def __init__(self, key: Callable[[Item], Any]) -> None:
        self._key = key
        self._items: list[Item] = []

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    @property
    def least(self) -> Item:
        """The item that `pop` would return."""
        return self._items[0]

    def add(self, item: Item) -> None:
        """Adds an item."""
        self._items.append(item)
        at = len(self._items) - 1
        while at and self._key(item) < self._key(self._items[(at - 1) // 2]):
            self._items[at] = self._items[(at - 1) // 2]
            at = (at - 1) // 2
        self._items[at] = item

    def replace_least(self, item: Item) -> None:
        """Puts an item in the place of the least one."""
        items, at = self._items, 0
        while (child := self._smaller_child(at)) < len(items) and self._key(items[child]) < self._key(item):
            items[at] = items[child]
            at = child
        items[at] = item

    def pop(self) -> Item:
        """Removes and returns the least item."""
        least, last = self._items[0], self._items.pop()
        if self._items:
            self.replace_least(last)
        return least

    def _smaller_child(self, at: int) -> int:
        child = 2 * at + 1
        beside = child + 1 < len(self._items)
        return child + (beside and self._key(self._items[child + 1]) < self._key(self._items[child]))
