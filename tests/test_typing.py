"""Type checkers see what a user sees: names, options, documents of the user's own class."""

from __future__ import annotations

import subprocess
import sys

from tests.support.places import ROOT


def test_a_users_program_is_checked_strictly() -> None:
    words = ["--strict", "--warn-unused-ignores", "--no-error-summary", "tests/data/typed/consumer.py"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 0), done.stderr
