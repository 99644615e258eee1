"""The server: a listening socket, its connections, and the threads that work for them."""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from atlas_rag.inprocess.deployment import Deployment
from atlas_rag.inprocess.server.authentication import Credentials, User
from atlas_rag.inprocess.server.connection import Connection
from atlas_rag.inprocess.server.conversation import Backend, Conversation
from atlas_rag.inprocess.server.log import CommandLog

WORKERS = 64
"""Threads for commands; a client whose command finds none free waits for one. Some may be waiting themselves,
for an open transaction to let go of a document."""
MOST_CONNECTIONS = 2000


class UnsafeListening(ValueError):  # noqa: N818 - it names what was refused
    """Listening beyond this machine without users."""


@dataclass(frozen=True)
class Options:
    """How to listen.

    Args:
        host: address to listen on; beyond loopback only with users.
        port: 0 for any free one.
        users: who may connect; without any, everyone on this machine may.
        certificate, key: PEM files for TLS, both or neither.
        most_connections: further clients are refused.
        log: file for refused, failed and slow commands; see `CommandLog`.
    """

    host: str = "127.0.0.1"
    port: int = 0
    users: Sequence[User] = ()
    certificate: Path | None = None
    key: Path | None = None
    most_connections: int = MOST_CONNECTIONS
    log: Path | None = None

    def check(self) -> None:
        """Raises `UnsafeListening` or ValueError."""
        if not self.users and not _is_loopback(self.host):
            raise UnsafeListening(
                f"{self.host} can be reached from other machines; give users, or listen on 127.0.0.1"
            )
        if (self.certificate is None) != (self.key is None):
            raise ValueError("TLS needs both a certificate and a key")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass
class Server:
    """Serves one deployment to any number of clients.

    Commands run in worker threads, see `Deployment` for how they get along; whatever needs no data (`ping`,
    `hello`) is answered on the event loop. The threads take turns (`sys.setswitchinterval`), so that no query
    of one client keeps another waiting for long.
    """

    deployment: Deployment
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        self.options.check()
        # Batches are cut to what a message may hold.
        self.deployment.cursors.measured = True
        self._log = CommandLog(self.options.log) if self.options.log is not None else None
        self._backend = Backend(self.deployment, Credentials(tuple(self.options.users)), log=self._log)
        self._connections: set[Connection] = set()
        self._executor = ThreadPoolExecutor(WORKERS, thread_name_prefix="atlas-rag-serve")
        self._listener: asyncio.Server | None = None

    async def start(self) -> None:
        """Begins to listen. Raises OSError where the port is taken."""
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(
            self._connection, self.options.host, self.options.port, ssl=self._tls(), backlog=512
        )

    @property
    def port(self) -> int:
        """The port that it listens on."""
        assert self._listener is not None  # noqa: S101 - after `start`
        return int(self._listener.sockets[0].getsockname()[1])

    @property
    def uri(self) -> str:
        """A connection string without credentials."""
        host = f"[{self.options.host}]" if ":" in self.options.host else self.options.host
        tls = "&tls=true" if self.options.certificate else ""
        return f"mongodb://{host}:{self.port}/?directConnection=true{tls}"

    async def stop(self) -> None:
        """Ends all connections and the commands under way, each at its next step."""
        if self._listener is not None:
            self._listener.close()
        for connection in list(self._connections):
            connection.shut_down()
        await asyncio.sleep(0)  # they notice, and end what was open on them
        await asyncio.get_running_loop().run_in_executor(None, self._executor.shutdown)
        if self._log is not None:
            self._log.close()

    def _connection(self) -> Connection:
        connection = Connection(self._begin, self._executor, self._connections.discard)
        self._connections.add(connection)
        return connection

    def _begin(self, address: str) -> Conversation | None:
        if len(self._connections) > self.options.most_connections:
            return None
        return Conversation(self._backend, address)

    def _tls(self) -> ssl.SSLContext | None:
        if self.options.certificate is None:
            return None
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.options.certificate, self.options.key)
        return context
