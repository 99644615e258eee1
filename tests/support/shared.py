"""The public collections and recorded rankings that lie beside the repository, never in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.places import ROOT

SHARED = ROOT.parent / "shared"


def shared_path(name: str) -> Path:
    """A file or folder there; skips the test where it is missing, and fails it in continuous integration."""
    for base in (SHARED, SHARED.parents[1] / "shared"):  # a work tree may lie one folder deeper
        if (base / name).exists():
            return base / name
    message = f"../shared/{name} is not here"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)
