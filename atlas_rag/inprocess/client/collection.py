"""A collection of the in-process engine with PyMongo's methods, each one command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Unpack

from bson import ObjectId
from pymongo.collection import ReturnDocument
from pymongo.results import (
    BulkWriteResult,
    DeleteResult,
    InsertManyResult,
    InsertOneResult,
    UpdateResult,
)

from atlas_rag.inprocess.client.bulk import Bulk
from atlas_rag.inprocess.client.command import as_value, change_stream
from atlas_rag.inprocess.client.cursor import (
    LocalCommandCursor,
    LocalCursor,
    Sort,
    as_projection,
    as_sort,
)
from atlas_rag.inprocess.client.errors import check_write
from atlas_rag.inprocess.client.indexes import IndexMethods
from atlas_rag.inprocess.client.options import Optioned, Options
from atlas_rag.inprocess.client.raw import LocalRawBatchCursor

if TYPE_CHECKING:
    from atlas_rag.inprocess.client.database import LocalDatabase
    from atlas_rag.inprocess.deployment import Deployment

Document = dict[str, Any]
Filter = Mapping[str, Any]
Projection = Mapping[str, Any] | Sequence[str] | None
Update = Mapping[str, Any] | Sequence[Mapping[str, Any]]


class LocalCollection(IndexMethods, Optioned):
    """A collection.

    Methods take PyMongo's arguments; errors are PyMongo's with the server's codes. `**options` are fields of
    the command, in PyMongo's spelling or the server's (`hint`, `let`, `session`, `max_time_ms`, `maxTimeMS`,
    …): the engine refuses those it does not know. (`self` is positional, so that nothing but the engine says
    which names they may have.)
    """

    __atlas_rag_local__ = "sync"

    def __init__(self, database: LocalDatabase, name: str, options: Options | None = None) -> None:
        Optioned.__init__(self, options, database)
        self.database = database
        self.name = name

    @property
    def deployment(self) -> Deployment:
        """What runs the commands. Raises `InvalidOperation` after the client was closed."""
        return self.database.client.deployment

    @property
    def full_name(self) -> str:
        """database.collection."""
        return f"{self.database.name}.{self.name}"

    def with_options(self, **options: Unpack[Options]) -> LocalCollection:
        """Returns the collection with these options; see `options.check_options`."""
        together: Any = {**self._options, **options}
        return LocalCollection(self.database, self.name, together)

    def __getitem__(self, name: str) -> LocalCollection:
        return LocalCollection(self.database, f"{self.name}.{name}")

    def __next__(self) -> NoReturn:
        raise TypeError("'LocalCollection' object is not iterable")

    next = __next__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LocalCollection):
            return self.database == other.database and self.name == other.name
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.database, self.name))

    def __bool__(self) -> bool:
        raise NotImplementedError("a collection has no truth value; compare with None instead")

    def __repr__(self) -> str:
        return f"LocalCollection({self.full_name!r})"

    # ---------------------------------------------------------------- insert

    def insert_one(self, /, document: Document, **options: Any) -> InsertOneResult:
        """Inserts a document; `_id` is added to it when absent. Raises `DuplicateKeyError`."""
        if "_id" not in document:
            document["_id"] = ObjectId()
        check_write(self._run({"insert": self.name, "documents": [document], **options}))
        return InsertOneResult(document["_id"], acknowledged=True)

    def insert_many(
        self, /, documents: Iterable[Document], ordered: bool = True, **options: Any
    ) -> InsertManyResult:
        """Inserts documents; `_id` is added to them when absent. Raises `BulkWriteError`."""
        bulk = Bulk()
        for document in documents:
            bulk.add_insert(document)
        if not bulk.requests:
            raise TypeError("documents must be a non-empty list")
        bulk.execute(self._run, self.name, ordered=ordered, options=options)
        return InsertManyResult([request.statement["_id"] for request in bulk.requests], acknowledged=True)

    # ---------------------------------------------------------------- change

    def update_one(
        self,
        /,
        filter: Filter,  # noqa: A002 - PyMongo's name
        update: Update,
        upsert: bool = False,
        array_filters: Sequence[Filter] | None = None,
        **options: Any,
    ) -> UpdateResult:
        """Changes the first document that matches."""
        _check_operators(update)
        return self._update(filter, update, {"upsert": upsert, "arrayFilters": array_filters}, options)

    def update_many(
        self,
        /,
        filter: Filter,  # noqa: A002
        update: Update,
        upsert: bool = False,
        array_filters: Sequence[Filter] | None = None,
        **options: Any,
    ) -> UpdateResult:
        """Changes all documents that match."""
        _check_operators(update)
        how = {"multi": True, "upsert": upsert, "arrayFilters": array_filters}
        return self._update(filter, update, how, options)

    def replace_one(
        self,
        /,
        filter: Filter,  # noqa: A002
        replacement: Filter,
        upsert: bool = False,
        **options: Any,
    ) -> UpdateResult:
        """Replaces the first document that matches; its `_id` stays."""
        _check_replacement(replacement)
        return self._update(filter, replacement, {"upsert": upsert}, options)

    def _update(self, /, query: Filter, update: Any, how: Document, options: Document) -> UpdateResult:
        statement = {"q": query, "u": update, **how}
        for name in ("hint", "sort", "collation"):
            statement[name] = as_value(name, options.pop(name, None))
        if statement["sort"] is not None:
            statement["sort"] = as_sort(statement["sort"])
        statement = {name: value for name, value in statement.items() if value is not None}
        reply = dict(check_write(self._run({"update": self.name, "updates": [statement], **options})))
        if upserted := reply.pop("upserted", None):
            reply["upserted"] = upserted[0]["_id"]
        reply["updatedExisting"] = bool(reply["n"]) and not upserted
        return UpdateResult(reply, acknowledged=True)

    def delete_one(self, /, filter: Filter, **options: Any) -> DeleteResult:  # noqa: A002
        """Deletes the first document that matches."""
        return self._delete(filter, 1, options)

    def delete_many(self, /, filter: Filter, **options: Any) -> DeleteResult:  # noqa: A002
        """Deletes all documents that match."""
        return self._delete(filter, 0, options)

    def _delete(self, /, query: Filter, limit: int, options: Document) -> DeleteResult:
        statement = {"q": query, "limit": limit}
        for name in ("hint", "collation"):
            if (value := options.pop(name, None)) is not None:
                statement[name] = as_value(name, value)
        reply = check_write(self._run({"delete": self.name, "deletes": [statement], **options}))
        return DeleteResult(reply, acknowledged=True)

    def bulk_write(self, /, requests: Sequence[Any], ordered: bool = True, **options: Any) -> BulkWriteResult:
        """Runs PyMongo's request objects (`InsertOne`, `UpdateMany`, …). Raises `BulkWriteError`."""
        bulk = Bulk()
        for request in requests:
            bulk.add(request)
        result = bulk.execute(self._run, self.name, ordered=ordered, options=options)
        return BulkWriteResult(result, acknowledged=True)

    # ---------------------------------------------------------------- find and modify

    def find_one_and_delete(
        self,
        /,
        filter: Filter,  # noqa: A002
        projection: Projection = None,
        sort: Sort | None = None,
        **options: Any,
    ) -> Document | None:
        """Deletes the first document that matches and returns it."""
        return self._find_and_modify(filter, projection, sort, {"remove": True, **options})

    def find_one_and_replace(
        self,
        /,
        filter: Filter,  # noqa: A002
        replacement: Filter,
        projection: Projection = None,
        sort: Sort | None = None,
        upsert: bool = False,
        return_document: bool = ReturnDocument.BEFORE,
        **options: Any,
    ) -> Document | None:
        """Replaces the first document that matches and returns it as it was, or as it is."""
        _check_replacement(replacement)
        how = {"update": replacement, "upsert": upsert, "new": return_document, **options}
        return self._find_and_modify(filter, projection, sort, how)

    def find_one_and_update(
        self,
        /,
        filter: Filter,  # noqa: A002
        update: Update,
        projection: Projection = None,
        sort: Sort | None = None,
        upsert: bool = False,
        return_document: bool = ReturnDocument.BEFORE,
        array_filters: Sequence[Filter] | None = None,
        **options: Any,
    ) -> Document | None:
        """Changes the first document that matches and returns it as it was, or as it is."""
        _check_operators(update)
        how = {"update": update, "upsert": upsert, "new": return_document, **options}
        if array_filters is not None:
            how["arrayFilters"] = array_filters
        return self._find_and_modify(filter, projection, sort, how)

    def _find_and_modify(
        self, query: Filter, projection: Projection, sort: Sort | None, how: Document
    ) -> Document | None:
        command: Document = {"findAndModify": self.name, "query": query, **how}
        if projection is not None:
            command["fields"] = as_projection(projection)
        if sort is not None:
            command["sort"] = as_sort(sort)
        value: Document | None = self.database._run_checked(command)["value"]
        return value

    # ---------------------------------------------------------------- read

    def find(
        self,
        /,
        filter: Filter | None = None,  # noqa: A002
        projection: Projection = None,
        skip: int = 0,
        limit: int = 0,
        *,
        sort: Sort | None = None,
        batch_size: int = 0,
        **options: Any,
    ) -> LocalCursor:
        """Returns a cursor; the command runs at its first document."""
        command: Document = {"find": self.name, "filter": filter or {}, **options}
        if projection is not None:
            command["projection"] = as_projection(projection)
        cursor = LocalCursor(self.database._run_checked, self, command)
        if sort is not None:
            cursor.sort(sort)
        return cursor.skip(skip).limit(limit).batch_size(batch_size)

    def find_one(
        self,
        /,
        filter: Any = None,  # noqa: A002
        projection: Projection = None,
        **options: Any,
    ) -> Document | None:
        """Returns the first document that matches, or None; anything but a mapping is an `_id`."""
        if filter is not None and not isinstance(filter, Mapping):
            filter = {"_id": filter}  # noqa: A001
        return next(self.find(filter, projection, **options).limit(-1), None)

    def count_documents(
        self,
        /,
        filter: Filter,  # noqa: A002
        skip: int = 0,
        limit: int = 0,
        **options: Any,
    ) -> int:
        """Counts the documents that match. `skip` ≥ 0; `limit` 0 for all."""
        if getattr(options.get("session"), "in_transaction", False):
            return self._count_in_transaction(filter, skip, limit, options)
        command = {"count": self.name, "query": filter, "skip": skip, "limit": limit, **options}
        count: int = self.database._run_checked(command)["n"]
        return count

    def _count_in_transaction(self, query: Filter, skip: int, limit: int, options: Document) -> int:
        """Counts by aggregation, since `count` cannot be part of a transaction."""
        cut: list[Document] = [{"$skip": skip}] if skip else []
        cut += [{"$limit": limit}] if limit else []
        found = self.aggregate([{"$match": query}, *cut, {"$count": "n"}], **options)
        return int(next(found, {"n": 0})["n"])

    def estimated_document_count(self, /, **options: Any) -> int:
        """Returns the number of documents, which is exact here."""
        count: int = self.database._run_checked({"count": self.name, **options})["n"]
        return count

    def distinct(self, /, key: str, filter: Filter | None = None, **options: Any) -> list[Any]:  # noqa: A002
        """Returns the distinct values of a field among the documents that match."""
        command = {"distinct": self.name, "key": key, "query": filter or {}, **options}
        values: list[Any] = self.database._run_checked(command)["values"]
        return values

    def aggregate(self, /, pipeline: Sequence[Filter], **options: Any) -> LocalCommandCursor:
        """Runs an aggregation pipeline; `batchSize` is an option, too."""
        return self.database._aggregate(self.name, pipeline, options)

    def find_raw_batches(self, /, *args: Any, **options: Any) -> LocalRawBatchCursor:
        """Returns a cursor over batches of BSON; arguments as for `find`."""
        return LocalRawBatchCursor(self.find(*args, **options))

    def aggregate_raw_batches(self, /, pipeline: Sequence[Filter], **options: Any) -> LocalRawBatchCursor:
        """Runs an aggregation pipeline and returns a cursor over batches of BSON."""
        return LocalRawBatchCursor(self.aggregate(pipeline, **options))

    def watch(self, /, pipeline: Sequence[Filter] | None = None, **options: Any) -> LocalCommandCursor:
        """Watches for changes, which the engine refuses by name."""
        return self.database._aggregate(self.name, change_stream(pipeline, options), options)

    # ---------------------------------------------------------------- the collection itself

    def options(self, /, **options: Any) -> Document:
        """Returns the options that the collection was made with; none for a missing one."""
        entries = self.database.list_collections(filter={"name": self.name}, **options)
        return dict(next(iter(entries), {}).get("options", {}))

    def rename(self, /, new_name: str, **options: Any) -> Document:
        """Gives the collection another name; see PyMongo for `dropTarget`."""
        target = self.database.get_collection(new_name).full_name
        admin = self.database.client["admin"]
        return dict(admin._run_checked({"renameCollection": self.full_name, "to": target, **options}))

    def drop(self, /, **options: Any) -> None:
        """Drops the collection with its indexes; a missing one is no error."""
        self.database.drop_collection(self, **options)

    def _run(self, command: Document) -> Mapping[str, Any]:
        return self.database._run(command)


def _check_operators(update: Any) -> None:
    if not isinstance(update, Mapping | list):
        raise TypeError(f"update must be a mapping or a pipeline, not {type(update).__name__}")
    if not update:
        raise ValueError("update cannot be empty")
    if isinstance(update, Mapping) and not next(iter(update)).startswith("$"):
        raise ValueError("update only works with $ operators")


def _check_replacement(replacement: Any) -> None:
    if not isinstance(replacement, Mapping):
        raise TypeError(f"replacement must be a mapping, not {type(replacement).__name__}")
    if next(iter(replacement), "").startswith("$"):
        raise ValueError("replacement can not include $ operators")
