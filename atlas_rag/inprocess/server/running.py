"""Two ways to run a server: in a thread of this process, or as the process."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from atlas_rag.inprocess.deployment import Deployment
from atlas_rag.inprocess.models import TextEmbedder, TextReranker
from atlas_rag.inprocess.server.server import Options, Server

GARBAGE_THRESHOLDS = (100_000, 50, 1000)
"""Documents hold no cycles; a look at all of them would stop every thread for tenths of a second."""

START_SECONDS = 30.0

SWITCH_SECONDS = 0.001
"""How long a thread may go on while another waits: a short command passes through three of them."""


class RunningServer:
    """A server in a thread of its own, with its own event loop.

    Attributes:
        deployment: what it serves, for `finish_index_builds` and the like.
        uri: connection string without credentials.
    """

    def __init__(self, deployment: Deployment, options: Options) -> None:
        self.deployment = deployment
        self.uri = ""
        self.port = 0
        self._server = Server(deployment, options)
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="atlas-rag-serve", daemon=True)

    def start(self) -> RunningServer:
        """Returns when it listens. Raises what kept it from listening."""
        self._thread.start()
        self._started.wait(START_SECONDS)
        if self._failure is not None:
            self._thread.join()
            raise self._failure
        return self

    def stop(self) -> None:
        """Ends connections, thread and deployment."""
        self.stop_listening()
        self.deployment.close()

    def stop_listening(self) -> None:
        """Ends connections and thread; the deployment stays open."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._server.start())
        except BaseException as error:
            self._failure = error
            self._started.set()
            self._loop.close()
            return
        self.uri, self.port = self._server.uri, self._server.port
        self._started.set()
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._server.stop())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()


@contextmanager
def serve(
    path: Path | str | None = None,
    *,
    server_version: str = "8.2",
    index_delay: float = 0.0,
    simulate_loss: bool = False,
    models: Mapping[str, TextEmbedder] | None = None,
    rerankers: Mapping[str, TextReranker] | None = None,
    options: Options | None = None,
) -> Iterator[str]:
    """Serves the in-process engine while the block runs, and yields its connection string.

    ```
    with serve() as uri, MongoClient(uri) as client:
        client["db"]["things"].insert_one({"a": 1})
    ```

    Args:
        path: folder to keep everything in; memory only by default.
        server_version: "7.0", "8.0", "8.2" or "9.0".
        index_delay: seconds, ≥ 0, until a new search index is queryable.
        simulate_loss: approximate vector searches may miss hits, as for `LocalClient`.
        models, rerankers: what automated embedding and `$rerank` ask, as for `LocalClient`.
        options: how to listen; a free port on loopback by default.
    """
    deployment = Deployment(
        server_version,
        path,
        index_delay=index_delay,
        simulate_loss=simulate_loss,
        models=models,
        rerankers=rerankers,
    )
    try:
        server = RunningServer(deployment, options or Options()).start()
    except BaseException:
        deployment.close()
        raise
    try:
        yield server.uri
    finally:
        server.stop()


def run_server(
    path: Path | str | None = None,
    *,
    server_version: str = "8.2",
    index_delay: float = 0.0,
    simulate_loss: bool = False,
    options: Options | None = None,
    announce: Callable[[str], None] = lambda uri: None,
) -> None:
    """Serves until the process is told to end (SIGINT, SIGTERM).

    Args:
        announce: called with the connection string once it listens.
        (others): as for `serve`.
    """
    deployment = Deployment(server_version, path, index_delay=index_delay, simulate_loss=simulate_loss)

    async def run() -> None:
        server = Server(deployment, options or Options(port=27018))
        await server.start()
        announce(server.uri)
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            _on_signal(loop, number, ended.set)
        await ended.wait()
        await server.stop()

    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    try:
        asyncio.run(run())
    finally:
        deployment.close()


def _on_signal(loop: asyncio.AbstractEventLoop, number: signal.Signals, act: Callable[[], None]) -> None:
    try:
        loop.add_signal_handler(number, act)
    except NotImplementedError:  # Windows
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(act))
