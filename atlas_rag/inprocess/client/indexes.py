"""Index methods of a collection: ordinary indexes and search indexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pymongo.errors import OperationFailure
from pymongo.operations import IndexModel, SearchIndexModel

from atlas_rag.inprocess.client.cursor import LocalCommandCursor, Sort, as_sort
from atlas_rag.inprocess.client.errors import checked

if TYPE_CHECKING:
    from atlas_rag.inprocess.client.database import LocalDatabase

Document = dict[str, Any]
_NAMESPACE_NOT_FOUND = 26
_OF_COMMAND = ("maxTimeMS", "commitQuorum")
"""Options of `create_index` that are the command's and not the index's."""


class IndexMethods:
    """The part of `LocalCollection` that manages indexes."""

    name: str
    database: LocalDatabase

    def create_index(self, /, keys: Sort, session: Any = None, comment: Any = None, **options: Any) -> str:
        """Creates an index and returns its name. Options are the server's own (`unique`, `sparse`, …)."""
        command = {name: options.pop(name) for name in _OF_COMMAND if name in options}
        model = IndexModel(as_sort(keys), **options)
        return self.create_indexes([model], session=session, comment=comment, **command)[0]

    def create_indexes(self, /, indexes: Sequence[IndexModel], **options: Any) -> list[str]:
        """Creates indexes and returns their names."""
        documents = [dict(index.document) for index in indexes]
        checked(self.database._run({"createIndexes": self.name, "indexes": documents, **options}))
        return [document["name"] for document in documents]

    def list_indexes(self, /, **options: Any) -> LocalCommandCursor:
        """Returns a cursor over the indexes; empty for a missing collection."""
        reply = self.database._run({"listIndexes": self.name, **options})
        if reply.get("code") == _NAMESPACE_NOT_FOUND:
            reply = {"cursor": {"id": 0, "firstBatch": []}, "ok": 1.0}
        return self._cursor(checked(reply))

    def index_information(self, /, **options: Any) -> Document:
        """Returns name → information of the indexes, keys as pairs."""
        information = {}
        for index in self.list_indexes(**options):
            index["key"] = list(index["key"].items())
            information[index.pop("name")] = index
        return information

    def drop_index(self, /, index_or_name: str | Sort, **options: Any) -> None:
        """Drops an index by name or by keys. Raises 27 for an unknown one."""
        wanted = index_or_name if isinstance(index_or_name, str) else _index_name(index_or_name)
        reply = self.database._run({"dropIndexes": self.name, "index": wanted, **options})
        if reply.get("code") != _NAMESPACE_NOT_FOUND:
            checked(reply)

    def drop_indexes(self, /, **options: Any) -> None:
        """Drops all indexes but that of `_id`."""
        self.drop_index("*", **options)

    def create_search_index(self, /, model: Mapping[str, Any] | SearchIndexModel, **options: Any) -> str:
        """Creates a search or vector index and returns its name."""
        return self.create_search_indexes([model], **options)[0]

    def create_search_indexes(
        self, /, models: Sequence[Mapping[str, Any] | SearchIndexModel], **options: Any
    ) -> list[str]:
        """Creates search indexes and returns their names."""
        documents = [
            dict(
                model.document if isinstance(model, SearchIndexModel) else SearchIndexModel(**model).document
            )
            for model in models
        ]
        command = {"createSearchIndexes": self.name, "indexes": documents, **options}
        reply = checked(self.database._run(command))
        return [entry["name"] for entry in reply["indexesCreated"]]

    def update_search_index(self, /, name: str, definition: Mapping[str, Any], **options: Any) -> None:
        """Replaces a definition; the old one serves until the new one is ready."""
        command = {"updateSearchIndex": self.name, "name": name, "definition": definition, **options}
        checked(self.database._run(command))

    def drop_search_index(self, /, name: str, **options: Any) -> None:
        """Drops a search index; a missing collection is no error, as with PyMongo."""
        try:
            checked(self.database._run({"dropSearchIndex": self.name, "name": name, **options}))
        except OperationFailure as error:
            if error.code != _NAMESPACE_NOT_FOUND:
                raise

    def list_search_indexes(self, /, name: str | None = None, **options: Any) -> LocalCommandCursor:
        """Returns a cursor over the search indexes with their status and definitions."""
        stage = {"$listSearchIndexes": {} if name is None else {"name": name}}
        command = {"aggregate": self.name, "pipeline": [stage], "cursor": {}, **options}
        return self._cursor(checked(self.database._run(command)))

    def _cursor(self, reply: Mapping[str, Any]) -> LocalCommandCursor:
        return LocalCommandCursor(self.database._run_checked, self.database[self.name], reply)


def _index_name(keys: Sort) -> str:
    return str(IndexModel(as_sort(keys)).document["name"])
