"""A scriptable HTTP service on a real socket, for providers: answers JSON, remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, Any, dict[str, str]]


@dataclass
class Service:
    """`answer(path, body)` gives status, JSON (or raw text) and headers."""

    answer: Callable[[str, dict[str, Any]], Answer]
    url: str = ""
    requests: list[tuple[str, dict[str, Any], dict[str, str]]] = field(default_factory=list)


@contextmanager
def serving(answer: Callable[[str, dict[str, Any]], Answer]) -> Iterator[Service]:
    """Runs the service in a thread."""
    service = Service(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.requests.append((self.path, body, dict(self.headers)))
            status, reply, headers = service.answer(self.path, body)
            payload = (reply if isinstance(reply, str) else json.dumps(reply)).encode()
            self.send_response(status)
            kind = "text/html" if isinstance(reply, str) else "application/json"
            for name, value in {"Content-Type": kind, "Content-Length": str(len(payload)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
