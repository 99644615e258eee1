"""The in-process engine behind the MongoDB wire protocol, for development and tests in any language."""

from atlas_rag.inprocess.server import (
    Options,
    RunningServer,
    Server,
    UnsafeListening,
    User,
    run_server,
    serve,
)

__all__ = ["Options", "RunningServer", "Server", "UnsafeListening", "User", "run_server", "serve"]
