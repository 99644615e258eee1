"""Transactions of this one node: each sees the databases as they were when it began, and its own changes.

A transaction is a second set of databases, made of drafts (`store.draft`); its commands run on them as they
run on the deployment's own. A commit makes the changes of all drafts on the real collections, under the
deployment's lock, and brings them to the disk as one record.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.databases import Databases
from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import check
from atlas_rag.inprocess.store.draft import Draft, WriteConflictError

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]
Command = Mapping[str, Any]
Run = Callable[["Deployment"], Document]

LOOK_SECONDS = 0.1
"""How often a command that waits for a transaction looks whether it may go on waiting."""

TRANSIENT = {"errorLabels": ["TransientTransactionError"]}
_ALLOWED = frozenset(
    {"find", "aggregate", "distinct", "insert", "update", "delete", "findAndModify", "findandmodify"}
    | {"getMore", "killCursors", "create", "createIndexes", "bulkWrite"}
)
_NOT_IN_PIPELINES = frozenset(
    {"$out", "$merge", "$collStats", "$indexStats", "$currentOp", "$listSessions", "$listLocalSessions"}
    | {"$planCacheStats", "$changeStream", "$search", "$searchMeta", "$vectorSearch", "$listSearchIndexes"}
    | {"$rankFusion", "$scoreFusion"}
)


@dataclass
class Transaction:
    """One transaction of a session.

    Attributes:
        deadline: seconds of the deployment's clock at which it is given up.
        state: "open", "committed" or "aborted".
    """

    number: int
    deadline: float
    drafts: Databases = field(default_factory=lambda: Databases(lambda record: None))
    state: str = "open"

    def begin(self, databases: Databases) -> None:
        """Takes the databases as they are now."""
        self.drafts.share_views(databases)
        for database in databases.names():
            for namespace in databases.collections(database):
                self.drafts.add(namespace.draft())

    def namespaces(self) -> list[Namespace]:
        """Returns all its collections."""
        return [found for name in self.drafts.names() for found in self.drafts.collections(name)]

    def changed_drafts(self) -> list[Draft]:
        """Returns the drafts that have something to apply."""
        rows = (namespace.rows for namespace in self.namespaces())
        return [draft for draft in rows if isinstance(draft, Draft) and draft.is_changed]

    def end(self, state: str) -> None:
        """Lets go of everything."""
        for namespace in self.namespaces():
            if isinstance(namespace.rows, Draft):
                namespace.rows.release()
        self.state = state


class Transactions:
    """The newest transaction of each session.

    Args:
        deployment: whose commands they are.
        lock: the deployment's; held by whoever calls.
    """

    def __init__(self, deployment: Deployment, lock: threading.RLock) -> None:
        self._deployment = deployment
        self._ended = threading.Condition(lock)
        self._by_session: dict[bytes, Transaction] = {}
        self.committed = self.aborted = 0

    @property
    def open(self) -> int:
        """How many are under way."""
        return sum(transaction.state == "open" for transaction in self._by_session.values())

    def run(self, database: str, command: Command, run: Run) -> Document:
        """Runs a command of a transaction; a failure ends the transaction.

        Args:
            run: runs the command on the deployment that it is given.

        Raises:
            CommandError: 263 not in a transaction, 251 no such transaction, 112 a conflict, and the command's
                own; labelled where the transaction may succeed when it is begun anew.
        """
        self._give_up_late_ones()
        transaction = self._transaction(command)
        try:
            _check_allowed(command)
            self._check_new_indexes(database, command)
            reply = run(self._deployment.within(transaction.drafts))
        except WriteConflictError as conflict:
            self._end(transaction, "aborted")
            conflict.details = TRANSIENT
            raise
        except BaseException:
            self._end(transaction, "aborted")
            raise
        if reply.get("writeErrors"):
            self._end(transaction, "aborted")
        return reply

    def _transaction(self, command: Command) -> Transaction:
        """Returns the transaction that a command belongs to, begun now where it says so."""
        session, number = _identity(command)
        known = self._by_session.get(session)
        if known is not None and number < known.number:
            text = f"Cannot start transaction with {{ txnNumber: {number} }} on session because a newer "
            raise CommandError(225, f"{text}transaction with txnNumber {known.number} has already started.")
        if not command.get("startTransaction"):
            return self._under_way(known, number)
        if known is not None and number == known.number:
            text = "Only servers in a sharded cluster can start a new transaction at the active transaction "
            raise CommandError(117, text + "number", "ConflictingOperationInProgress")
        if known is not None:
            self._end(known, "aborted")
        lifetime = self._deployment.parameters["transactionLifetimeLimitSeconds"]
        made = Transaction(number, self._deployment.readiness.clock() + lifetime)
        made.begin(self._deployment.databases)
        self._by_session[session] = made
        return made

    def _under_way(self, known: Transaction | None, number: int) -> Transaction:
        if known is None or known.number != number:
            active = known.number if known else -1
            text = f"Given transaction number {number} does not match any in-progress transactions. "
            raise _no_such(f"{text}The active transaction number is {active}")
        if known.state == "aborted":
            raise _no_such(f"Transaction with {{ txnNumber: {number} }} has been aborted.")
        if known.state == "committed":
            text = f"Transaction with {{ txnNumber: {number} }} has been committed."
            raise CommandError(256, text)
        return known

    # ---------------------------------------------------------------- the end

    def commit(self, command: Command) -> None:
        """Makes the changes of a transaction, all or none; again, after that was done, does nothing.

        Raises:
            CommandError: 251 no such transaction, 112 others have changed something that stands against it.
        """
        self._give_up_late_ones()
        session, number = _identity(command)
        known = self._by_session.get(session)
        if known is not None and known.number == number and known.state == "committed":
            return
        transaction = self._under_way(known, number)
        self._end(transaction, "aborted")  # which it is until all is done; nothing is held any more
        try:
            self._check_places(transaction)
            for draft in transaction.changed_drafts():
                draft.check()
        except WriteConflictError as conflict:
            conflict.details = TRANSIENT
            raise
        self._apply(transaction)
        transaction.state = "committed"
        self.aborted -= 1
        self.committed += 1

    def _check_places(self, transaction: Transaction) -> None:
        """Refuses to commit into a collection that was dropped, renamed or made by others meanwhile."""
        for namespace in transaction.namespaces():
            found = self._deployment.databases.existing(namespace.database, namespace.name)
            same = found is not None and found.uuid == namespace.uuid
            if isinstance(namespace.rows, Draft):
                if namespace.rows.is_changed and not same:
                    raise WriteConflictError
            elif found is not None:
                raise WriteConflictError

    def _apply(self, transaction: Transaction) -> None:
        databases = self._deployment.databases
        for namespace in transaction.namespaces():
            rows = namespace.rows
            if not isinstance(rows, Draft):
                made = databases.create(namespace.database, namespace.name, namespace.options)
                for specification in list(namespace.indexes.values())[1:]:
                    made.add_index(specification)
                for document in namespace.documents():
                    made.insert(document)
            elif rows.is_changed:
                target = databases.existing(namespace.database, namespace.name)
                assert target is not None  # noqa: S101 - checked before
                rows.apply(target)
        self._deployment.bind_changes()

    def abort(self, command: Command) -> None:
        """Forgets the changes of a transaction. Raises 251."""
        self._give_up_late_ones()
        session, number = _identity(command)
        self._end(self._under_way(self._by_session.get(session), number), "aborted")

    def forget(self, session: bytes) -> None:
        """A session has ended, or its client has left: its open transaction with it."""
        known = self._by_session.get(session)
        if known is not None and known.state == "open":
            self._end(known, "aborted")

    def forget_all(self) -> None:
        """The deployment is closed."""
        for session in list(self._by_session):
            self.forget(session)

    def wait(self) -> None:
        """Returns when some open transaction has ended; one that takes too long is given up."""
        clock = self._deployment.readiness.clock
        deadlines = [known.deadline for known in self._by_session.values() if known.state == "open"]
        left = min(deadlines) - clock() if deadlines else 0.0
        while left > 0 and not self._ended.wait(min(left, LOOK_SECONDS)):
            check()
            left -= LOOK_SECONDS
        self._give_up_late_ones()

    def _give_up_late_ones(self) -> None:
        now = self._deployment.readiness.clock()
        for transaction in self._by_session.values():
            if transaction.state == "open" and transaction.deadline <= now:
                self._end(transaction, "aborted")

    def _end(self, transaction: Transaction, state: str) -> None:
        if transaction.state == "open":
            transaction.end(state)
            self.aborted += 1
            self._ended.notify_all()

    def _check_new_indexes(self, database: str, command: Command) -> None:
        name = command.get("createIndexes")
        if isinstance(name, str) and self._deployment.databases.existing(database, name) is not None:
            where = f"{database}.{name}"
            text = (
                f"Cannot create new indexes on existing collection {where} in a multi-document transaction."
            )
            raise CommandError(263, text)


def _identity(command: Command) -> tuple[bytes, int]:
    """Returns the session and the number of a transaction. Raises 72 where a command lacks them."""
    session, number = command.get("lsid"), command.get("txnNumber")
    identifier = session.get("id") if isinstance(session, Mapping) else None
    if not isinstance(identifier, bytes) or not isinstance(number, int):
        raise CommandError(72, "a transaction needs 'lsid' and 'txnNumber'")
    if command.get("autocommit") is not False:
        raise CommandError(72, "'autocommit' field for a transaction must be false")
    return bytes(identifier), number


def _check_allowed(command: Command) -> None:
    name = next(iter(command))
    if name == "count":
        text = "Cannot run 'count' in a multi-document transaction. Please see "
        text += "http://dochub.mongodb.org/core/transaction-count for a recommended alternative."
        raise CommandError(263, text)
    if name not in _ALLOWED:
        raise CommandError(263, f"Cannot run '{name}' in a multi-document transaction.")
    pipeline = command.get("pipeline")
    for stage in pipeline if isinstance(pipeline, list) else ():
        forbidden = _NOT_IN_PIPELINES.intersection(stage if isinstance(stage, Mapping) else ())
        if forbidden:
            text = "Operation not permitted in transaction :: caused by :: Aggregation stage"
            raise CommandError(263, f"{text} {min(forbidden)} cannot run within a multi-document transaction")


def _no_such(text: str) -> CommandError:
    error = CommandError(251, text)
    error.details = TRANSIENT
    return error
