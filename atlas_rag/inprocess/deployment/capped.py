"""Capped collections: the oldest documents make room for new ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import bson

from atlas_rag.inprocess.store.rows import Rows


class Cap:
    """How much a collection may hold.

    Args:
        size: bytes of documents as BSON.
        most: documents; None for any number.
    """

    def __init__(self, size: int, most: int | None) -> None:
        self._size = size
        self._most = most
        self._sizes: dict[int, int] | None = None
        self._total = 0

    def written(self, rows: Rows, key: int, document: Mapping[str, Any]) -> Iterator[int]:
        """A document was written: yields the keys that must go, the oldest first and never its own."""
        sizes = self._known(rows)
        self.removed(key)
        sizes[key] = len(bson.encode(document))
        self._total += sizes[key]
        for oldest in list(rows.documents):
            full = self._total > self._size or (self._most is not None and len(rows) > self._most)
            if not full or oldest == key:
                return
            yield oldest

    def removed(self, key: int) -> None:
        """A document was deleted."""
        if self._sizes is not None:
            self._total -= self._sizes.pop(key, 0)

    def _known(self, rows: Rows) -> dict[int, int]:
        if self._sizes is None:
            self._sizes = {key: len(bson.encode(document)) for key, document in rows}
            self._total = sum(self._sizes.values())
        return self._sizes
