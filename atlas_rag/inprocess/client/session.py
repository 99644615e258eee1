"""Sessions and transactions of the in-process engine, in PyMongo's shape."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar
from uuid import uuid4

from bson import Binary, Int64
from pymongo.client_session import SessionOptions, TransactionOptions  # type: ignore[attr-defined]
from pymongo.errors import ConfigurationError, InvalidOperation, PyMongoError

if TYPE_CHECKING:
    from atlas_rag.inprocess.client.client import LocalClient

Document = dict[str, Any]
Result = TypeVar("Result")

RETRY_SECONDS = 120.0
"""How long `with_transaction` begins anew after transient errors."""


class Session:
    """A session as commands tell of it, and the transaction that is open in it.

    Args:
        client: to which it belongs.
        options: PyMongo's; `snapshot` reads outside of transactions are refused.
    """

    def __init__(self, client: LocalClient, options: SessionOptions) -> None:
        if options.snapshot:
            raise ConfigurationError(
                "snapshot sessions are not supported by the in-process engine; read in a transaction instead"
            )
        self.client = client
        self.options = options
        self.session_id: Document = {"id": Binary.from_uuid(uuid4())}
        self.has_ended = False
        self.in_transaction = False
        self.cluster_time: Mapping[str, Any] | None = None
        self.operation_time: Any = None
        self._number = 0
        self._begun = False
        self._committed = False

    def fields(self, command: Mapping[str, Any]) -> Document:
        """Returns what a command says of its session. Raises `InvalidOperation` after the session's end."""
        if self.has_ended:
            raise InvalidOperation("Cannot use ended session")
        fields: Document = {"lsid": self.session_id}
        if not self.in_transaction:
            return fields
        fields |= {"txnNumber": Int64(self._number), "autocommit": False}
        if not self._begun:
            self._begun = True
            fields["startTransaction"] = True
        return fields

    # ---------------------------------------------------------------- transactions

    def _start(self, *args: Any, **options: Any) -> None:
        if self.in_transaction:
            raise InvalidOperation("Transaction already in progress")
        TransactionOptions(*args, **options)  # checks them
        self.in_transaction, self._begun, self._committed = True, False, False
        self._number += 1

    def _commit(self) -> None:
        if not self.in_transaction and not self._committed:
            raise InvalidOperation("No transaction started")
        self._finish("commitTransaction")
        self._committed = True

    def _abort(self) -> None:
        if not self.in_transaction:
            raise InvalidOperation("No transaction started")
        with suppress(PyMongoError):  # the deployment may have ended it already
            self._finish("abortTransaction")

    def _finish(self, name: str) -> None:
        """Ends the transaction at the deployment, if any operation has begun it there."""
        begun, self.in_transaction = self._begun, False
        if begun:
            number = {"txnNumber": Int64(self._number), "autocommit": False}
            self.client.admin._run_checked({name: 1, "lsid": self.session_id, **number})

    def _end(self) -> None:
        if not self.has_ended:
            if self.in_transaction:
                self._abort()
            self.has_ended = True

    # ---------------------------------------------------------------- what a driver keeps in step

    def advance_cluster_time(self, cluster_time: Mapping[str, Any]) -> None:
        """Takes over another session's cluster time."""
        self.cluster_time = cluster_time

    def advance_operation_time(self, operation_time: Any) -> None:
        """Takes over another session's operation time."""
        self.operation_time = operation_time

    def bind(self, end_session: bool = True) -> NoReturn:
        """Is refused: operations are given the session by name."""
        raise NotImplementedError(
            "bind is not supported by the in-process engine; give the session to each operation: session=..."
        )


class LocalSession(Session):
    """A session: operations that are given it belong together; between `start_transaction` and
    `commit_transaction` they are one transaction.
    """

    def start_transaction(
        self,
        read_concern: Any = None,
        write_concern: Any = None,
        read_preference: Any = None,
        max_commit_time_ms: int | None = None,
    ) -> LocalTransactionContext:
        """Begins a transaction with the session's next operation. As a context manager it ends it, too."""
        self._start(read_concern, write_concern, read_preference, max_commit_time_ms)
        return LocalTransactionContext(self)

    def commit_transaction(self) -> None:
        """Makes the transaction's changes visible and durable; again, after it was done, does nothing."""
        self._commit()

    def abort_transaction(self) -> None:
        """Forgets the transaction's changes."""
        self._abort()

    def with_transaction(
        self, callback: Callable[[LocalSession], Result], *args: Any, **options: Any
    ) -> Result:
        """Runs the callback in a transaction, anew after each transient error; see PyMongo.

        Args:
            callback: given this session.
            args, options: as for `start_transaction`.

        Raises:
            PyMongoError: what the callback or the commit raised, after `RETRY_SECONDS` transient ones too.
        """
        deadline = time.monotonic() + RETRY_SECONDS
        while True:
            self.start_transaction(*args, **options)
            try:
                result = callback(self)
                if self.in_transaction:
                    self.commit_transaction()
                return result
            except BaseException as error:
                if self.in_transaction:
                    self.abort_transaction()
                if not is_transient(error) or time.monotonic() > deadline:
                    raise

    def end_session(self) -> None:
        """Ends the session, and a transaction that is still open."""
        self._end()

    def __enter__(self) -> LocalSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()


def is_transient(error: BaseException) -> bool:
    """Whether a transaction that failed so may succeed when it is begun anew."""
    return isinstance(error, PyMongoError) and error.has_error_label("TransientTransactionError")


class LocalTransactionContext:
    """Commits at the end of its block, or aborts where that raises."""

    def __init__(self, session: LocalSession) -> None:
        self._session = session

    def __enter__(self) -> LocalTransactionContext:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._session.in_transaction:
            return
        if error is None:
            self._session.commit_transaction()
        else:
            self._session.abort_transaction()
