"""Calls the command line within the test's process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from atlas_rag.cli import main


class Outcome(NamedTuple):
    """Exit code and what was printed."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


Run = Callable[..., Outcome]


def call(capsys: pytest.CaptureFixture[str], *words: Any) -> Outcome:
    """The outcome of one command."""
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    out, err = capsys.readouterr()
    return Outcome(int(left.value.code or 0), out, err)
