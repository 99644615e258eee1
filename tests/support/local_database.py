"""The least that the executor needs of a database: collections as lists of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import bson

from atlas_rag.inprocess.index import Index
from atlas_rag.inprocess.mql.values import Document, equal


class ListCollection:
    """A collection that is a list; search indexes are given by name, with their type."""

    def __init__(
        self, documents: Iterable[Document] = (), indexes: Mapping[str, tuple[str, Index]] | None = None
    ) -> None:
        # Through BSON and back, so that values have the types a store holds.
        self.rows = [bson.decode(bson.encode(dict(document))) for document in documents]
        self._indexes = dict(indexes or {})

    def documents(self) -> Iterable[Document]:
        return iter(self.rows)

    def document(self, key: int) -> Document | None:
        return self.rows[key] if key < len(self.rows) else None

    def search_index(self, name: str) -> Index | None:
        return self._indexes[name][1] if name in self._indexes else None

    def search_index_type(self, name: str) -> str | None:
        return self._indexes[name][0] if name in self._indexes else None

    def search_indexes(self) -> Sequence[Document]:
        return [{"id": name, "name": name, "type": kind} for name, (kind, _) in self._indexes.items()]

    def unique_keys(self) -> Iterable[frozenset[str]]:
        return [frozenset({"_id"})]

    def find_one(self, fields: Mapping[str, Any]) -> Document | None:
        return next((row for row in self.rows if all(equal(row.get(k), v) for k, v in fields.items())), None)

    def insert(self, document: Document) -> None:
        self.rows.append(dict(document))

    def replace(self, document: Document) -> None:
        position = next(i for i, row in enumerate(self.rows) if equal(row["_id"], document["_id"]))
        self.rows[position] = dict(document)


class ListDatabase:
    """Collections by name; the name of another database stands before the collection's."""

    def __init__(self, **collections: ListCollection) -> None:
        self.collections = dict(collections)

    def collection(self, name: str, database: str | None = None) -> ListCollection | None:
        return self.collections.get(f"{database}.{name}" if database else name)

    def target(self, name: str, database: str | None = None) -> ListCollection:
        return self.collections.setdefault(f"{database}.{name}" if database else name, ListCollection())

    def replace_collection(
        self, name: str, documents: Sequence[Document], database: str | None = None
    ) -> None:
        self.collections[f"{database}.{name}" if database else name] = ListCollection(documents)
