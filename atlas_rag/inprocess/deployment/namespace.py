"""One collection of a deployment: documents, indexes, search indexes, kept in step by every write."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import bson
from bson import Int64

from atlas_rag.inprocess.deployment.capped import Cap
from atlas_rag.inprocess.deployment.indexes.lifecycle import SearchIndex
from atlas_rag.inprocess.deployment.indexes.upkeep import Upkeep
from atlas_rag.inprocess.deployment.validation import Validator
from atlas_rag.inprocess.index import Index
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.store.draft import Draft, WriteConflictError
from atlas_rag.inprocess.store.rows import Rows
from atlas_rag.inprocess.store.unique import UniqueIndex

Document = dict[str, Any]
Log = Callable[[dict[str, Any]], None]

_ANY_NUMBER = (1 << 31) - 1
IDENTIFIER_INDEX = {"v": 2, "key": {"_id": 1}, "name": "_id_"}


class Namespace:
    """A collection.

    Args:
        database, name: where it stands.
        log: takes one record for each change; the records, told again, make the same collection.

        options: as `create` took them: what `listCollections` shows.

    Attributes:
        indexes: index name to its specification, `_id_` first.
        search: search index name to the index.
        document: returns the document of a row, None if it is gone.
    """

    def __init__(
        self,
        database: str,
        name: str,
        log: Log,
        uuid: UUID | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.database = database
        self.name = name
        self.uuid = uuid or uuid4()
        self.options: dict[str, Any] = {}
        self.created = datetime.now(UTC).replace(tzinfo=None)
        self.rows: Rows = Rows(self.full_name)
        self.indexes: dict[str, Mapping[str, Any]] = {"_id_": IDENTIFIER_INDEX}
        self.search: dict[str, SearchIndex] = {}
        self.upkeep = Upkeep(self.search)
        self.document: Callable[[int], Document | None] = self.rows.documents.get  # asked for every hit
        self._log = log
        self._use_options(options or {})

    @property
    def full_name(self) -> str:
        """database.collection."""
        return f"{self.database}.{self.name}"

    def creation_record(self) -> dict[str, Any]:
        """Returns the record that makes an empty collection like this one."""
        options = {"options": self.options} if self.options else {}
        return {"op": "create", "ns": self.full_name, "uuid": str(self.uuid), **options}

    def draft(self) -> Namespace:
        """Returns the collection as a transaction sees and changes it, which leaves this one as it is."""
        made = Namespace(self.database, self.name, lambda record: None, self.uuid, self.options)
        made.rows = Draft(self.rows)
        made.indexes = dict(self.indexes)
        return made

    def rename(self, database: str, name: str) -> None:
        """Takes another name; where the collection stands is for `Databases` to change."""
        self.database, self.name = database, name
        self.rows.rename(self.full_name)

    def set_options(self, options: Mapping[str, Any]) -> None:
        """Keeps new options in the place of all old ones."""
        self._use_options(options)
        self._log({"op": "options", "ns": self.full_name, "options": self.options})

    def _use_options(self, options: Mapping[str, Any]) -> None:
        self.options = dict(options)
        self.validator = Validator(self.options)
        self._cap = Cap(options["size"], options.get("max")) if options.get("capped") else None

    def set_index_options(self, name: str, options: Mapping[str, Any]) -> None:
        """Changes options of an index that do not change what it holds."""
        kept = {**self.indexes[name], **options}
        self.indexes[name] = {option: value for option, value in kept.items() if value is not False}
        self._log({"op": "indexOptions", "ns": self.full_name, "index": self.indexes[name]})

    def documents(self) -> Iterator[Document]:
        """All documents as they are now, in insertion order."""
        return iter(list(self.rows.documents.values()))

    def size(self) -> int:
        """Returns the bytes of all documents as BSON, measured now."""
        return sum(len(bson.encode(document)) for document in self.documents())

    def figures(self, scale: int) -> Document:
        """Returns `storageStats`: bytes are those of the documents, divided by the scale."""
        count, size = len(self.rows), self.size()
        return {
            "ns": self.full_name,
            "size": size // scale,
            "count": count,
            **({"avgObjSize": size // count} if count else {}),
            "numOrphanDocs": 0,
            "storageSize": size // scale,
            "freeStorageSize": 0,
            "capped": self._cap is not None,
            **(
                {"max": self.options.get("max", _ANY_NUMBER), "maxSize": self.options["size"] // scale}
                if self._cap
                else {}
            ),
            "nindexes": len(self.indexes),
            "indexBuilds": [],
            "totalIndexSize": 0,
            "totalSize": size // scale,
            "indexSizes": dict.fromkeys(self.indexes, 0),
            "scaleFactor": scale,
        }

    def index_figures(self) -> list[Document]:
        """Returns the entries of `$indexStats`: no query reads an index, so none was accessed."""
        host, since = socket.gethostname(), self.created
        return [
            {
                "name": name,
                "key": dict(specification["key"]),
                "host": host,
                "accesses": {"ops": Int64(0), "since": since},
                "spec": dict(specification),
            }
            for name, specification in self.indexes.items()
        ]

    def search_index(self, name: str) -> Index | None:
        """Returns the search index that answers under a name, None if there is none.

        Raises:
            EngineRefusal: it is being built for the first time.
        """
        found = self.search.get(name)
        return self.upkeep.guarded(found.serving()) if found else None

    def search_index_type(self, name: str) -> str | None:
        """Returns `search` or `vectorSearch`, None if there is no index of this name."""
        found = self.search.get(name)
        return found.kind if found else None

    def geo_fields(self) -> list[str]:
        """Returns the paths with a `2dsphere` index, in the order of their creation."""
        keys = (key for specification in self.indexes.values() for key in specification["key"].items())
        return [path for path, kind in keys if kind == "2dsphere"]

    def search_indexes(self) -> list[Document]:
        """Returns the entries of `$listSearchIndexes`."""
        return [index.describe(len(self.rows)) for index in self.search.values()]

    def insert(self, document: Document) -> tuple[int, Document]:
        """Stores a new document and returns its key, and it as stored. Raises 11000, 52, 53."""
        key, stored = self.rows.insert(document)
        self._written(key, stored)
        return key, stored

    def replace(self, key: int, document: Document) -> None:
        """Replaces a stored document. Raises 11000."""
        self._check_free(key)
        self.rows.replace(key, document)
        self._written(key, document)

    def remove(self, key: int) -> None:
        """Deletes a document."""
        self._check_free(key)
        self.rows.remove(key)
        self.upkeep.note(key, None)
        if self._cap is not None:
            self._cap.removed(key)
        self._log({"op": "remove", "ns": self.full_name, "key": Int64(key)})

    def _check_free(self, key: int) -> None:
        """Refuses to change what an open transaction has changed. Raises 112."""
        if key in self.rows.held:
            raise WriteConflictError

    def _written(self, key: int, document: Document) -> None:
        self.upkeep.note(key, document)
        self._log({"op": "put", "ns": self.full_name, "key": Int64(key), "document": document})
        for oldest in self._cap.written(self.rows, key, document) if self._cap is not None else ():
            self.remove(oldest)

    def add_index(self, specification: Mapping[str, Any]) -> None:
        """Keeps an index's specification and enforces uniqueness. Raises 11000."""
        if specification.get("unique"):
            self.rows.add_unique(unique_index(self.full_name, specification))
        self.indexes[specification["name"]] = specification
        self._log({"op": "index", "ns": self.full_name, "index": specification})

    def drop_index(self, name: str) -> None:
        """Forgets an index."""
        del self.indexes[name]
        self.rows.drop_unique(name)
        self._log({"op": "dropIndex", "ns": self.full_name, "name": name})

    def set_search_index(self, index: SearchIndex) -> None:
        """Adds a search index, or keeps its new definition."""
        self.search[index.name] = index
        self._log(self.search_record(index))

    def search_record(self, index: SearchIndex) -> dict[str, Any]:
        """Returns the record that makes a search index again."""
        latest = index.latest
        return {
            "op": "searchIndex",
            "ns": self.full_name,
            "id": index.identifier,
            "name": index.name,
            "kind": index.kind,
            "definition": latest.definition,
            "version": latest.version,
            "createdAt": latest.created_at,
        }

    def drop_search_index(self, name: str) -> None:
        """Forgets a search index."""
        index = self.search.pop(name)
        self._log({"op": "dropSearchIndex", "ns": self.full_name, "id": index.identifier})


def unique_index(namespace: str, specification: Mapping[str, Any]) -> UniqueIndex:
    """Returns the constraint that a specification with `unique: true` asks for."""
    partial = specification.get("partialFilterExpression")
    return UniqueIndex(
        namespace,
        specification["name"],
        specification["key"],
        sparse=bool(specification.get("sparse")),
        condition=compile_filter(partial) if partial is not None else None,
    )
