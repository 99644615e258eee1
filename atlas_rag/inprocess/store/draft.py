"""A transaction's side of a collection: its documents as they were when it began, and changes of its own.

Nothing is copied until either side changes: a draft shares the content of its base, and takes a copy of it
before the base changes, or it does itself. A stored document is replaced and never changed in place, so
whether the base has changed a document since is whether it holds another object.

A document that a draft has changed is held until the draft is released: nobody else changes it meanwhile.
"""

from __future__ import annotations

from typing import Protocol

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.store.rows import Document, Rows


class WriteConflictError(CommandError):
    """112: somebody else has changed the document, or is about to."""

    def __init__(self) -> None:
        super().__init__(112, "WriteConflict error: this operation conflicted with another operation. "
                              "Please retry your operation or multi-document transaction.")  # fmt: skip


class Writable(Protocol):
    """What takes the changes of a draft."""

    def insert(self, document: Document) -> tuple[int, Document]: ...

    def replace(self, key: int, document: Document) -> None: ...

    def remove(self, key: int) -> None: ...


class Draft(Rows):
    """The documents of a collection as one transaction sees them.

    Args:
        base: the collection's own documents.
    """

    def __init__(self, base: Rows) -> None:
        super().__init__(base.namespace)
        self._base = base
        self._first_own = self._next = base.next_key
        self._changes_before = base.changes
        self._shared = True
        self._steps: list[tuple[int, Document | None]] = []
        self._held: set[int] = set()
        self.documents, self._keys, self.unique = base.documents, base.keys, base.unique
        base.share_with(self)

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to apply."""
        return bool(self._steps)

    def part(self) -> None:
        """Takes a copy of what was shared, since one side is about to change."""
        if self._shared:
            self._shared = False
            self.documents, self._keys = dict(self.documents), dict(self._keys)
            self.unique = {name: index.copy() for name, index in self.unique.items()}

    def before_change(self) -> None:
        super().before_change()
        self.part()

    def restore(self, key: int, document: Document) -> None:
        super().restore(key, document)
        if self._base.key_of(document["_id"]) not in (None, *self._held):
            raise WriteConflictError  # somebody has inserted it since
        self._steps.append((key, document))

    def replace(self, key: int, document: Document) -> None:
        self._hold(key)
        super().replace(key, document)
        self._steps.append((key, document))

    def remove(self, key: int) -> None:
        self._hold(key)
        super().remove(key)
        self._steps.append((key, None))

    def _hold(self, key: int) -> None:
        """Keeps everybody else from changing a document of the base. Raises `WriteConflictError`."""
        if key in self._held or key >= self._first_own:
            return
        if key in self._base.held or self._base.documents.get(key) is not self.documents.get(key):
            raise WriteConflictError
        self._base.held.add(key)
        self._held.add(key)

    def release(self) -> None:
        """Lets others change the documents again; the draft sees no more of its base."""
        self._base.held -= self._held
        self._held.clear()
        self._base.unshare(self)

    def check(self) -> None:
        """Raises `WriteConflictError` where others have taken a unique key meanwhile. After `release`."""
        if self._base.changes == self._changes_before:
            return
        trial = Draft(self._base)
        try:
            self.apply(trial)
        except CommandError as error:
            raise WriteConflictError from error
        finally:
            trial.release()

    def apply(self, target: Writable) -> None:
        """Makes the changes, once they are checked, on what keeps the base and its indexes in step."""
        own: dict[int, int] = {}  # keys that are new here, and what they are there
        for key, document in self._steps:
            if key >= self._first_own and key not in own:
                assert document is not None  # noqa: S101 - what is new begins by being inserted
                own[key], _ = target.insert(document)
            elif document is None:
                target.remove(own.get(key, key))
            else:
                target.replace(own.get(key, key), document)
