"""The Node.js driver runs the same CRUD and search modes against the server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.inprocess.server.conftest import DOCUMENTS
from tests.support.places import ROOT

SCRIPT = Path(__file__).parent / "node" / "three_modes.mjs"


@pytest.fixture(scope="module")
def script() -> Path:
    """The script beside an installed driver, which is kept in `.venv` for the next run."""
    npm = shutil.which("npm")
    if npm is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no npm")
        pytest.skip("no npm")
    home = ROOT / ".venv" / "node-driver"
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "node_modules" / "mongodb").exists():
        command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(home), "mongodb@7"]
        installed = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
        if installed.returncode != 0:
            pytest.skip(f"the driver could not be installed: {installed.stderr[-300:]}")
    return Path(shutil.copy(SCRIPT, home))


@pytest.mark.slow
def test_the_node_driver_writes_reads_and_searches(script: Path, server_uri: str) -> None:
    ran = subprocess.run(
        ["node", str(script), server_uri], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "modified": 1,
        "n": 2,
        "duplicate": 11000,
        "queryable": [True, True],
        "text": [1, 2],
        "vector": [1, 2, 3],
        "hybrid": [1, 2, 3],
        "counted": len(DOCUMENTS) + 300,
        "batches": len(DOCUMENTS) + 300,
        "deleted": 300,
    }
