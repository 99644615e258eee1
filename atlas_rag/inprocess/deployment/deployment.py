"""The deployment: databases, cursors, release, and the one door through which every command goes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from atlas_rag.inprocess.deployment.commands import COMMANDS
from atlas_rag.inprocess.deployment.commands.server import check_no_transaction, refuse_transaction
from atlas_rag.inprocess.deployment.cursors import Cursors
from atlas_rag.inprocess.deployment.faults import Faults
from atlas_rag.inprocess.deployment.indexes.lifecycle import Readiness
from atlas_rag.inprocess.deployment.indexes.opening import open_index
from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.deployment.persistence import Storage
from atlas_rag.inprocess.deployment.release import Release
from atlas_rag.inprocess.errors import CommandError, EngineRefusal
from atlas_rag.inprocess.index import Index

Document = dict[str, Any]

REFUSED_BY_ENGINE = "PlanExecutor error during aggregation :: caused by :: "


class Deployment:
    """A MongoDB deployment with search, in this process.

    Documents in commands become the deployment's own and must not be changed afterwards; documents in
    replies must not be changed at all. (The faces copy; a wire server encodes.) Commands of several threads
    run one after the other.

    Args:
        release: "7.0", "8.0", "8.2" or "9.0": which stages there are, and with which codes they refuse.
        path: folder to keep everything in; None for memory only.
        index_delay: seconds, ≥ 0, until a new search index, or a new definition of one, is queryable;
            `math.inf` to wait for `finish_index_builds`.
        simulate_loss: approximate vector searches may miss hits, fewer the more `numCandidates` they ask
            for, see `vector.loss`; otherwise they miss none. Not kept on disk: the next client chooses anew.
        clock: monotonic seconds, for index builds and idle cursors.

    Raises:
        FolderBusy: another client has the folder open.
        JournalDamaged: the folder holds something else.
    """

    def __init__(
        self,
        release: str = "8.2",
        path: Path | str | None = None,
        *,
        index_delay: float = 0.0,
        simulate_loss: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.release = Release.named(release)
        self.readiness = Readiness(index_delay, clock)
        self.simulate_loss = simulate_loss
        self.cursors = Cursors(clock)
        self.faults = Faults()
        self._databases: dict[str, dict[str, Namespace]] = {}
        self._lock = threading.RLock()
        self._storage: Storage | None = None
        if path is not None:
            self._storage = Storage(Path(path), self)

    # ---------------------------------------------------------------- the door

    def run_command(self, database: str, command: Mapping[str, Any]) -> Document:
        """Runs one command and returns the reply document, `ok: 0` with code and text where it failed.

        Args:
            database: the command's database.
            command: the command document, its name first.

        Raises:
            ConnectionLost: the connection is to be closed, since that was ordered (`Faults`).
        """
        name = next(iter(command), "")
        handler = COMMANDS.get(name)
        try:
            if handler is None:
                raise CommandError(59, f"no such command: '{name}'")
            if handler.run is not refuse_transaction:
                check_no_transaction(command)
            self.faults.strike(name)
            if handler.lockless:
                return handler.run(self, database, command)
            with self._lock:
                try:
                    return handler.run(self, database, command)
                finally:
                    self._commit(command)
        except CommandError as error:
            return error_reply(error)
        except EngineRefusal as refusal:
            return error_reply(CommandError(8, REFUSED_BY_ENGINE + refusal.text))
        except OSError as error:
            return error_reply(CommandError(8, f"the journal cannot be written: {error.strerror or error}"))

    def _commit(self, command: Mapping[str, Any]) -> None:
        """Brings the command's changes to the disk, before it is acknowledged."""
        if self._storage is not None:
            concern = command.get("writeConcern") or {}
            self._storage.commit(durable=concern.get("j") is not False)

    # ---------------------------------------------------------------- what commands work on

    def existing(self, database: str, name: str) -> Namespace | None:
        """Returns a collection, or None."""
        return self._databases.get(database, {}).get(name)

    def collection(self, database: str, name: str) -> Namespace:
        """Returns a collection, made now when it was not there. Raises 73 for a forbidden name."""
        found = self.existing(database, name)
        if found is None:
            _check_name(database, name)
            found = self.add(Namespace(database, name, self.log))
            self.log({"op": "create", "ns": found.full_name, "uuid": str(found.uuid)})
        return found

    def add(self, namespace: Namespace) -> Namespace:
        """Puts a collection into its database."""
        self._databases.setdefault(namespace.database, {})[namespace.name] = namespace
        return namespace

    def drop(self, database: str, name: str) -> None:
        """Removes a collection; a database without collections is gone."""
        del self._databases[database][name]
        if not self._databases[database]:
            del self._databases[database]
        self.log({"op": "drop", "ns": f"{database}.{name}"})

    def collections(self, database: str) -> list[Namespace]:
        """Returns the collections of a database."""
        return list(self._databases.get(database, {}).values())

    def database_names(self) -> list[str]:
        """Returns the names of all databases, sorted."""
        return sorted(self._databases)

    def open_index(
        self, namespace: Namespace, kind: str, definition: Mapping[str, Any], folder: Path | None = None
    ) -> Index:
        """Returns an index, empty or as saved. Raises `EngineRefusal` for what the engine does not have."""

        def documents_of(collection: str) -> list[Document]:
            source = self.existing(namespace.database, collection)
            return list(source.documents()) if source else []

        return open_index(
            kind, definition, documents_of, namespace.document, folder, simulate_loss=self.simulate_loss
        )

    def log(self, record: Mapping[str, Any]) -> None:
        """Notes a change for the disk."""
        if self._storage is not None:
            self._storage.note(record)

    # ---------------------------------------------------------------- for whoever owns it

    def finish_index_builds(self) -> None:
        """Makes every search index that is being built queryable now."""
        self.readiness.finish()

    def fail_index_build(self, database: str, collection: str, name: str, message: str) -> None:
        """Makes the newest build of a search index FAILED, as one that ran out of disk on a server.

        Raises:
            KeyError: there is no such index.
        """
        with self._lock:
            self._databases[database][collection].search[name].latest.failure = message

    def close(self) -> None:
        """Saves search indexes, makes all durable and lets the next client in."""
        with self._lock:
            if self._storage is not None:
                self._storage.close()


def error_reply(error: CommandError) -> Document:
    """Returns the reply of a command that failed."""
    return {
        "ok": 0.0,
        "errmsg": error.message,
        "code": error.code,
        "codeName": error.code_name,
        **error.details,
    }


def _check_name(database: str, name: str) -> None:
    if not database or len(database) > 63 or any(letter in database for letter in '/\\. "$\0'):
        raise CommandError(73, f"Invalid database name: '{database}'")
    if "$" in name:
        raise CommandError(73, f"Invalid collection name: {name}")
    if name.startswith("system."):
        raise CommandError(73, f"Invalid system namespace: {database}.{name}")
