"""The in-process engine behind the MongoDB wire protocol, for development and tests.

messages (bytes ⇄ commands) ← connection (a socket) ← server (all of them) ← running (thread or process)
conversation (one client: handshake, authentication/, authorization, sessions) → the deployment
"""

from atlas_rag.inprocess.server.authentication import User
from atlas_rag.inprocess.server.running import RunningServer, run_server, serve
from atlas_rag.inprocess.server.server import Options, Server, UnsafeListening

__all__ = ["Options", "RunningServer", "Server", "UnsafeListening", "User", "run_server", "serve"]
