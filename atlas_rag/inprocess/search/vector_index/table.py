"""The document rows of an index: which key, and which are still alive."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array

# dead rows are cleared away when there are this many and they outnumber the living
_WORTH_CLEARING = 256


class RowTable:
    """A row number per put, ascending; a removed row stays as a dead one until it is worth clearing."""

    def __init__(self) -> None:
        self._keys = array("q")
        self._alive = bytearray()
        self._row_of: dict[int, int] = {}

    def __len__(self) -> int:
        """Rows, dead ones included."""
        return len(self._keys)

    def __contains__(self, key: int) -> bool:
        """Whether a living row has this key."""
        return key in self._row_of

    def key(self, row: int) -> int:
        """The key that was put at this row."""
        return self._keys[row]

    def keys(self, rows: Iterable[int]) -> Iterator[int]:
        """The keys that were put at these rows."""
        return map(self._keys.__getitem__, rows)

    @property
    def alive(self) -> Array | None:
        """Mask of the living rows; None where all are."""
        return None if len(self._row_of) == len(self._keys) else np.array(self._alive, bool)

    @property
    def worth_clearing(self) -> bool:
        """Whether dead rows cost more than clearing them away."""
        dead = len(self._keys) - len(self._row_of)
        return dead >= _WORTH_CLEARING and dead > len(self._row_of)

    def add(self, key: int) -> int:
        """A new row for a key that has none."""
        row = len(self._keys)
        self._keys.append(key)
        self._alive.append(1)
        self._row_of[key] = row
        return row

    def remove(self, key: int) -> bool:
        """Kills the row of a key; returns whether there was one."""
        row = self._row_of.pop(key, None)
        if row is None:
            return False
        self._alive[row] = 0
        return True

    def clear(self) -> tuple[Array, Array]:
        """Renumbers the living rows: the mask of those kept, and the map from old numbers to new."""
        kept = np.array(self._alive, bool)
        self._keys = array("q", np.array(self._keys)[kept].tobytes())
        self._alive = bytearray(b"\1" * len(self._keys))
        self._row_of = {key: row for row, key in enumerate(self._keys)}
        return kept, np.cumsum(kept) - 1

    def dump(self) -> dict[str, Any]:
        """What `load` needs, as values that BSON can hold."""
        return {"keys": self._keys.tobytes(), "alive": bytes(self._alive)}

    def load(self, parts: dict[str, Any]) -> None:
        """Fills an empty table with what `dump` gave."""
        self._keys.frombytes(parts["keys"])
        self._alive.extend(parts["alive"])
        self._row_of = {key: row for row, key in enumerate(self._keys) if self._alive[row]}
