"""Search indexes of one collection kept in step with it, without a search holding up a write.

An index is not read and changed at once. A write notes what changed, and puts it into the indexes if no
search is under way; otherwise the next search does so before it begins.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from atlas_rag.inprocess.deployment.indexes.lifecycle import SearchIndex
from atlas_rag.inprocess.index import Answer, Index


class Upkeep:
    """The changes that the search indexes of a collection have yet to see.

    Args:
        indexes: all of them, by name; shared with the collection.
    """

    def __init__(self, indexes: Mapping[str, SearchIndex]) -> None:
        self._indexes = indexes
        self._changes: deque[tuple[int, Mapping[str, Any] | None]] = deque()
        self._lock = threading.RLock()

    def note(self, key: int, document: Mapping[str, Any] | None) -> None:
        """A document was written, or deleted where it is None."""
        if not self._indexes:
            return
        self._changes.append((key, document))
        if self._lock.acquire(blocking=False):
            try:
                self._settle()
            finally:
                self._lock.release()

    @contextmanager
    def settled(self) -> Iterator[None]:
        """Keeps the indexes unchanged while the block runs; they have seen every change before."""
        with self._lock:
            self._settle()
            yield

    def guarded(self, index: Index) -> Index:
        """Returns an index that is searched, and saved, only while it does not change."""
        return _Guarded(index, self)

    def _settle(self) -> None:
        while self._changes:
            key, document = self._changes.popleft()
            for index in list(self._indexes.values()):
                if document is None:
                    index.remove(key)
                else:
                    index.put(key, document)


class _Guarded:
    """An index with its collection's upkeep around it; see `Index`."""

    def __init__(self, index: Index, upkeep: Upkeep) -> None:
        self._index = index
        self._upkeep = upkeep

    def put(self, key: int, document: Mapping[str, Any]) -> None:
        """Puts a document."""
        with self._upkeep.settled():
            self._index.put(key, document)

    def remove(self, key: int) -> None:
        """Forgets a document."""
        with self._upkeep.settled():
            self._index.remove(key)

    def search(
        self,
        body: Mapping[str, Any],
        *,
        limit: int | None = None,
        meta_only: bool = False,
        tokens: bool = False,
    ) -> Answer:
        """Answers a search, over all that was written before."""
        with self._upkeep.settled():
            return self._index.search(body, limit=limit, meta_only=meta_only, tokens=tokens)

    def save(self, folder: Path) -> None:
        """Writes the index."""
        with self._upkeep.settled():
            self._index.save(folder)
