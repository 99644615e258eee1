"""The indexed values of one type at one path, in order."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import Any

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array

# a tail this long, plus an eighth of what is sorted, is looked through value by value before it is sorted in
_SHORT_TAIL = 64


class Bracket:
    """(value, document row) pairs: a sorted part, and a tail of late arrivals that is sorted in when long.

    Numbers and dates are sorted and searched as arrays (`dtype`), other values as a list.
    """

    def __init__(self, dtype: Any = None) -> None:
        self._dtype = dtype
        self._keys: Any = [] if dtype is None else np.empty(0, dtype)
        self._rows: Array = np.empty(0, np.int32)
        self._tail: list[Any] = []
        self._tail_rows = array("i")

    def add(self, key: Any, row: int) -> None:
        self._tail.append(key)
        self._tail_rows.append(row)

    def between(self, low: Any, high: Any, *, low_in: bool = True, high_in: bool = True) -> list[Array]:
        """Rows with a value in the interval, in pieces, some perhaps twice; None is unbounded."""
        if len(self._tail) > _SHORT_TAIL + len(self._keys) // 8:
            self._fold()
        start = 0 if low is None else self._place(low, after=not low_in)
        stop = len(self._keys) if high is None else self._place(high, after=high_in)
        late = [
            row
            for key, row in zip(self._tail, self._tail_rows, strict=True)
            if (low is None or key > low or (low_in and key == low))
            and (high is None or key < high or (high_in and key == high))
        ]
        return [self._rows[start:stop], np.array(late, np.int32)]

    def keep(self, kept: Array, renumbered: Array) -> None:
        """Forgets rows that are not kept (a mask); `renumbered` maps old row numbers to new."""
        self._fold()
        chosen = kept[self._rows]
        self._rows = renumbered[self._rows[chosen]].astype(np.int32)
        if self._dtype is None:
            self._keys = [self._keys[at] for at in np.flatnonzero(chosen)]
        else:
            self._keys = self._keys[chosen]

    def dump(self) -> dict[str, Any]:
        """What `load` needs, as values that BSON can hold."""
        self._fold()
        keys = self._keys if self._dtype is None else self._keys.tobytes()
        return {"keys": keys, "rows": self._rows.tobytes()}

    def load(self, parts: dict[str, Any]) -> None:
        """Fills an empty bracket with what `dump` gave."""
        self._keys = list(parts["keys"]) if self._dtype is None else np.frombuffer(parts["keys"], self._dtype)
        self._rows = np.frombuffer(parts["rows"], np.int32)

    def _place(self, key: Any, *, after: bool) -> int:
        if self._dtype is not None:
            return int(np.searchsorted(self._keys, key, "right" if after else "left"))
        return (bisect_right if after else bisect_left)(self._keys, key)

    def _fold(self) -> None:
        if not self._tail:
            return
        rows = np.concatenate([self._rows, np.frombuffer(self._tail_rows, np.int32)])
        if self._dtype is not None:
            keys = np.concatenate([self._keys, np.array(self._tail, self._dtype)])
            order = np.argsort(keys, kind="stable")
            self._keys = keys[order]
        else:
            all_keys = [*self._keys, *self._tail]
            order = np.array(sorted(range(len(all_keys)), key=all_keys.__getitem__), np.int64)
            self._keys = [all_keys[at] for at in order]
        self._rows = rows[order]
        self._tail, self._tail_rows = [], array("i")
