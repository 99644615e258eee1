"""Arrays that grow by doubling, so that an append costs no copy of what is there."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class GrowingArray:
    """Rows of one shape and type; `rows` is a view of those in use."""

    def __init__(self, dtype: Any, width: int | None = None) -> None:
        shape = (0,) if width is None else (0, width)
        self._store: Array = np.empty(shape, dtype)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    @property
    def rows(self) -> Array:
        return self._store[: self._used]

    def extend(self, block: Array) -> None:
        """Appends rows."""
        needed = self._used + len(block)
        if needed > len(self._store):
            grown = np.empty((max(needed, len(self._store) * 2), *self._store.shape[1:]), self._store.dtype)
            grown[: self._used] = self._store[: self._used]
            self._store = grown
        self._store[self._used : needed] = block
        self._used = needed

    def adopt(self, block: Array) -> None:
        """Appends rows that nobody else holds: the first ones without a copy."""
        if self._used or block.dtype != self._store.dtype:
            self.extend(block)
        else:
            self._store, self._used = block, len(block)

    def keep(self, chosen: Array) -> None:
        """Forgets all rows but the chosen ones (a mask, or positions in ascending order)."""
        self._store = self._store[: self._used][chosen]
        self._used = len(self._store)
