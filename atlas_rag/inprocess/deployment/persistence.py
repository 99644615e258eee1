"""A deployment on disk: a journal of all changes, and search indexes saved beside it.

The folder holds `lock`, `journal`, `indexes/<id>/`, and, once something was stored, the empty file `begun`.
Opening tells the journal again. An index saved at some length of the journal needs no document analysed
again: it is loaded, and what the journal holds behind that length is put into it. When the journal has grown
mostly of what was replaced or deleted since, it is rewritten with what is left.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import bson
from bson import Int64, ObjectId

from atlas_rag.inprocess.deployment.databases import View
from atlas_rag.inprocess.deployment.indexes.lifecycle import Build, SearchIndex, fill
from atlas_rag.inprocess.deployment.namespace import Namespace, unique_index
from atlas_rag.inprocess.index import Index
from atlas_rag.inprocess.store.journal import Journal, sync_folder
from atlas_rag.inprocess.store.lock import FolderLock

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Record = Mapping[str, Any]

SLACK = 10_000
"""Records that a journal may hold beyond twice what is alive, before it is rewritten."""

_STATE = "state.bson"
_BEGUN = "begun"


class Storage:
    """The folder of one deployment, open for writing.

    Args:
        folder: made when absent.
        deployment: empty; filled from the journal.
    """

    def __init__(self, folder: Path, deployment: Deployment) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = FolderLock(folder)
        self._folder = folder
        self._deployment = deployment
        self._pending: list[Record] = []
        self._records = 0
        self._unsaved = 0
        self._failed: OSError | None = None
        self.generation = ObjectId()
        try:
            self._open()
        except BaseException:
            self._lock.close()
            raise
        if self._journal.is_empty:
            self._journal.append([self._first_record()], durable=True)

    def _open(self) -> None:
        """Opens the journal and tells it. Raises `JournalDamaged`."""
        known = (self._folder / _BEGUN).exists() or (self._folder / "indexes").exists()
        self._journal = Journal(self._folder / "journal", known=known)
        try:
            _Teller(self).tell(self._journal)
        except BaseException:
            self._journal.leave()
            raise

    @property
    def deployment(self) -> Deployment:
        """The deployment that lives here."""
        return self._deployment

    def note(self, record: Record) -> None:
        """Keeps a change until the command ends."""
        self._pending.append(record)

    def bind(self) -> None:
        """Makes the changes noted so far one record, so that a torn journal has all of them or none."""
        if len(self._pending) > 1:
            self._pending = [{"op": "together", "records": self._pending}]

    def told(self) -> None:
        """One record of the journal was told."""
        self._records += 1

    def check(self) -> None:
        """Refuses to begin a write where one could not be kept. Raises OSError: why that was so."""
        if self._failed:
            raise self._failed

    def commit(self, *, durable: bool) -> None:
        """Writes the changes of one command. After a failure nothing is taken any more; reads go on.

        Raises:
            OSError: the disk did not take them; memory is ahead of it by this one command.
        """
        pending, self._pending = self._pending, []
        if not pending:
            return
        try:
            if self._records < 2:  # the first change ever
                self._begin()
            self._journal.append(pending, durable=durable)
        except OSError as error:
            self._failed = error
            raise
        self._records += len(pending)
        self._unsaved += len(pending)
        self._keep_house()

    def _begin(self) -> None:
        (self._folder / _BEGUN).touch()
        sync_folder(self._folder)

    def _keep_house(self) -> None:
        """Rewrites and saves what is worth it; a full disk only puts it off."""
        try:
            if self._records > 2 * self._alive() + SLACK:
                self._rewrite()
            if self._unsaved > self._alive() + SLACK:
                self._save_indexes()
        except OSError:
            self._records, self._unsaved = self._alive(), 0

    def close(self) -> None:
        """Saves the search indexes and lets go of the folder."""
        if self._failed is None:
            with suppress(OSError):  # what is not saved is analysed again
                self._save_indexes()
        self._journal.close()
        self._lock.close()

    # ---------------------------------------------------------------- rewriting

    def _alive(self) -> int:
        return sum(len(namespace.rows) for namespace in self._namespaces())

    def _namespaces(self) -> Iterator[Namespace]:
        for database in self._deployment.databases.names():
            yield from self._deployment.databases.collections(database)

    def _rewrite(self) -> None:
        before, self.generation = self.generation, ObjectId()
        try:
            self._journal.rewrite(self._snapshot())
        except OSError:
            self.generation = before
            raise
        self._records = self._alive()
        self._save_indexes()  # what was saved before stands at lengths of the old journal

    def _snapshot(self) -> Iterator[Record]:
        yield self._first_record()
        for namespace in self._namespaces():
            name = namespace.full_name
            yield namespace.creation_record()
            for key, document in namespace.rows:
                yield {"op": "put", "ns": name, "key": Int64(key), "document": document}
            for specification in list(namespace.indexes.values())[1:]:
                yield {"op": "index", "ns": name, "index": specification}
            for index in namespace.search.values():
                yield namespace.search_record(index)

        for database in self._deployment.databases.names():
            for view in self._deployment.databases.views(database):
                yield view.record()

    def _first_record(self) -> Record:
        return {"op": "journal", "generation": self.generation}

    # ---------------------------------------------------------------- search indexes

    def _save_indexes(self) -> None:
        """Saves each index in its own folder; `state.bson`, written last, says that it is whole.

        Happens when as many changes have been made as there are documents, so that its cost stays in
        proportion, and a process that is killed leaves few documents to analyse again.
        """
        self._unsaved = 0
        self._journal.make_durable()
        home = self._folder / "indexes"
        alive = set()
        for namespace in self._namespaces():
            for index in namespace.search.values():
                alive.add(index.identifier)
                with namespace.upkeep.settled():
                    self._save(index, home / index.identifier)
        for folder in home.iterdir() if home.exists() else ():
            if folder.name not in alive:
                shutil.rmtree(folder, ignore_errors=True)

    def _save(self, index: SearchIndex, folder: Path) -> None:
        if self.saved_at(index.identifier, index.latest.version) == self._journal.size:
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        index.latest.index.save(folder / "index")
        state = {
            "generation": self.generation,
            "position": Int64(self._journal.size),
            "version": index.latest.version,
        }
        (folder / _STATE).write_bytes(bson.encode(state))

    def saved_at(self, identifier: str, version: int) -> int | None:
        """Returns the journal's length at which an index was saved, or None where it was not."""
        try:
            state = bson.decode((self._folder / "indexes" / identifier / _STATE).read_bytes())
        except (OSError, bson.errors.BSONError):
            return None
        if state.get("generation") != self.generation or state.get("version") != version:
            return None
        # An index ahead of its journal has seen writes that a loss of power took away.
        return int(state["position"]) if state["position"] <= self._journal.size else None

    def index_folder(self, identifier: str) -> Path:
        """Returns where an index is saved."""
        return self._folder / "indexes" / identifier / "index"


class _Teller:
    """Tells a journal again."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._deployment = storage.deployment
        # Collection to the (position, key) of its changes in order, and search index to its newest record.
        self._changes: dict[str, list[tuple[int, int]]] = {}
        self._search: dict[str, Record] = {}

    def tell(self, journal: Journal) -> None:
        """Tells all records, then opens the search indexes."""
        for end, record in journal.replay():
            self._storage.told()
            getattr(self, "_tell_" + record["op"])(record, end)
        for search_record in self._search.values():
            self._open(search_record)

    def _namespace(self, record: Record) -> Namespace:
        database, _, name = record["ns"].partition(".")
        found = self._deployment.existing(database, name)
        assert found is not None  # noqa: S101 - "create" precedes every other record of a collection
        return found

    def _tell_together(self, record: Record, end: int) -> None:
        for part in record["records"]:
            getattr(self, "_tell_" + part["op"])(part, end)

    def _tell_journal(self, record: Record, _: int) -> None:
        self._storage.generation = record["generation"]

    def _tell_create(self, record: Record, _: int) -> None:
        database, _, name = record["ns"].partition(".")
        uuid, options = UUID(record["uuid"]), record.get("options")
        self._deployment.databases.add(Namespace(database, name, self._deployment.log, uuid, options))

    def _tell_drop(self, record: Record, _: int) -> None:
        database, _, name = record["ns"].partition(".")
        self._deployment.databases.drop(database, name)
        self._changes.pop(record["ns"], None)
        self._search = {k: other for k, other in self._search.items() if other["ns"] != record["ns"]}

    def _tell_rename(self, record: Record, _: int) -> None:
        old, new = record["ns"], record["to"]
        database, _dot, name = new.partition(".")
        self._deployment.databases.rename(self._namespace(record), database, name)
        if old in self._changes:
            self._changes[new] = self._changes.pop(old)
        self._search = {
            key: {**other, "ns": new} if other["ns"] == old else other for key, other in self._search.items()
        }

    def _tell_options(self, record: Record, _: int) -> None:
        self._namespace(record).set_options(record["options"])

    def _tell_indexOptions(self, record: Record, _: int) -> None:  # noqa: N802 - named as the record is
        self._namespace(record).indexes[record["index"]["name"]] = record["index"]

    def _tell_view(self, record: Record, _: int) -> None:
        database, _dot, name = record["ns"].partition(".")
        self._deployment.databases.set_view(View(database, name, record["viewOn"], record["pipeline"]))

    def _tell_dropView(self, record: Record, _: int) -> None:  # noqa: N802
        database, _dot, name = record["ns"].partition(".")
        view = self._deployment.databases.view(database, name)
        assert view is not None  # noqa: S101 - "view" precedes it
        self._deployment.databases.drop_view(view)

    def _tell_put(self, record: Record, end: int) -> None:
        rows, key = self._namespace(record).rows, record["key"]
        if key in rows.documents:
            rows.replace(int(key), record["document"])
        else:
            rows.restore(int(key), record["document"])
        self._changes.setdefault(record["ns"], []).append((end, int(key)))

    def _tell_remove(self, record: Record, end: int) -> None:
        self._namespace(record).rows.remove(int(record["key"]))
        self._changes.setdefault(record["ns"], []).append((end, int(record["key"])))

    def _tell_index(self, record: Record, _: int) -> None:
        namespace, specification = self._namespace(record), record["index"]
        if specification.get("unique"):
            namespace.rows.add_unique(unique_index(namespace.full_name, specification))
        namespace.indexes[specification["name"]] = specification

    def _tell_dropIndex(self, record: Record, _: int) -> None:  # noqa: N802 - named as the record is
        self._namespace(record).drop_index(record["name"])

    def _tell_searchIndex(self, record: Record, _: int) -> None:  # noqa: N802
        self._search[record["id"]] = record

    def _tell_dropSearchIndex(self, record: Record, _: int) -> None:  # noqa: N802
        del self._search[record["id"]]

    def _open(self, record: Record) -> None:
        namespace = self._namespace(record)
        kind, definition = record["kind"], record["definition"]
        index = self._loaded(record, namespace)
        if index is None:
            index = fill(self._deployment.open_index(namespace, kind, definition), namespace.rows)
        readiness = self._deployment.readiness
        build = Build(definition, record["version"], record["createdAt"], float("-inf"), index)
        namespace.search[record["name"]] = SearchIndex(record["id"], record["name"], kind, build, readiness)

    def _loaded(self, record: Record, namespace: Namespace) -> Index | None:
        """Returns the index as saved and brought up to date; None where there is nothing to load."""
        position = self._storage.saved_at(record["id"], record["version"])
        if position is None:
            return None
        folder = self._storage.index_folder(record["id"])
        try:
            index = self._deployment.open_index(namespace, record["kind"], record["definition"], folder)
        except (OSError, ValueError):
            return None
        self._catch_up(index, namespace, position)
        return index

    def _catch_up(self, index: Index, namespace: Namespace, position: int) -> None:
        """Puts into a loaded index what the journal holds behind the length at which it was saved."""
        changes = self._changes.get(namespace.full_name, [])
        last = {key: end for end, key in changes if end > position}
        for key in sorted(last, key=last.__getitem__):
            document = namespace.rows.documents.get(key)
            if document is None:
                index.remove(key)
            else:
                index.put(key, document)
