"""A server on loopback for one client of this process: the way by which PyMongo reaches the deployment."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from atlas_rag.inprocess.deployment import Deployment

if TYPE_CHECKING:
    from atlas_rag.inprocess.server import RunningServer

_USER = "in-process"


class Loopback:
    """Serves a deployment on a free port, to whoever has the credentials in `uri`.

    Others on this machine can reach the port, so there is a password, made anew each time.
    """

    def __init__(self, deployment: Deployment) -> None:
        from atlas_rag.inprocess.server import Options, RunningServer, User

        password = secrets.token_hex(16)
        options = Options(users=[User(_USER, password)])
        self._server: RunningServer = RunningServer(deployment, options).start()
        self.uri = self._server.uri.replace("mongodb://", f"mongodb://{_USER}:{password}@", 1)

    def close(self) -> None:
        """Ends the connections and stops listening; the deployment stays open."""
        self._server.stop_listening()
