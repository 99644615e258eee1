"""The server as a process of its own: killed, started again, told to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from atlas_rag.inprocess.client import LocalClient
from atlas_rag.serve import Options, serve

PROGRAM = """
import sys
from atlas_rag.serve import Options, run_server
run_server(sys.argv[1], options=Options(), announce=lambda uri: print(uri, flush=True))
"""


def start(folder: Path, repository: Path) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder)], stdout=subprocess.PIPE, text=True, cwd=repository
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def end(process: subprocess.Popen[str], number: int) -> int:
    os.kill(process.pid, number)
    code = process.wait(30)
    assert process.stdout is not None
    process.stdout.close()
    return code


def test_everything_acknowledged_is_there_after_a_kill(tmp_path: Path, repository: Path) -> None:
    process, uri = start(tmp_path, repository)
    acknowledged: list[int] = []
    enough = threading.Event()

    def write() -> None:
        with MongoClient(uri, retryWrites=False, serverSelectionTimeoutMS=500) as client:
            try:
                for n in range(100_000):
                    client["shop"]["things"].insert_one({"_id": n, "text": "x" * 200})
                    acknowledged.append(n)
                    if n == 200:
                        enough.set()
            except PyMongoError:
                pass  # the server is gone, as it should be

    writer = threading.Thread(target=write)
    writer.start()
    assert enough.wait(60)
    end(process, signal.SIGKILL)
    writer.join(60)
    process, uri = start(tmp_path, repository)
    try:
        with MongoClient(uri) as client:
            found = [document["_id"] for document in client["shop"]["things"].find().sort("_id", 1)]
    finally:
        assert end(process, signal.SIGTERM) == 0
    assert found == list(range(len(found)))
    assert len(found) >= len(acknowledged)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_ends_when_told_to(tmp_path: Path, repository: Path, number: int) -> None:
    process, uri = start(tmp_path, repository)
    with MongoClient(uri) as client:
        client["shop"]["things"].insert_one({"_id": 1})
    assert end(process, number) == 0


def test_a_server_that_cannot_listen_lets_go_of_its_folder(tmp_path: Path) -> None:
    with serve() as uri:
        taken = Options(port=urlsplit(uri).port or 0)
        with pytest.raises(OSError, match="address already in use"), serve(tmp_path, options=taken):
            pass
    LocalClient(tmp_path).close()


def test_a_second_server_on_one_folder_is_refused(tmp_path: Path, repository: Path) -> None:
    process, _ = start(tmp_path, repository)
    try:
        second: Any = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(tmp_path)],
            capture_output=True, text=True, cwd=repository, timeout=60, check=False,
        )  # fmt: skip
        assert second.returncode != 0
        assert "One writer at a time" in second.stderr
    finally:
        end(process, signal.SIGTERM)
