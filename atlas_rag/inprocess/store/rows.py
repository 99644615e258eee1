"""The documents of one collection in insertion order, each known by an integer key that never changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from bson import ObjectId

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import sort_key, type_name
from atlas_rag.inprocess.store.limits import check_storable
from atlas_rag.inprocess.store.unique import DuplicateKeyError, UniqueIndex

if TYPE_CHECKING:
    from atlas_rag.inprocess.store.draft import Draft

Document = dict[str, Any]


class Rows:
    """Documents by key. A stored document is replaced, never changed in place, so readers need no copy.

    Args:
        namespace: "database.collection", for error texts.

    Attributes:
        held: keys of the documents that open transactions have changed; see `draft`.
        changes: how often anything was changed.
    """

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace
        self.documents: dict[int, Document] = {}
        self.unique: dict[str, UniqueIndex] = {}
        self._keys: dict[Hashable, int] = {}
        self._next = 1
        self.held: set[int] = set()
        self.changes = 0
        self._drafts: list[Draft] = []

    @property
    def next_key(self) -> int:
        """The key that the next new document gets."""
        return self._next

    @property
    def keys(self) -> dict[Hashable, int]:
        """The key of each `_id`."""
        return self._keys

    def share_with(self, draft: Draft) -> None:
        """Lets a draft share the content until it changes."""
        self._drafts.append(draft)

    def unshare(self, draft: Draft) -> None:
        """A draft needs the content no more."""
        if draft in self._drafts:
            self._drafts.remove(draft)

    def before_change(self) -> None:
        """Must be called before any change: whoever shares the content parts with it."""
        self.changes += 1
        for draft in self._drafts:
            draft.part()
        self._drafts.clear()

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[tuple[int, Document]]:
        # All of them as they are now: a list is made at once, whatever other threads do.
        return iter(list(self.documents.items()))

    def rename(self, namespace: str) -> None:
        """Takes another name for error texts."""
        self.namespace = namespace
        for index in self.unique.values():
            index.namespace = namespace

    def key_of(self, identifier: Any) -> int | None:
        """Returns the key of the document with this `_id`, or None."""
        return self._keys.get(sort_key(identifier))

    def insert(self, document: Document) -> tuple[int, Document]:
        """Stores a new document; `_id` is assigned when absent and stands first.

        Returns:
            Its key, and the document as stored.

        Raises:
            CommandError: 11000, a unique index has its key already; 10334 or 15, it is too large or too
                deep; 53 or 52, `_id` is of a forbidden type.
        """
        document = with_identifier(document)
        check_storable(document)
        key = self._next
        self.restore(key, document)
        return key, document

    def restore(self, key: int, document: Document) -> None:
        """Stores a new document under a known key, as `insert` did before."""
        self.before_change()
        identifier = sort_key(document["_id"])
        if identifier in self._keys:
            raise DuplicateKeyError(self.namespace, "_id_", {"_id": 1}, {"_id": document["_id"]})
        self._claim(key, document)
        self._keys[identifier] = key
        self.documents[key] = document
        self._next = max(self._next, key + 1)

    def replace(self, key: int, document: Document) -> None:
        """Puts another document with the same `_id` in the place of a stored one. Raises 11000, 10334, 15."""
        check_storable(document)
        self.before_change()
        old = self.documents[key]
        for index in self.unique.values():
            index.release(key, old)
        try:
            self._claim(key, document)
        except CommandError:
            self._claim(key, old)
            raise
        self.documents[key] = document

    def remove(self, key: int) -> None:
        """Forgets a document."""
        self.before_change()
        old = self.documents.pop(key)
        del self._keys[sort_key(old["_id"])]
        for index in self.unique.values():
            index.release(key, old)

    def add_unique(self, index: UniqueIndex) -> None:
        """Enforces a unique index from now on. Raises 11000 when the documents break it already."""
        for key, document in self:
            index.claim(key, document)
        self.before_change()
        self.unique[index.name] = index

    def drop_unique(self, name: str) -> None:
        """Enforces a unique index no more, if there is one of this name."""
        self.before_change()
        self.unique.pop(name, None)

    def _claim(self, key: int, document: Mapping[str, Any]) -> None:
        claimed: list[UniqueIndex] = []
        try:
            for index in self.unique.values():
                index.claim(key, document)
                claimed.append(index)
        except CommandError:
            for index in claimed:
                index.release(key, document)
            raise


def with_identifier(document: Document, new: Callable[[], Any] = ObjectId) -> Document:
    """Returns the document with `_id` in first place, assigned when absent.

    Raises:
        CommandError: 53, `_id` is an array, a regular expression or undefined; 52, it has `$` fields.
    """
    if "_id" not in document:
        return {"_id": new(), **document}
    check_identifier(document["_id"])
    if next(iter(document)) != "_id":
        return {"_id": document["_id"], **document}
    return document


def check_identifier(identifier: Any) -> None:
    """Refuses what cannot be an `_id`."""
    kind = type_name(identifier)
    if kind in ("array", "regex", "undefined"):
        raise CommandError(53, f"The '_id' value cannot be of type {kind}")
    for name in _names(identifier):
        if name.startswith("$"):
            text = f"_id fields may not contain '$'-prefixed fields: {name} is not valid for storage."
            raise CommandError(52, text)


def _names(value: Any) -> Iterator[str]:
    """Yields the names of all fields inside a value."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)
