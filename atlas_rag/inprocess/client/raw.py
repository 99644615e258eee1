"""Cursors that return whole batches as BSON."""

from __future__ import annotations

from typing import Any

import bson

from atlas_rag.inprocess.client.cursor import LocalCommandCursor


class LocalRawBatchCursor:
    """Iterates over the batches of another cursor, each the BSON of its documents in a row.

    Args:
        cursor: not begun; its options may be set through this one.
    """

    def __init__(self, cursor: LocalCommandCursor) -> None:
        self._cursor = cursor

    def __iter__(self) -> LocalRawBatchCursor:
        return self

    def __next__(self) -> bytes:
        return b"".join(map(bson.encode, [next(self._cursor), *self._cursor.buffered_rest()]))

    next = __next__

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)
