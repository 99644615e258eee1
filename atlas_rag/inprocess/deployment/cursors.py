"""Open cursors: results that a client takes in batches."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bson
from bson import Int64
from bson.raw_bson import RawBSONDocument

from atlas_rag.inprocess import interruption
from atlas_rag.inprocess.errors import CommandError

FIRST_BATCH = 101
"""Documents in a first batch whose size the client leaves open."""

LARGEST_BATCH = 16 * 1024 * 1024
"""Bytes that one batch may hold; a single larger document goes alone."""

IDLE_SECONDS = 600.0

Document = Mapping[str, Any]


@dataclass
class Cursor:
    """The part of a result that has not been taken yet. `idle_since` in seconds of the clock."""

    namespace: str
    owner: str | None
    documents: Sequence[Document]
    position: int
    idle_since: float
    measured: bool

    def take(self, limit: int | None) -> list[Document]:
        """Returns the next documents, at most `limit` of them and as many as fit into a reply."""
        end = len(self.documents) if limit is None else min(len(self.documents), self.position + limit)
        rest = self.documents[self.position : end]
        batch = _fitting(rest) if self.measured else list(rest)
        self.position += len(batch)
        return batch

    @property
    def exhausted(self) -> bool:
        """Whether everything has been taken."""
        return self.position >= len(self.documents)


class Cursors:
    """All open cursors of a deployment.

    Args:
        clock: seconds; cursors that nobody used for `IDLE_SECONDS` are closed.
        measured: batches are cut at `LARGEST_BATCH` bytes, as a reply that travels must be.
    """

    def __init__(self, clock: Callable[[], float], *, measured: bool = False) -> None:
        self._clock = clock
        self.measured = measured
        self._open: dict[int, Cursor] = {}
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._open)

    def reply(
        self,
        namespace: str,
        documents: Sequence[Document],
        *,
        batch_size: int | None = None,
        single_batch: bool = False,
        complete: bool = False,
    ) -> dict[str, Any]:
        """Returns the reply with the first batch; keeps the rest under an id.

        A server that streams learns of the end only by looking for one more document, so a batch that was
        filled exactly leaves the cursor open there, and here.

        Args:
            single_batch: nothing is kept.
            complete: the end is known, since a limit was reached.
        """
        self._close_idle()
        cursor = Cursor(namespace, _user(), documents, 0, self._clock(), self.measured)
        batch = cursor.take(FIRST_BATCH if batch_size is None else batch_size)
        done = single_batch or (cursor.exhausted and (complete or not _filled(batch, batch_size)))
        identifier = 0 if done else self._keep(cursor)
        return {
            "cursor": {"firstBatch": batch, "id": Int64(identifier), "ns": namespace},
            "ok": 1.0,
        }

    def more(self, identifier: int, namespace: str, batch_size: int | None) -> dict[str, Any]:
        """Returns the reply to `getMore`. Raises 43 for an unknown cursor, 13 for another collection."""
        with self._lock:
            return self._more(identifier, namespace, batch_size)

    def _more(self, identifier: int, namespace: str, batch_size: int | None) -> dict[str, Any]:
        self._close_idle()
        cursor = self._open.get(identifier)
        if cursor is None:
            raise CommandError(43, f"cursor id {identifier} not found")
        _check_owner(identifier, cursor)
        if cursor.namespace != namespace:
            raise CommandError(
                13,
                f"Requested getMore on namespace '{namespace}', but cursor belongs to a different namespace "
                f"{cursor.namespace}",
            )
        batch = cursor.take(batch_size or None)
        cursor.idle_since = self._clock()
        if cursor.exhausted and not _filled(batch, batch_size):
            del self._open[identifier]
            identifier = 0
        return {"cursor": {"nextBatch": batch, "id": Int64(identifier), "ns": namespace}, "ok": 1.0}

    def kill(self, identifiers: Sequence[int]) -> dict[str, Any]:
        """Closes cursors and returns the reply to `killCursors`; none, where one is another user's (13)."""
        with self._lock:
            for identifier in identifiers:
                if identifier in self._open:
                    _check_owner(identifier, self._open[identifier])
            return self._kill(identifiers)

    def _kill(self, identifiers: Sequence[int]) -> dict[str, Any]:
        killed = [identifier for identifier in identifiers if self._open.pop(identifier, None)]
        unknown = [identifier for identifier in identifiers if identifier not in killed]
        return {
            "cursorsKilled": killed,
            "cursorsNotFound": unknown,
            "cursorsAlive": [],
            "cursorsUnknown": [],
            "ok": 1.0,
        }

    def _keep(self, cursor: Cursor) -> int:
        with self._lock:
            identifier = 0
            while not identifier or identifier in self._open:
                identifier = secrets.randbits(62)
            self._open[identifier] = cursor
            return identifier

    def _close_idle(self) -> None:
        if not self._open:
            return
        oldest = self._clock() - IDLE_SECONDS
        with self._lock:
            for identifier in [key for key, cursor in self._open.items() if cursor.idle_since < oldest]:
                del self._open[identifier]


def _user() -> str | None:
    operation = interruption.current()
    return operation.user if operation is not None else None


def _check_owner(identifier: int, cursor: Cursor) -> None:
    """Refuses to touch a cursor that another user opened. Raises 13."""
    if cursor.owner != _user():
        text = f"cursor id {identifier} was not created by the authenticated user"
        raise CommandError(13, text)


def _fitting(documents: Sequence[Document]) -> list[Document]:
    """Returns the documents that fit into one reply, encoded already; at least one."""
    batch: list[Document] = []
    size = 0
    for document in documents:
        encoded = bson.encode(document)
        size += len(encoded)
        if size > LARGEST_BATCH and batch:
            break
        batch.append(RawBSONDocument(encoded))
    return batch


def _filled(batch: list[Document], batch_size: int | None) -> bool:
    return batch_size is not None and len(batch) == batch_size
