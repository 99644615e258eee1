"""What one connection says and hears: handshake, authentication, then commands. Without any I/O."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from atlas_rag.inprocess.deployment import Deployment
from atlas_rag.inprocess.deployment.commands import COMMANDS
from atlas_rag.inprocess.deployment.deployment import error_reply
from atlas_rag.inprocess.deployment.faults import ConnectionLost
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import CLIENT_GONE, SHUTDOWN, Operation
from atlas_rag.inprocess.server import authorization
from atlas_rag.inprocess.server.authentication import MECHANISM, Credentials, Exchange, User
from atlas_rag.inprocess.server.log import CommandLog
from atlas_rag.inprocess.server.messages import LARGEST_FROM_STRANGERS, LARGEST_MESSAGE
from atlas_rag.inprocess.server.sessions import Sessions, session_of

Reply = Mapping[str, Any]
REPLICA_SET = "atlas-rag"

_connections = count(1)
_HELLO = frozenset({"hello", "isMaster", "ismaster"})


@dataclass(frozen=True)
class Backend:
    """What all connections share.

    Attributes:
        log: of refused, failed and slow commands; None for none.
        transactions: session to the connection on which its open transaction was last heard of.
    """

    deployment: Deployment
    credentials: Credentials = field(default_factory=lambda: Credentials(()))
    sessions: Sessions = field(default_factory=Sessions)
    log: CommandLog | None = None
    transactions: dict[bytes, Conversation] = field(default_factory=dict)


class Conversation:
    """One connection's state.

    Args:
        address: "host:port" as the client sees the server.
    """

    def __init__(self, backend: Backend, address: str) -> None:
        self._backend = backend
        self._address = address
        self._identifier = next(_connections)
        self._exchange: Exchange | None = None
        self._operation: Operation | None = None
        self.user: User | None = None

    @property
    def largest_message(self) -> int:
        """Bytes that the client's next message may have."""
        strange = self._backend.credentials and self.user is None
        return LARGEST_FROM_STRANGERS if strange else LARGEST_MESSAGE

    def leave(self) -> None:
        """The client has gone: what it reads for is ended, what it writes comes to its end."""
        operation = self._operation
        if operation is not None and not is_write(operation.command):
            operation.interrupt(CLIENT_GONE)

    def shut_down(self) -> None:
        """The server ends: so does what is at work."""
        if self._operation is not None:
            self._operation.interrupt(SHUTDOWN)

    def is_quick(self, command: Mapping[str, Any]) -> bool:
        """Whether a command is answered at once, without waiting for any other."""
        entry = COMMANDS.get(next(iter(command)))
        return entry is not None and entry.lockless

    def answer(self, command: Mapping[str, Any]) -> Reply:
        """Returns the reply to a command.

        Raises:
            ConnectionLost: there is to be none.
        """
        begun = time.monotonic()
        reply = self._guarded_answer(command)
        if self._backend.log is not None:
            slow_ms = self._backend.deployment.parameters.slow_ms
            seconds = time.monotonic() - begun
            self._backend.log.note(
                command, reply, seconds=seconds, slow_ms=slow_ms, connection=self._identifier
            )
        return reply

    def _guarded_answer(self, command: Mapping[str, Any]) -> Reply:
        try:
            return self._answer(command)
        except CommandError as error:
            return error_reply(error)
        except ConnectionLost:
            raise
        except Exception as error:
            # Whatever a strange command stumbles over ends here, and not the server.
            return error_reply(CommandError(1, f"the command failed inside: {type(error).__name__}"))

    def _answer(self, command: Mapping[str, Any]) -> Reply:
        name = next(iter(command))
        database = command.get("$db")
        if not isinstance(database, str):
            raise CommandError(40571, "OP_MSG requests require a $db argument")
        if name in ("saslStart", "saslContinue", "logout"):
            return self._authenticate(name, command)
        backend = self._backend
        if backend.credentials:
            authorization.check(self.user, database, command)
        if name == "endSessions":
            backend.sessions.end(command["endSessions"])
        if "autocommit" in command:
            return self._in_transaction(database, command)
        if "txnNumber" in command and (earlier := backend.sessions.earlier_reply(command)):
            return earlier
        self._operation = Operation(self.user.name if self.user else None, self._address)
        try:
            reply = backend.deployment.run_command(database, command, self._operation)
        finally:
            self._operation = None
        if name in _HELLO:
            return reply | self._hello(command)
        if name == "connectionStatus" and self.user is not None:
            return reply | {"authInfo": _auth_info(self.user)}
        if name == "listDatabases":
            return authorization.visible(self.user, reply)
        if "txnNumber" in command:
            backend.sessions.remember(command, reply)
        return reply

    def _in_transaction(self, database: str, command: Mapping[str, Any]) -> Reply:
        """Runs a command of a transaction, which ends with the connection that was last used for it."""
        identifier = session_of(command)
        if identifier is not None:
            self._backend.transactions[identifier] = self
        reply = self._backend.deployment.run_command(database, command)
        if next(iter(command)) in ("commitTransaction", "abortTransaction") and identifier is not None:
            self._backend.transactions.pop(identifier, None)
        return reply

    def close(self) -> None:
        """The client has left: its open transactions with it."""
        owners = self._backend.transactions
        left = [identifier for identifier, owner in list(owners.items()) if owner is self]
        for identifier in left:
            owners.pop(identifier, None)
        if left:
            self._backend.deployment.end_sessions(left)

    # ---------------------------------------------------------------- handshake and authentication

    def _hello(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """What `hello` says beyond the deployment's own: a replica set of one, so that writes are retried."""
        extra: dict[str, Any] = {
            "setName": REPLICA_SET,
            "setVersion": 1,
            "hosts": [self._address],
            "primary": self._address,
            "me": self._address,
            "secondary": False,
            "connectionId": self._identifier,
        }
        if "zlib" in (command.get("compression") or ()):
            extra["compression"] = ["zlib"]
        if "saslSupportedMechs" in command and self._backend.credentials:
            extra["saslSupportedMechs"] = [MECHANISM]
        attempt = command.get("speculativeAuthenticate")
        if isinstance(attempt, Mapping) and self._backend.credentials:
            self._speculate(attempt, extra)
        return extra

    def _speculate(self, attempt: Mapping[str, Any], extra: dict[str, Any]) -> None:
        """Begins to authenticate within the handshake; what fails there is tried again by the driver."""
        exchange = Exchange(self._backend.credentials)
        try:
            extra["speculativeAuthenticate"] = exchange.start(attempt)
        except CommandError:
            return
        self._exchange = exchange

    def _authenticate(self, name: str, command: Mapping[str, Any]) -> Reply:
        if name == "logout":
            self.user = None
            return {"ok": 1.0}
        if name == "saslStart":
            self.user = None
            self._exchange = Exchange(self._backend.credentials)
            return self._exchange.start(command)
        if self._exchange is None:
            raise CommandError(17, "No SASL session state found", "ProtocolError")
        try:
            reply = self._exchange.go_on(command)
        except CommandError:
            self._exchange = None
            raise
        self.user = self._exchange.user
        if reply["done"]:
            self._exchange = None
        return reply


def is_write(command: Mapping[str, Any]) -> bool:
    """Whether a command may change data."""
    entry = COMMANDS.get(next(iter(command), ""))
    return entry is not None and entry.changes(command)


def _auth_info(user: User) -> dict[str, Any]:
    roles = [{"role": role, "db": database} for database, role in user.roles.items()]
    return {
        "authenticatedUsers": [{"user": user.name, "db": "admin"}],
        "authenticatedUserRoles": roles,
    }
