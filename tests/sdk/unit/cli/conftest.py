"""The command line as a fixture."""

from __future__ import annotations

from functools import partial

import pytest

from tests.support.command_line import Run, call


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Calls a command with these words."""
    return partial(call, capsys)
