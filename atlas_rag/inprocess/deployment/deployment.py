"""The deployment: databases, cursors, release, and the one door through which every command goes.

How commands of several threads get along: **writes** (and aggregations that end in `$out` or `$merge`) run
one after the other under one lock, and reach the journal before the lock is given back. **Reads take no
lock**, so that none waits for a write, an index build or another read: a stored document is replaced and
never changed, a read takes the list of a collection's documents at once, and looks up `_id` in dictionaries.
Search indexes do change; `Upkeep` keeps searches and changes of one collection apart without making a write
wait. A read sees what writes had done when it reached a collection, as with read concern `local`.

Every command is an `Operation` that looks between its steps whether it may go on, and gives the other threads
their turn: one that takes seconds costs a short one some milliseconds.
"""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from atlas_rag.inprocess.deployment.api_versions import check_api
from atlas_rag.inprocess.deployment.commands import COMMANDS, Entry
from atlas_rag.inprocess.deployment.counters import Counters
from atlas_rag.inprocess.deployment.cursors import Cursors
from atlas_rag.inprocess.deployment.databases import Databases
from atlas_rag.inprocess.deployment.expiry import Expiry
from atlas_rag.inprocess.deployment.faults import Faults
from atlas_rag.inprocess.deployment.indexes.lifecycle import Readiness
from atlas_rag.inprocess.deployment.indexes.opening import open_index
from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.deployment.operations import Operations
from atlas_rag.inprocess.deployment.parameters import Parameters
from atlas_rag.inprocess.deployment.persistence import Storage
from atlas_rag.inprocess.deployment.release import Release
from atlas_rag.inprocess.deployment.transactions import Transactions
from atlas_rag.inprocess.errors import CommandError, EngineRefusal
from atlas_rag.inprocess.index import Index
from atlas_rag.inprocess.interruption import Operation, check
from atlas_rag.inprocess.models import Models, TextEmbedder, TextReranker

Document = dict[str, Any]

REFUSED_BY_ENGINE = "PlanExecutor error during aggregation :: caused by :: "


class Deployment:
    """A MongoDB deployment with search, in this process.

    Documents in commands become the deployment's own and must not be changed afterwards; documents in
    replies must not be changed at all. (The clients copy; a wire server encodes.) Any thread may call.

    Args:
        release: "7.0", "8.0", "8.2" or "9.0": which stages there are, and with which codes they refuse.
        path: folder to keep everything in; None for memory only.
        index_delay: seconds, ≥ 0, until a new search index, or a new definition of one, is queryable;
            `math.inf` to wait for `finish_index_builds`.
        simulate_loss: approximate vector searches may miss hits, fewer the more `numCandidates` they ask
            for, see `vector.loss`; otherwise they miss none. Not kept on disk: the next client chooses anew.
        models: embedders for fields of type "autoEmbed", by name. Not kept on disk.
        rerankers: what `$rerank` asks, by name. Not kept on disk.
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
        models: Mapping[str, TextEmbedder] | None = None,
        rerankers: Mapping[str, TextReranker] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.release = Release.named(release)
        self.readiness = Readiness(index_delay, clock)
        self.simulate_loss = simulate_loss
        self.models = Models(models, rerankers)
        self.cursors = Cursors(clock)
        self.faults = Faults()
        self.operations = Operations()
        self.databases = Databases(self.log)
        self.parameters = Parameters()
        self.counters = Counters()
        self.started = datetime.now(UTC)
        self._lock = threading.RLock()
        self._storage: Storage | None = None
        if path is not None:
            self._storage = Storage(Path(path), self)
        self.transactions = Transactions(self, self._lock)
        self.expiry = Expiry(self, self._lock)

    # ---------------------------------------------------------------- the door

    def run_command(
        self, database: str, command: Mapping[str, Any], operation: Operation | None = None
    ) -> Document:
        """Runs one command and returns the reply document, `ok: 0` with code and text where it failed.

        Args:
            database: the command's database.
            command: the command document, its name first.
            operation: by which the caller can interrupt it.

        Raises:
            ConnectionLost: the connection is to be closed, since that was ordered (`Faults`).
        """
        name = next(iter(command), "")
        handler = COMMANDS.get(name)
        try:
            if handler is None:
                raise CommandError(59, f"no such command: '{name}'")
            check_api(command)
            self.faults.strike(name)
            self.counters.count(name, command)
            if handler.lockless and "autocommit" not in command:
                return handler.run(self, database, command)
            in_transaction = "autocommit" in command or "startTransaction" in command
            with self.operations.running(operation or Operation(), database, command):
                if not in_transaction and not handler.changes(command):
                    return handler.run(self, database, command)
                with self._lock:
                    check()
                    if self._storage is not None and handler.changes(command):
                        self._storage.check()
                    try:
                        return self._run(handler, database, command)
                    finally:
                        self._commit(command)
        except CommandError as error:
            return error_reply(error)
        except EngineRefusal as refusal:
            return error_reply(CommandError(8, REFUSED_BY_ENGINE + refusal.text))
        except OSError as error:
            return error_reply(_not_kept(error))

    def _run(self, handler: Entry, database: str, command: Mapping[str, Any]) -> Document:
        if handler.ends_transaction or not ("autocommit" in command or "startTransaction" in command):
            return handler.run(self, database, command)
        return self.transactions.run(database, command, lambda seen: handler.run(seen, database, command))

    def within(self, databases: Databases) -> Deployment:
        """Returns this deployment with other databases, as a transaction sees it."""
        seen = copy(self)
        seen.databases = databases
        return seen

    def _commit(self, command: Mapping[str, Any]) -> None:
        """Brings the command's changes to the disk, before it is acknowledged."""
        concern = command.get("writeConcern")
        self.commit(durable=not (isinstance(concern, Mapping) and concern.get("j") is False))

    # ---------------------------------------------------------------- what commands work on

    def existing(self, database: str, name: str) -> Namespace | None:
        """Returns a collection, or None."""
        return self.databases.existing(database, name)

    def collection(self, database: str, name: str) -> Namespace:
        """Returns a collection, made now when it was not there. Raises 73 for a forbidden name."""
        return self.databases.collection(database, name)

    def open_index(
        self, namespace: Namespace, kind: str, definition: Mapping[str, Any], folder: Path | None = None
    ) -> Index:
        """Returns an index, empty or as saved. Raises `EngineRefusal` for what the engine does not have."""

        def documents_of(collection: str) -> list[Document]:
            source = self.existing(namespace.database, collection)
            return list(source.documents()) if source else []

        return open_index(
            kind,
            definition,
            documents_of,
            namespace.document,
            folder,
            simulate_loss=self.simulate_loss,
            models=self.models,
        )

    @property
    def is_persistent(self) -> bool:
        """Whether it is kept on a disk."""
        return self._storage is not None

    def bind_changes(self) -> None:
        """Lets the changes of this command reach the disk all together or not at all."""
        if self._storage is not None:
            self._storage.bind()

    def end_sessions(self, identifiers: Iterable[bytes]) -> None:
        """Sessions have ended, or their client has left: their open transactions with them."""
        with self._lock:
            for identifier in identifiers:
                self.transactions.forget(identifier)

    def commit(self, *, durable: bool) -> None:
        """Brings what has been noted to the disk. Raises OSError."""
        if self._storage is not None:
            self._storage.commit(durable=durable)

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
            self._found(database, collection).search[name].latest.failure = message

    def _found(self, database: str, collection: str) -> Namespace:
        found = self.existing(database, collection)
        if found is None:
            raise KeyError(f"{database}.{collection}")
        return found

    def close(self) -> None:
        """Saves search indexes, makes all durable and lets the next client in."""
        self.expiry.stop()
        with self._lock:
            self.transactions.forget_all()
            if self._storage is not None:
                self._storage.close()


def _not_kept(error: OSError) -> CommandError:
    """What is said of a change that the disk does not take, and of every later one."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    remedy = "free some space and restart" if full else "see to the disk and restart"
    text = (
        f"the journal cannot be written: {error.strerror or error}. Reads go on, writes are refused: {remedy}"
    )
    return CommandError(14031 if full else 8, text)


def error_reply(error: CommandError) -> Document:
    """Returns the reply of a command that failed."""
    return {
        "ok": 0.0,
        "errmsg": error.message,
        "code": error.code,
        "codeName": error.code_name,
        **error.details,
    }
