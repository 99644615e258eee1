"""Arrays that grow by doubling, so that an append costs no copy of what is there."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class GrowingArray:
    """Rows of one shape and type.

    Attributes:
        rows: a view of those in use; another one after each change.
    """

    def __init__(self, dtype: Any, width: int | None = None) -> None:
        shape = (0,) if width is None else (0, width)
        self._store: Array = np.empty(shape, dtype)
        self.rows = self._store

    def __len__(self) -> int:
        return len(self.rows)

    def extend(self, block: Array) -> None:
        """Appends rows."""
        used, needed = len(self.rows), len(self.rows) + len(block)
        if needed > len(self._store):
            grown = np.empty((max(needed, len(self._store) * 2), *self._store.shape[1:]), self._store.dtype)
            grown[:used] = self.rows
            self._store = grown
        self._store[used:needed] = block
        self.rows = self._store[:needed]

    def adopt(self, block: Array) -> None:
        """Appends rows that nobody else holds: the first ones without a copy."""
        if len(self.rows) or block.dtype != self._store.dtype:
            self.extend(block)
        else:
            self._store = self.rows = block

    def keep(self, chosen: Array) -> None:
        """Forgets all rows but the chosen ones (a mask, or positions in ascending order)."""
        self._store = self.rows = self.rows[chosen]
